/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offloads DEVICE...: switches off what makes one large packet of many (TSO, GSO, GRO), so that a
 * packet that is dropped is a segment of TCP, and not 64 kB of them.
 */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static int
switch_off(int fd, const char *device, __u32 command)
{
    struct ethtool_value value = {.cmd = command};
    struct ifreq request = {.ifr_data = (void *) &value};

    strncpy(request.ifr_name, device, sizeof request.ifr_name - 1);
    return ioctl(fd, SIOCETHTOOL, &request);
}

int
main(int argc, char **argv)
{
    static const __u32 commands[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    for (int i = 1; i < argc; i++) {
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            if (switch_off(fd, argv[i], commands[k]) < 0) {
                perror(argv[i]);
                return 1;
            }
        }
    }
    return 0;
}
