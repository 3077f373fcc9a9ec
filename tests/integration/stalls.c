/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls FILE: for how long, all together, the machine stood still so far. It sleeps for a
 * millisecond over and over; what a sleep is longer than that counts. To FILE goes one line: that
 * time, and when the last sleep ended, both in microseconds (CLOCK_REALTIME).
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define NAP_US 1000
#define USUAL_US 1000 /* a sleep is never quite as short as it should be */

static int64_t
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t) t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int
main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    int64_t total = 0, last = now_us();
    char line[64];

    if (fd < 0) {
        perror("stalls");
        return 2;
    }
    for (;;) {
        int64_t now = now_us(), over = now - last - NAP_US - USUAL_US;
        int len;

        total += over > 0 ? over : 0;
        last = now;
        len = snprintf(line, sizeof(line), "%020" PRId64 " %020" PRId64 "\n", total, last);
        if (pwrite(fd, line, (size_t) len, 0) != len)
            return 2;
        nanosleep(&(struct timespec){0, NAP_US * 1000}, NULL);
    }
}
