/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a command and judges invariant I1 (forwarding never changes) and I2 (only the named
 * metrics do) while it runs: asks the kernel for routes all the time, records every route event,
 * replays the events on a model of the tables, and compares all routes before and after.
 *
 *   i1-checker [--allow-metrics A,B] [--allow-gone ROUTE]... [--to ADDRESS]... [--rate N]
 *              [--linger MS] -- COMMAND [ARGUMENT]...
 *
 * Exit status: 0 all is as before, 1 something changed or the command failed, 2 it could not be
 * judged. --allow-gone: a route whose text begins with ROUTE may go (an orphan).
 *
 * A command that does what is forbidden can wait until it was seen: on its standard input comes a
 * line for each lookup that had another answer, when it had one first.
 */
#include "i1-probe.h"
#include "i1-route.h"

#include <errno.h>
#include <getopt.h>
#include <libmnl/libmnl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ALLOWED 16
#define MAX_COMPLAINTS 40
#define RECEIVE_BYTES (64 << 20)

typedef struct {
    uint32_t metrics; /* bits of those that may change */
    const char *gone[MAX_ALLOWED];
    size_t n_gone;
    const char *targets[MAX_ALLOWED];
    size_t n_targets;
    unsigned int rate;
    unsigned int linger_ms;
    char **command;
} Options;

typedef struct {
    I1Route *route;
    bool deleted;
    uint16_t flags;
    uint32_t pid;
    double at;
} Event;

typedef struct {
    struct mnl_socket *monitor;
    I1List before;
    I1List model;
    I1List after;
    Event *event;
    size_t n_events;
    size_t allocated;
    double start;
} Record;

static Options options = {.rate = 5000};
static size_t n_complaints;

static void
complain(const char *text)
{
    if (n_complaints++ < MAX_COMPLAINTS)
        fprintf(stderr, "i1: %s\n", text);
}

static void __attribute__((format(printf, 1, 2))) complainf(const char *format, ...)
{
    char text[3 * I1_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    complain(text);
}

static void
die(const char *what)
{
    fprintf(stderr, "i1: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- recording ---- */

static int
on_dumped(const struct nlmsghdr *message, void *data)
{
    I1List *list = data;
    I1Route *route = i1_route_parse(message);

    if (route && (route->cloned || route->key.table == RT_TABLE_LOCAL)) {
        i1_route_free(route);
        route = NULL;
    }
    if (route)
        i1_list_insert(list, list->n, route);
    return MNL_CB_OK;
}

static void
dump_family(struct mnl_socket *nl, unsigned char family, I1List *list)
{
    char buffer[65536];
    struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
    int r = MNL_CB_OK;

    request->nlmsg_type = RTM_GETROUTE;
    request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request->nlmsg_seq = family;
    ((struct rtmsg *) mnl_nlmsg_put_extra_header(request, sizeof(struct rtmsg)))->rtm_family =
        family;
    if (mnl_socket_sendto(nl, request, request->nlmsg_len) < 0)
        die("dump");
    while (r > MNL_CB_STOP) {
        ssize_t len = mnl_socket_recvfrom(nl, buffer, sizeof(buffer));

        if (len < 0)
            die("dump");
        r = mnl_cb_run(buffer, (size_t) len, family, mnl_socket_get_portid(nl), on_dumped, list);
    }
}

static void
dump_all(I1List *list)
{
    struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);

    if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
        die("netlink");
    dump_family(nl, AF_INET, list);
    dump_family(nl, AF_INET6, list);
    mnl_socket_close(nl);
}

static struct mnl_socket *
open_monitor(void)
{
    struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
    int size = RECEIVE_BYTES;

    if (!nl || mnl_socket_bind(nl, RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE, MNL_SOCKET_AUTOPID) < 0
        || setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
        die("monitor");
    return nl;
}

static int
on_event(const struct nlmsghdr *message, void *data)
{
    Record *record = data;
    I1Route *route = i1_route_parse(message);

    if (!route)
        return MNL_CB_OK;
    if (route->cloned || route->key.table == RT_TABLE_LOCAL) {
        i1_route_free(route);
        return MNL_CB_OK;
    }
    if (record->n_events == record->allocated) {
        record->allocated = record->allocated ? 2 * record->allocated : 256;
        record->event = realloc(record->event, record->allocated * sizeof(Event));
    }
    record->event[record->n_events++] = (Event){.route = route,
                                                .deleted = message->nlmsg_type == RTM_DELROUTE,
                                                .flags = message->nlmsg_flags,
                                                .pid = message->nlmsg_pid,
                                                .at = i1_now()};
    return MNL_CB_OK;
}

static void
drain(Record *record)
{
    char buffer[65536];
    ssize_t len;

    while ((len = mnl_socket_recvfrom(record->monitor, buffer, sizeof(buffer))) > 0)
        mnl_cb_run(buffer, (size_t) len, 0, 0, on_event, record);
    if (len < 0 && errno != EAGAIN)
        die("events were lost");
}

/* A dump during which nothing happened. */
static void
look_before(Record *record)
{
    for (int i = 0; i < 50; i++) {
        size_t n = record->n_events;

        i1_list_clear(&record->before);
        dump_all(&record->before);
        drain(record);
        if (n == record->n_events) {
            for (size_t j = 0; j < n; j++)
                i1_route_free(record->event[j].route);
            record->n_events = 0;
            i1_list_copy(&record->model, &record->before);
            return;
        }
    }
    fprintf(stderr, "i1: the routes do not come to rest\n");
    exit(2);
}

static pid_t
start_command(int *out_tell_fd)
{
    int fds[2];
    pid_t pid = -1;

    fflush(NULL);
    if (pipe(fds) < 0 || (pid = fork()) < 0)
        die("fork");
    if (pid == 0) {
        dup2(fds[0], STDIN_FILENO);
        close(fds[0]);
        close(fds[1]);
        execvp(options.command[0], options.command);
        fprintf(stderr, "i1: %s: %s\n", options.command[0], strerror(errno));
        _exit(127);
    }
    close(fds[0]);
    signal(SIGPIPE, SIG_IGN);
    *out_tell_fd = fds[1];
    return pid;
}

static int
run_command(Record *record, I1Probes *probes)
{
    struct pollfd poll_fd = {.fd = mnl_socket_get_fd(record->monitor), .events = POLLIN};
    double end = 0;
    int status = 0, tell_fd;
    pid_t pid;

    record->start = i1_now();
    pid = start_command(&tell_fd);
    while (end == 0 || i1_now() < end) {
        poll(&poll_fd, 1, 5);
        drain(record);
        i1_probes_tell(probes, tell_fd);
        if (end == 0 && waitpid(pid, &status, WNOHANG) == pid)
            end = i1_now() + options.linger_ms / 1e3;
    }
    close(tell_fd);
    drain(record);
    return status;
}

/* ---- judging ---- */

static bool
may_go(const I1Route *route)
{
    for (size_t i = 0; i < options.n_gone; i++) {
        size_t len = strlen(options.gone[i]);

        if (strncmp(route->text, options.gone[i], len) == 0
            && (route->text[len] == ' ' || route->text[len] == '\0'))
            return true;
    }
    return false;
}

static const I1Route *
first_of_key(const I1List *list, const I1Key *key, int oif, bool lasting)
{
    for (size_t i = 0; i < list->n; i++) {
        const I1Route *route = list->item[i];

        if (memcmp(&route->key, key, sizeof(*key)) == 0 && (oif == 0 || route->oif == oif)
            && !(lasting && may_go(route)))
            return route;
    }
    return NULL;
}

static const I1Route *
find_identity(const I1List *list, const I1Route *route)
{
    for (size_t i = 0; i < list->n; i++) {
        if (i1_route_same_identity(list->item[i], route))
            return list->item[i];
    }
    return NULL;
}

static const char *
describe(const Record *record, const Event *event, char *text, size_t size)
{
    char metrics[256];

    i1_route_format_metrics(event->route, metrics, sizeof(metrics));
    snprintf(text, size, "event %zu at %.1f ms (%s%s%s, netlink id %u): %s%s",
             (size_t) (event - record->event), (event->at - record->start) * 1e3,
             event->deleted ? "deleted" : "new", event->flags & NLM_F_REPLACE ? " replace" : "",
             event->flags & NLM_F_APPEND ? " append" : "", event->pid, event->route->text, metrics);
    return text;
}

/* The first of a key, of all devices (oif 0) or of one, forwards as it did before. */
static void
judge_first(const Record *record, const I1Key *key, int oif, const char *event)
{
    const I1Route *was = first_of_key(&record->before, key, oif, false);
    const I1Route *lasting = first_of_key(&record->before, key, oif, true);
    const I1Route *is = first_of_key(&record->model, key, oif, false);

    if (!was || (is && i1_route_same_identity(is, was)))
        return;
    if (!is && !lasting)
        return;
    if (is && lasting && i1_route_same_identity(is, lasting))
        return;
    complainf("%sthe first of its key is %s%s%s instead of \"%s\" after %s",
              oif ? "of its device, " : "", is ? "\"" : "",
              is ? is->text : "none: the key is empty,", is ? "\"" : "", was->text, event);
}

static void
judge_step(const Record *record, const Event *event)
{
    const I1Route *route = event->route;
    char text[2 * I1_TEXT_MAX];

    describe(record, event, text, sizeof(text));
    judge_first(record, &route->key, 0, text);
    for (size_t i = 0; i < record->before.n; i++) {
        const I1Route *was = record->before.item[i];

        if (!i1_route_same_key(was, route))
            continue;
        if (was->oif)
            judge_first(record, &route->key, was->oif, text);
        if (!may_go(was) && !find_identity(&record->model, was))
            complainf("\"%s\" is missing after %s", was->text, text);
    }
    if (!event->deleted && !find_identity(&record->before, route))
        complainf("a route that was not there before: %s", text);
}

static size_t
position_of(const I1List *list, const I1Route *route, bool exact)
{
    for (size_t i = 0; i < list->n; i++) {
        if (i1_route_same_identity(list->item[i], route)
            && (!exact || i1_route_same_metrics(list->item[i], route)))
            return i;
    }
    return list->n;
}

static void
replay_delete(Record *record, const Event *event)
{
    I1List *model = &record->model;
    size_t at = position_of(model, event->route, true);
    char text[2 * I1_TEXT_MAX];

    if (at == model->n)
        at = position_of(model, event->route, false);
    if (at < model->n)
        i1_list_remove(model, at);
    else
        complainf("deleted, but not known: %s", describe(record, event, text, sizeof(text)));
    if (event->route->key.family == AF_INET6 && !may_go(event->route))
        complainf("an IPv6 route or hop was deleted: %s",
                  describe(record, event, text, sizeof(text)));
}

/* Where the kernel puts it: fib_table_insert() and fib6_add_rt2node(). */
static void
replay_new(Record *record, const Event *event)
{
    I1List *model = &record->model;
    I1Route *route = i1_route_copy(event->route);
    bool replace = (event->flags & NLM_F_REPLACE) != 0;
    size_t first = model->n, last = model->n;

    if (route->key.family == AF_INET6 && position_of(model, route, false) < model->n) {
        first = position_of(model, route, false);
        replace = true;
    }
    for (size_t i = 0; i < model->n; i++) {
        if (!i1_route_same_key(model->item[i], route))
            continue;
        if (first == model->n)
            first = i;
        last = i;
    }
    if (first == model->n) {
        i1_list_insert(model, model->n, route);
    } else if (replace) {
        i1_list_remove(model, first);
        i1_list_insert(model, first, route);
    } else if (route->key.family == AF_INET6 || (event->flags & NLM_F_APPEND)) {
        i1_list_insert(model, last + 1, route);
    } else {
        i1_list_insert(model, first, route);
    }
}

static void
replay(Record *record)
{
    for (size_t i = 0; i < record->n_events; i++) {
        const Event *event = &record->event[i];

        if (event->deleted)
            replay_delete(record, event);
        else
            replay_new(record, event);
        judge_step(record, event);
    }
}

static void
judge_metrics(const I1Route *was, const I1Route *is)
{
    for (int i = 1; i < I1_METRICS_N; i++) {
        bool locks_differ = ((was->lock ^ is->lock) >> i) & 1;

        if ((options.metrics >> i) & 1)
            continue;
        if (was->metric[i] != is->metric[i] || locks_differ)
            complainf("%s of \"%s\" changed: %u%s -> %u%s", i1_metric_name(i), was->text,
                      was->metric[i], (was->lock >> i) & 1 ? " locked" : "", is->metric[i],
                      (is->lock >> i) & 1 ? " locked" : "");
    }
    if (!((options.metrics >> RTAX_CC_ALGO) & 1) && strcmp(was->congctl, is->congctl) != 0)
        complainf("congctl of \"%s\" changed: %s -> %s", was->text, was->congctl, is->congctl);
}

/* A life time runs on; it neither ends nor begins. */
static void
judge_life(const Record *record, const I1Route *was, const I1Route *is)
{
    double passed = (i1_now() - record->start) * 100;
    double left = was->expires - passed;

    if ((was->expires == 0) != (is->expires == 0))
        complainf("the life time of \"%s\" changed: %u -> %u (1/100 s)", was->text, was->expires,
                  is->expires);
    else if (was->expires && (is->expires < left - 250 || is->expires > left + 250))
        complainf("the life time of \"%s\" is %u instead of %.0f (1/100 s)", was->text, is->expires,
                  left);
}

static void
judge_routes(const Record *record)
{
    for (size_t i = 0; i < record->before.n; i++) {
        const I1Route *was = record->before.item[i];
        const I1Route *is = find_identity(&record->after, was);

        if (find_identity(&record->before, was) != was)
            continue; /* a twin */
        if (is) {
            judge_metrics(was, is);
            judge_life(record, was, is);
        } else if (!may_go(was)) {
            complainf("gone: \"%s\"", was->text);
        }
    }
    for (size_t i = 0; i < record->after.n; i++) {
        const I1Route *is = record->after.item[i];

        if (!find_identity(&record->before, is))
            complainf("not there before: \"%s\"", is->text);
    }
}

/* Of each two routes of a key, the one that stood first still does; twins count once. */
static void
judge_order(const Record *record)
{
    for (size_t i = 0; i < record->before.n; i++) {
        const I1Route *a = record->before.item[i];
        size_t at = position_of(&record->after, a, false);

        if (find_identity(&record->before, a) != a || at == record->after.n)
            continue;
        for (size_t j = i + 1; j < record->before.n; j++) {
            const I1Route *b = record->before.item[j];

            if (i1_route_same_key(a, b) && find_identity(&record->before, b) == b
                && position_of(&record->after, b, false) < at)
                complainf("order: \"%s\" stands before \"%s\" now", b->text, a->text);
        }
    }
}

/* If the events do not lead to what is there, the model, and with it the judgement, is wrong. */
static void
judge_model(const Record *record)
{
    for (size_t i = 0; i < record->after.n; i++) {
        const I1Route *is = record->after.item[i];

        if (position_of(&record->model, is, true) == record->model.n)
            complainf("there, but not by the events: \"%s\"", is->text);
    }
    for (size_t i = 0; i < record->model.n; i++) {
        const I1Route *is = record->model.item[i];

        if (position_of(&record->after, is, true) == record->after.n)
            complainf("by the events, but not there: \"%s\"", is->text);
    }
}

static void
judge_command(int status)
{
    if (WIFSIGNALED(status))
        complainf("%s: killed by signal %d", options.command[0], WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        complainf("%s: exit status %d", options.command[0], WEXITSTATUS(status));
}

/* ---- main ---- */

static bool
parse_metrics(char *list)
{
    char *rest = list;
    char *name;

    while ((name = strsep(&rest, ","))) {
        int metric = i1_metric_from_name(name);

        if (metric == 0) {
            fprintf(stderr, "i1: unknown metric '%s'\n", name);
            return false;
        }
        options.metrics |= 1u << metric;
    }
    return true;
}

static bool
parse_options(int argc, char **argv)
{
    static const struct option longs[] = {{"allow-metrics", required_argument, NULL, 'm'},
                                          {"allow-gone", required_argument, NULL, 'g'},
                                          {"to", required_argument, NULL, 't'},
                                          {"rate", required_argument, NULL, 'r'},
                                          {"linger", required_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "+", longs, NULL)) >= 0) {
        if (c == 'm' && parse_metrics(optarg))
            continue;
        if (c == 'g' && options.n_gone < MAX_ALLOWED)
            options.gone[options.n_gone++] = optarg;
        else if (c == 't' && options.n_targets < MAX_ALLOWED)
            options.targets[options.n_targets++] = optarg;
        else if (c == 'r')
            options.rate = (unsigned int) atoi(optarg);
        else if (c == 'l')
            options.linger_ms = (unsigned int) atoi(optarg);
        else
            return false;
    }
    if (options.n_targets == 0) {
        options.targets[options.n_targets++] = "203.0.113.1";
        options.targets[options.n_targets++] = "2001:db8:ffff::1";
    }
    options.command = argv + optind;
    return optind < argc;
}

static void
free_record(Record *record)
{
    for (size_t i = 0; i < record->n_events; i++)
        i1_route_free(record->event[i].route);
    free(record->event);
    i1_list_clear(&record->before);
    i1_list_clear(&record->model);
    i1_list_clear(&record->after);
    mnl_socket_close(record->monitor);
}

int
main(int argc, char **argv)
{
    Record record = {.n_events = 0};
    I1Probes *probes;
    int status;

    if (!parse_options(argc, argv)) {
        fprintf(stderr, "usage: i1-checker [OPTIONS] -- COMMAND [ARGUMENT]...\n");
        return 2;
    }
    record.monitor = open_monitor();
    probes = i1_probes_new(&(I1ProbeOptions){options.targets, options.n_targets, options.rate});
    if (!probes)
        return 2;
    look_before(&record);
    i1_probes_start(probes);
    status = run_command(&record, probes);
    i1_probes_stop(probes);
    dump_all(&record.after);
    drain(&record);

    judge_command(status);
    replay(&record);
    judge_model(&record);
    judge_routes(&record);
    judge_order(&record);
    i1_probes_judge(probes, options.n_gone > 0, complain);
    fprintf(stderr, "i1: %llu lookups, %zu events, %zu routes: %zu complaints\n",
            (unsigned long long) i1_probes_count(probes), record.n_events, record.before.n,
            n_complaints);
    free_record(&record);
    i1_probes_free(probes);
    return n_complaints ? 1 : 0;
}
