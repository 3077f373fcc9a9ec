/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a single packet lost, or late, while a command runs?
 *
 *   i1-exchange --serve                       the peer: echoes UDP and TCP, IPv4 and IPv6
 *   i1-exchange --http TEXT                   a peer that answers every HTTP request with TEXT
 *   i1-exchange [--to ADDRESS]... [--device IF]... [--pace MS] [--late MS] [--linger MS]
 *               -- COMMAND [ARGUMENT]...      one exchange over each device to each address
 *
 * The client looks a route up for every packet (a datagram socket that is not connected, bound to
 * the device), and keeps a TCP connection over each device going as well. Exit status: 0 every
 * answer came in time and no segment had to be sent again, 1 not so or the command failed, 2 the
 * exchange does not run at all.
 *
 * A command that breaks the path on purpose sends us SIGUSR1 and reads a line: it comes when a
 * packet that was sent after the signal, and the connection beside it, are late.
 */
#include "i1-flow.h"
#include "i1-peer.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    const char *to[I1_MAX_FLOWS];
    size_t n_to;
    const char *device[I1_MAX_FLOWS];
    size_t n_devices;
    double pace;
    double late;
    double linger;
    char **command;
} Options;

static volatile sig_atomic_t asked;

static void
die(const char *what)
{
    fprintf(stderr, "exchange: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* Does it work at all, before anything is changed? */
static void
warm_up(I1Flow *flows, size_t n)
{
    for (int i = 0; i < 20; i++) {
        for (size_t j = 0; j < n; j++)
            i1_flow_send(&flows[j]);
        i1_flow_receive_until(flows, n, i1_flow_now() + 0.01);
    }
    for (int i = 0; i < 150 && !i1_flow_all_answered(flows, n); i++)
        i1_flow_receive_until(flows, n, i1_flow_now() + 0.02);
    for (size_t i = 0; i < n; i++) {
        if (flows[i].n_answered < flows[i].n_sent || flows[i].n_stream == 0) {
            fprintf(stderr, "exchange: %s: no answer\n", flows[i].text);
            exit(2);
        }
        i1_flow_reset(&flows[i]);
    }
}

static void
on_question(int signal_number)
{
    asked = 1;
}

static pid_t
start_command(char **command, int *out_answer_fd)
{
    struct sigaction action = {.sa_handler = on_question};
    int fds[2];
    pid_t pid;

    if (pipe(fds) < 0)
        die("pipe");
    sigaction(SIGUSR1, &action, NULL);
    fflush(NULL);
    pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        dup2(fds[0], STDIN_FILENO);
        close(fds[0]);
        close(fds[1]);
        execvp(command[0], command);
        _exit(127);
    }
    close(fds[0]);
    signal(SIGPIPE, SIG_IGN);
    *out_answer_fd = fds[1];
    return pid;
}

/* Answers the question, once: what was sent since then is not answered. */
static void
tell(const I1Flow *flows, size_t n, double late, int fd)
{
    static uint32_t n_sent[I1_MAX_FLOWS];

    if (asked == 1) {
        asked = 2;
        for (size_t i = 0; i < n; i++)
            n_sent[i] = flows[i].n_sent;
    }
    for (size_t i = 0; i < n && asked; i++) {
        if (i1_flow_is_overdue(&flows[i], n_sent[i], late)) {
            dprintf(fd, "%s is late\n", flows[i].text);
            asked = 0;
        }
    }
}

/* A machine that was slow does not catch up in a burst. */
static int
run_command(const Options *options, I1Flow *flows, size_t n)
{
    double next = i1_flow_now(), end = 0;
    int status = 0, answer_fd;
    pid_t pid = start_command(options->command, &answer_fd);

    while (end == 0 || i1_flow_now() < end) {
        for (size_t i = 0; i < n; i++)
            i1_flow_send(&flows[i]);
        next = next + options->pace > i1_flow_now() ? next + options->pace : i1_flow_now();
        i1_flow_receive_until(flows, n, next);
        tell(flows, n, options->late, answer_fd);
        if (end == 0 && waitpid(pid, &status, WNOHANG) == pid)
            end = i1_flow_now() + options->linger;
    }
    close(answer_fd);
    for (int i = 0; i < 150 && !i1_flow_all_answered(flows, n); i++)
        i1_flow_receive_until(flows, n, i1_flow_now() + 0.02);
    return status;
}

static bool
parse_options(int argc, char **argv, Options *options)
{
    static const struct option longs[] = {
        {"to", required_argument, NULL, 't'},     {"device", required_argument, NULL, 'd'},
        {"pace", required_argument, NULL, 'p'},   {"late", required_argument, NULL, 'l'},
        {"linger", required_argument, NULL, 'e'}, {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "+", longs, NULL)) >= 0) {
        if (c == 't' && options->n_to < I1_MAX_FLOWS)
            options->to[options->n_to++] = optarg;
        else if (c == 'd' && options->n_devices < I1_MAX_FLOWS)
            options->device[options->n_devices++] = optarg;
        else if (c == 'p')
            options->pace = atof(optarg) / 1e3;
        else if (c == 'l')
            options->late = atof(optarg) / 1e3;
        else if (c == 'e')
            options->linger = atof(optarg) / 1e3;
        else
            return false;
    }
    if (options->n_to == 0)
        options->to[options->n_to++] = "203.0.113.1";
    if (options->n_devices == 0)
        options->device[options->n_devices++] = NULL;
    options->command = argv + optind;
    return optind < argc && options->n_to * options->n_devices <= I1_MAX_FLOWS;
}

int
main(int argc, char **argv)
{
    Options options = {.pace = 0.002, .late = 0.1, .linger = 0.02};
    I1Flow flows[I1_MAX_FLOWS];
    size_t n = 0;
    int status;
    bool good;

    if (argc == 2 && strcmp(argv[1], "--serve") == 0)
        return i1_peer_serve();
    if (argc == 3 && strcmp(argv[1], "--http") == 0)
        return i1_peer_serve_http(argv[2]);
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: i1-exchange --serve | [OPTIONS] -- COMMAND [ARGUMENT]...\n");
        return 2;
    }
    for (size_t i = 0; i < options.n_to; i++) {
        for (size_t j = 0; j < options.n_devices; j++)
            i1_flow_open(&flows[n++], options.to[i], options.device[j]);
    }
    warm_up(flows, n);
    status = run_command(&options, flows, n);
    good = status == 0;
    if (status != 0)
        fprintf(stderr, "exchange: %s: exit status %d\n", options.command[0], WEXITSTATUS(status));
    for (size_t i = 0; i < n; i++) {
        good = i1_flow_judge(&flows[i], options.late) && good;
        i1_flow_free(&flows[i]);
    }
    return good ? 0 : 1;
}
