/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RTM_GETROUTE and connect(), over and over. */
#include "i1-probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N_WORKERS 4
#define N_STRANGE 8
#define N_ROUNDS 40 /* of every lookup, before anything is judged */

typedef struct {
    int error;
    uint8_t type;
    uint8_t gateway_family;
    int oif;
    uint8_t gateway[16];
    uint8_t source[16];
} Answer;

typedef struct {
    Answer answer;
    double at;
    uint64_t n;
} Strange;

typedef enum {
    ASK,     /* RTM_GETROUTE */
    CONNECT, /* connect() of a datagram socket */
} Way;

typedef struct {
    Way way;
    uint8_t family;
    uint8_t target[16];
    int oif; /* 0: any */
    bool has_source;
    uint8_t source[16];
    Answer first;
    Strange strange[N_STRANGE];
    size_t n_strange;
    char text[160];
    atomic_bool noticed; /* one is strange */
    bool told;
} Probe;

typedef struct {
    I1Probes *probes;
    size_t number;
    pthread_t thread;
    struct mnl_socket *socket;
    atomic_uint_fast64_t n;
} Worker;

struct I1Probes {
    Probe *probe;
    size_t n;
    double interval; /* of one worker, in seconds */
    double start;
    atomic_bool stop;
    Worker worker[N_WORKERS];
};

typedef struct {
    int ifindex[16];
    size_t n_devices;
    struct {
        uint8_t family;
        uint8_t address[16];
    } own[32];
    size_t n_own;
} Host;

double
i1_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static size_t
address_len(int family)
{
    return family == AF_INET ? 4 : 16;
}

static struct mnl_socket *
open_socket(void)
{
    struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);

    if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0) {
        perror("i1-checker: netlink");
        exit(2);
    }
    return nl;
}

static void
read_answer(const struct nlmsghdr *reply, Answer *answer)
{
    const struct rtmsg *rtm = mnl_nlmsg_get_payload(reply);
    const struct nlattr *attr;

    answer->type = rtm->rtm_type;
    mnl_attr_for_each(attr, reply, sizeof(*rtm))
    {
        const void *data = mnl_attr_get_payload(attr);

        switch (mnl_attr_get_type(attr)) {
        case RTA_OIF:
            answer->oif = (int) mnl_attr_get_u32(attr);
            break;
        case RTA_GATEWAY:
            answer->gateway_family = rtm->rtm_family;
            memcpy(answer->gateway, data, address_len(rtm->rtm_family));
            break;
        case RTA_VIA:
            answer->gateway_family = (uint8_t) ((const struct rtvia *) data)->rtvia_family;
            memcpy(answer->gateway, ((const struct rtvia *) data)->rtvia_addr,
                   address_len(answer->gateway_family));
            break;
        case RTA_PREFSRC:
            memcpy(answer->source, data, address_len(rtm->rtm_family));
            break;
        default:
            break;
        }
    }
}

static Answer
ask(struct mnl_socket *nl, const Probe *probe)
{
    char buffer[4096];
    struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
    struct rtmsg *rtm;
    Answer answer = {0};
    ssize_t len;

    request->nlmsg_type = RTM_GETROUTE;
    request->nlmsg_flags = NLM_F_REQUEST;
    rtm = mnl_nlmsg_put_extra_header(request, sizeof(*rtm));
    rtm->rtm_family = probe->family;
    rtm->rtm_dst_len = (unsigned char) (8 * address_len(probe->family));
    mnl_attr_put(request, RTA_DST, address_len(probe->family), probe->target);
    if (probe->has_source) {
        rtm->rtm_src_len = rtm->rtm_dst_len;
        mnl_attr_put(request, RTA_SRC, address_len(probe->family), probe->source);
    }
    if (probe->oif)
        mnl_attr_put_u32(request, RTA_OIF, (uint32_t) probe->oif);

    if (mnl_socket_sendto(nl, request, request->nlmsg_len) < 0)
        return (Answer){.error = errno};
    len = mnl_socket_recvfrom(nl, buffer, sizeof(buffer));
    if (len < 0)
        return (Answer){.error = errno};
    if (request->nlmsg_type == NLMSG_ERROR)
        return (Answer){.error = -((struct nlmsgerr *) mnl_nlmsg_get_payload(request))->error};
    read_answer(request, &answer);
    return answer;
}

static socklen_t
fill_sockaddr(struct sockaddr_storage *to, int family, const uint8_t *address, uint16_t port)
{
    memset(to, 0, sizeof(*to));
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *) to;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, address, 4);
        return sizeof(*in);
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) to;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    memcpy(&in6->sin6_addr, address, 16);
    return sizeof(*in6);
}

static Answer
try_connect(const Probe *probe)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof(address);
    Answer answer = {0};
    int fd = socket(probe->family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (probe->has_source) {
        socklen_t n = fill_sockaddr(&address, probe->family, probe->source, 0);
        if (bind(fd, (struct sockaddr *) &address, n) < 0)
            answer.error = errno;
    }
    if (answer.error == 0) {
        socklen_t n = fill_sockaddr(&address, probe->family, probe->target, 9);
        if (connect(fd, (struct sockaddr *) &address, n) < 0)
            answer.error = errno;
    }
    if (answer.error == 0 && getsockname(fd, (struct sockaddr *) &address, &len) == 0) {
        const void *own = probe->family == AF_INET
                              ? (void *) &((struct sockaddr_in *) &address)->sin_addr
                              : (void *) &((struct sockaddr_in6 *) &address)->sin6_addr;
        memcpy(answer.source, own, address_len(probe->family));
    }
    close(fd);
    return answer;
}

/*
 * The kernel looks an IPv6 route up, then reads of which entry it came; if the entry was replaced
 * in between, it answers ENETUNREACH though the look-up went well (inet6_rtm_getroute(): rt->from
 * is NULL). Asked again it answers. connect() has no such step, and is not asked twice.
 */
static Answer
run_probe(struct mnl_socket *nl, const Probe *probe)
{
    Answer answer = probe->way == ASK ? ask(nl, probe) : try_connect(probe);

    if (probe->way == ASK && probe->family == AF_INET6 && answer.error == ENETUNREACH)
        answer = ask(nl, probe);
    return answer;
}

static bool
same_answer(const Answer *a, const Answer *b)
{
    return a->error == b->error && a->type == b->type && a->oif == b->oif
           && a->gateway_family == b->gateway_family
           && memcmp(a->gateway, b->gateway, sizeof(a->gateway)) == 0
           && memcmp(a->source, b->source, sizeof(a->source)) == 0;
}

static void
format_answer(const Probe *probe, const Answer *answer, char *text, size_t size)
{
    char gateway[INET6_ADDRSTRLEN] = "-", source[INET6_ADDRSTRLEN] = "-", device[IF_NAMESIZE] = "-";

    if (answer->error) {
        snprintf(text, size, "%s", strerror(answer->error));
        return;
    }
    inet_ntop(probe->family, answer->source, source, sizeof(source));
    if (answer->gateway_family)
        inet_ntop(answer->gateway_family, answer->gateway, gateway, sizeof(gateway));
    if (answer->oif)
        if_indextoname((unsigned int) answer->oif, device);
    if (probe->way == CONNECT)
        snprintf(text, size, "src %s", source);
    else
        snprintf(text, size, "via %s dev %s src %s", gateway, device, source);
}

static void
note(Probe *probe, const Answer *answer)
{
    for (size_t i = 0; i < probe->n_strange; i++) {
        if (same_answer(&probe->strange[i].answer, answer)) {
            probe->strange[i].n++;
            return;
        }
    }
    if (probe->n_strange < N_STRANGE)
        probe->strange[probe->n_strange++] = (Strange){*answer, i1_now(), 1};
    atomic_store(&probe->noticed, true);
}

static void
sleep_until(double when)
{
    struct timespec until = {(time_t) when, 0};

    until.tv_nsec = (long) ((when - (double) until.tv_sec) * 1e9);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Every worker has probes of its own: number, number + N_WORKERS, ... */
static void *
work(void *data)
{
    Worker *worker = data;
    I1Probes *probes = worker->probes;
    double next = i1_now();
    size_t i = worker->number;

    while (!atomic_load(&probes->stop)) {
        Probe *probe = &probes->probe[i];
        Answer answer = run_probe(worker->socket, probe);

        if (!same_answer(&answer, &probe->first))
            note(probe, &answer);
        atomic_fetch_add(&worker->n, 1);
        i += N_WORKERS;
        if (i >= probes->n)
            i = worker->number;
        next += probes->interval;
        if (next < i1_now() - 0.1) /* the machine is slow: do not catch up in a burst */
            next = i1_now();
        sleep_until(next);
    }
    return NULL;
}

static int
on_link(const struct nlmsghdr *message, void *data)
{
    const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(message);
    Host *host = data;

    if ((ifi->ifi_flags & IFF_UP) && !(ifi->ifi_flags & IFF_LOOPBACK) && host->n_devices < 16)
        host->ifindex[host->n_devices++] = ifi->ifi_index;
    return MNL_CB_OK;
}

static int
on_address(const struct nlmsghdr *message, void *data)
{
    const struct ifaddrmsg *ifa = mnl_nlmsg_get_payload(message);
    const struct nlattr *attr, *local = NULL;
    Host *host = data;

    if (ifa->ifa_scope != RT_SCOPE_UNIVERSE || host->n_own == 32)
        return MNL_CB_OK;
    mnl_attr_for_each(attr, message, sizeof(*ifa))
    {
        int type = mnl_attr_get_type(attr);
        if (type == IFA_LOCAL || (type == IFA_ADDRESS && !local))
            local = attr;
    }
    if (!local)
        return MNL_CB_OK;
    host->own[host->n_own].family = ifa->ifa_family;
    memcpy(host->own[host->n_own++].address, mnl_attr_get_payload(local),
           address_len(ifa->ifa_family));
    return MNL_CB_OK;
}

static void
dump(struct mnl_socket *nl, uint16_t type, mnl_cb_t func, void *data)
{
    char buffer[32768];
    struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
    ssize_t len;

    request->nlmsg_type = type;
    request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request->nlmsg_seq = 1;
    ((struct rtgenmsg *) mnl_nlmsg_put_extra_header(request, sizeof(struct ifinfomsg)))
        ->rtgen_family = AF_UNSPEC;
    mnl_socket_sendto(nl, request, request->nlmsg_len);
    while ((len = mnl_socket_recvfrom(nl, buffer, sizeof(buffer))) > 0) {
        if (mnl_cb_run(buffer, (size_t) len, 1, mnl_socket_get_portid(nl), func, data)
            <= MNL_CB_STOP)
            break;
    }
}

static Probe *
add_probe(I1Probes *probes, Way way, int family, const char *target)
{
    Probe *probe;

    probes->probe = realloc(probes->probe, (probes->n + 1) * sizeof(*probe));
    probe = &probes->probe[probes->n++];
    *probe = (Probe){.way = way, .family = (uint8_t) family};
    inet_pton(family, target, probe->target);
    snprintf(probe->text, sizeof(probe->text), "%s %s", way == ASK ? "route get" : "connect to",
             target);
    return probe;
}

static void
add_sourced(I1Probes *probes, Way way, int family, const char *target, const uint8_t *source)
{
    Probe *probe = add_probe(probes, way, family, target);
    char text[INET6_ADDRSTRLEN];
    size_t len = strlen(probe->text);

    probe->has_source = true;
    memcpy(probe->source, source, sizeof(probe->source));
    inet_ntop(family, source, text, sizeof(text));
    snprintf(probe->text + len, sizeof(probe->text) - len, " from %s", text);
}

static void
add_target(I1Probes *probes, const Host *host, const char *target)
{
    int family = strchr(target, ':') ? AF_INET6 : AF_INET;

    add_probe(probes, ASK, family, target);
    add_probe(probes, CONNECT, family, target);
    for (size_t i = 0; i < host->n_devices; i++) {
        Probe *probe = add_probe(probes, ASK, family, target);
        char name[IF_NAMESIZE] = "?";
        size_t len = strlen(probe->text);

        probe->oif = host->ifindex[i];
        if_indextoname((unsigned int) probe->oif, name);
        snprintf(probe->text + len, sizeof(probe->text) - len, " oif %s", name);
    }
    for (size_t i = 0; i < host->n_own; i++) {
        if (host->own[i].family != family)
            continue;
        add_sourced(probes, ASK, family, target, host->own[i].address);
        add_sourced(probes, CONNECT, family, target, host->own[i].address);
    }
}

/* A world in which the same question gets several answers cannot be judged. */
static bool
settle(I1Probes *probes)
{
    bool steady = true;

    for (size_t i = 0; i < probes->n; i++) {
        Probe *probe = &probes->probe[i];

        probe->first = run_probe(probes->worker[0].socket, probe);
        for (int round = 1; round < N_ROUNDS; round++) {
            Answer answer = run_probe(probes->worker[0].socket, probe);
            char text[2][160];

            if (same_answer(&answer, &probe->first))
                continue;
            format_answer(probe, &probe->first, text[0], sizeof(text[0]));
            format_answer(probe, &answer, text[1], sizeof(text[1]));
            fprintf(stderr, "i1: not steady: %s: %s, then %s\n", probe->text, text[0], text[1]);
            steady = false;
            break;
        }
    }
    return steady;
}

I1Probes *
i1_probes_new(const I1ProbeOptions *options)
{
    I1Probes *probes = calloc(1, sizeof(*probes));
    Host host = {.n_devices = 0};

    probes->start = i1_now();
    probes->interval = (double) N_WORKERS / (options->rate ? options->rate : 1);
    for (size_t i = 0; i < N_WORKERS; i++) {
        probes->worker[i].probes = probes;
        probes->worker[i].number = i;
        probes->worker[i].socket = open_socket();
    }
    dump(probes->worker[0].socket, RTM_GETLINK, on_link, &host);
    dump(probes->worker[0].socket, RTM_GETADDR, on_address, &host);
    for (size_t i = 0; i < options->n_targets; i++)
        add_target(probes, &host, options->targets[i]);
    if (!settle(probes)) {
        i1_probes_free(probes);
        return NULL;
    }
    return probes;
}

void
i1_probes_start(I1Probes *probes)
{
    probes->start = i1_now();
    for (size_t i = 0; i < N_WORKERS && i < probes->n; i++)
        pthread_create(&probes->worker[i].thread, NULL, work, &probes->worker[i]);
}

void
i1_probes_stop(I1Probes *probes)
{
    atomic_store(&probes->stop, true);
    for (size_t i = 0; i < N_WORKERS && i < probes->n; i++)
        pthread_join(probes->worker[i].thread, NULL);
}

void
i1_probes_free(I1Probes *probes)
{
    for (size_t i = 0; i < N_WORKERS; i++)
        mnl_socket_close(probes->worker[i].socket);
    free(probes->probe);
    free(probes);
}

uint64_t
i1_probes_count(const I1Probes *probes)
{
    uint64_t n = 0;

    for (size_t i = 0; i < N_WORKERS; i++)
        n += atomic_load(&probes->worker[i].n);
    return n;
}

void
i1_probes_tell(I1Probes *probes, int fd)
{
    for (size_t i = 0; i < probes->n; i++) {
        Probe *probe = &probes->probe[i];

        if (probe->told || !atomic_load(&probe->noticed))
            continue;
        probe->told = true;
        dprintf(fd, "%s\n", probe->text);
    }
}

size_t
i1_probes_judge(I1Probes *probes, bool moved, void (*report)(const char *text))
{
    size_t n = 0;

    for (size_t i = 0; i < probes->n; i++) {
        Probe *probe = &probes->probe[i];
        Answer today = run_probe(probes->worker[0].socket, probe);

        if (!same_answer(&today, &probe->first))
            note(probe, &today);
        for (size_t j = 0; j < probe->n_strange; j++) {
            Strange *strange = &probe->strange[j];
            char was[160], is[160], text[640];

            if (moved && same_answer(&strange->answer, &today))
                continue;
            format_answer(probe, &probe->first, was, sizeof(was));
            format_answer(probe, &strange->answer, is, sizeof(is));
            snprintf(text, sizeof(text),
                     "%s: was \"%s\", answered \"%s\" %llu times, first at %.1f ms", probe->text,
                     was, is, (unsigned long long) strange->n, (strange->at - probes->start) * 1e3);
            report(text);
            n++;
        }
    }
    return n;
}
