/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alternate RUNS [@NETNS] COMMAND... -- [@NETNS] COMMAND...: runs the two commands in turn and
 * prints the medians of their run times, in microseconds, and the first as a multiple of the
 * second. @NETNS is a file such as /proc/PID/ns/net.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    char **argv;
    int netns_fd; /* -1: the one we are in */
    double *times;
} Side;

static double
now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double) at.tv_sec * 1e6 + (double) at.tv_nsec / 1e3;
}

static bool
run_once(const Side *side, double *out_time)
{
    posix_spawn_file_actions_t actions;
    double before;
    pid_t pid;
    int r, status = -1;

    if (side->netns_fd >= 0 && setns(side->netns_fd, CLONE_NEWNET) < 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    before = now();
    r = posix_spawnp(&pid, side->argv[0], &actions, NULL, side->argv, environ);
    if (r == 0 && waitpid(pid, &status, 0) < 0)
        r = errno;
    *out_time = now() - before;
    posix_spawn_file_actions_destroy(&actions);
    return r == 0 && status == 0;
}

static int
compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double
median(double *times, int n)
{
    qsort(times, (size_t) n, sizeof *times, compare);
    return n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

static bool
make_side(char **argv, int n, Side *out_side)
{
    Side side = {.argv = argv, .netns_fd = -1, .times = calloc((size_t) n, sizeof(double))};

    if (argv[0] && argv[0][0] == '@') {
        side.netns_fd = open(argv[0] + 1, O_RDONLY | O_CLOEXEC);
        if (side.netns_fd < 0)
            return false;
        side.argv++;
    }
    *out_side = side;
    return side.argv[0] && side.times;
}

static bool
run_all(Side sides[2], int n)
{
    double warm_up;

    for (int i = -1; i < n; i++) {
        for (int side = 0; side < 2; side++) {
            if (!run_once(&sides[side], i < 0 ? &warm_up : &sides[side].times[i])) {
                fprintf(stderr, "%s failed\n", sides[side].argv[0]);
                return false;
            }
        }
    }
    return true;
}

int
main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    Side sides[2];
    double first, second;
    int middle = 2;

    while (middle < argc && strcmp(argv[middle], "--") != 0)
        middle++;
    if (n <= 0 || middle + 1 >= argc)
        return 2;
    argv[middle] = NULL;
    if (!make_side(argv + 2, n, &sides[0]) || !make_side(argv + middle + 1, n, &sides[1]))
        return 2;
    if (!run_all(sides, n))
        return 1;
    first = median(sides[0].times, n);
    second = median(sides[1].times, n);
    printf("%.0f %.0f %.2f\n", first, second, first / second);
    return 0;
}
