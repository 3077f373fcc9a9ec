/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault WHAT N LIST COMMAND...: runs a command, and at its Nth system call (those of the loader
 * do not count) kills it (WHAT is "kill"), sends it SIGINT ("interrupt") or lets the call fail (an
 * errno's name). The kernel asks
 * us at every call (seccomp_unotify(2)), which costs some microseconds. N 0: nothing happens.
 *
 * To LIST, a file, goes one line for each call: its number, its name, and what may be tried at it.
 *
 * SIGUSR1: calls count from now on, and only then. SIGTERM, SIGHUP: the same, and the command gets
 * the signal. With TT_FAULT_HURRY=1, a poll(2) with a limit of time ends at once, with nothing.
 * With TT_FAULT_ALONE=1, every call of processes that the killed one has left behind fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINK_FD 900 /* over which the child hands us its listener */

typedef struct {
    pid_t pid;
    int listener;
    FILE *list;
    const char *what;
    int error;  /* of the call that fails; 0: none, a signal comes */
    int signal; /* SIGKILL: and the call is never made */
    unsigned at;
    unsigned n;
    bool hurry;
    bool alone;
    bool struck;
    uint64_t loader_begin;
    uint64_t loader_end;
} Fault;

static volatile sig_atomic_t counting = 1;
static volatile pid_t child_pid;

static const struct {
    const char *name;
    int number;
    int signal;
} errors[] = {
    {"kill", 0, SIGKILL},    {"interrupt", 0, SIGINT}, {"EIO", EIO, 0},     {"ENOSPC", ENOSPC, 0},
    {"ENOBUFS", ENOBUFS, 0}, {"EINTR", EINTR, 0},      {"EPERM", EPERM, 0},
};

/* What may be tried at a call. At one that is not here: everything. */
static const struct {
    int nr;
    const char *name;
    const char *faults;
} calls[] = {
#define FILE_FAULTS "kill EIO ENOSPC EINTR EPERM"
#define NET_FAULTS "kill EIO ENOBUFS EINTR EPERM"
    {__NR_openat, "openat", FILE_FAULTS},
    {__NR_read, "read", "kill EIO EINTR"},
    {__NR_write, "write", "kill EIO ENOSPC EINTR"},
    {__NR_close, "close", "kill EIO EINTR"},
    {__NR_fsync, "fsync", "kill EIO ENOSPC"},
    {__NR_flock, "flock", "kill EIO EINTR"},
    {__NR_fchmod, "fchmod", "kill EIO EPERM"},
    {__NR_socket, "socket", "kill ENOBUFS EPERM"},
    {__NR_bind, "bind", "kill ENOBUFS EPERM"},
    {__NR_getsockname, "getsockname", "kill ENOBUFS"},
    {__NR_setsockopt, "setsockopt", "kill ENOBUFS EPERM"},
    {__NR_sendto, "sendto", NET_FAULTS},
    {__NR_sendmsg, "sendmsg", NET_FAULTS},
    {__NR_recvfrom, "recvfrom", NET_FAULTS},
    {__NR_recvmsg, "recvmsg", NET_FAULTS},
    {__NR_ioctl, "ioctl", "kill EIO EPERM"},
    {__NR_ppoll, "ppoll", "kill EINTR"},
#ifdef __NR_poll
    {__NR_poll, "poll", "kill EINTR"},
    {__NR_rename, "rename", "kill EIO ENOSPC EPERM"},
    {__NR_unlink, "unlink", "kill EIO EPERM"},
    {__NR_mkdir, "mkdir", "kill EIO ENOSPC EPERM"},
    {__NR_access, "access", "kill EIO EPERM"},
    {__NR_readlink, "readlink", "kill EIO EPERM"},
#endif
    {__NR_newfstatat, "newfstatat", "kill EIO EPERM"},
    {__NR_fstat, "fstat", "kill EIO EPERM"},
    {__NR_getdents64, "getdents64", "kill EIO"},
    {__NR_inotify_init1, "inotify_init1", "kill ENOSPC EPERM"},
    {__NR_inotify_add_watch, "inotify_add_watch", "kill ENOSPC EPERM"},
    {__NR_eventfd2, "eventfd2", "kill"},
    /* Those that cannot fail, and those without which there is no program. */
    {__NR_exit_group, "exit_group", "kill"},
    {__NR_exit, "exit", "kill"},
    {__NR_execve, "execve", "kill"},
    {__NR_rt_sigreturn, "rt_sigreturn", "kill"},
    {__NR_rt_sigaction, "rt_sigaction", "kill"},
    {__NR_rt_sigprocmask, "rt_sigprocmask", "kill"},
    {__NR_setitimer, "setitimer", "kill"},
    {__NR_brk, "brk", "kill"},
    {__NR_mmap, "mmap", "kill"},
    {__NR_munmap, "munmap", "kill"},
    {__NR_mprotect, "mprotect", "kill"},
    {__NR_madvise, "madvise", "kill"},
    {__NR_mremap, "mremap", "kill"},
    {__NR_futex, "futex", "kill"},
    {__NR_getrandom, "getrandom", "kill"},
    {__NR_geteuid, "geteuid", "kill"},
    {__NR_getuid, "getuid", "kill"},
    {__NR_getpid, "getpid", "kill"},
    {__NR_gettid, "gettid", "kill"},
    {__NR_clone, "clone", "kill"},
#ifdef __NR_clone3
    {__NR_clone3, "clone3", "kill"},
#endif
    {__NR_rseq, "rseq", "kill"},
    {__NR_set_robust_list, "set_robust_list", "kill"},
    {__NR_sched_yield, "sched_yield", "kill"},
    {__NR_clock_nanosleep, "clock_nanosleep", "kill"},
};

static void
die(const char *what)
{
    perror(what);
    exit(125);
}

/*
 * The child: from here on the kernel asks the parent.
 */

static int
install_filter(void)
{
    struct sock_filter code[] = {
        /* All but the message that carries the listener itself. */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_sendmsg, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LINK_FD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};

    return (int) syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                         &program);
}

typedef union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
} Control;

static void
run_child(char **argv, int link_fd)
{
    Control control = {{0}};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int listener;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup3(link_fd, LINK_FD, O_CLOEXEC) < 0 || (listener = install_filter()) < 0)
        die("seccomp");
    *header = (struct cmsghdr){CMSG_LEN(sizeof listener), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
    sendmsg(LINK_FD, &message, 0);
    execvp(argv[0], argv);
    _exit(127);
}

static int
take_listener(int link_fd)
{
    Control control = {{0}};
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    int listener;

    if (recvmsg(link_fd, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
        die("listener");
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

/*
 * The parent.
 */

/* The first call behind execve is the loader's: the mapping that it comes from is the loader. */
static void
find_loader(Fault *fault, pid_t pid, uint64_t address)
{
    char path[64], line[512];
    unsigned long begin, end;
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", (int) pid);
    maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && address >= begin && address < end) {
            fault->loader_begin = begin;
            fault->loader_end = end;
        }
    }
    if (maps)
        fclose(maps);
}

static bool
counts(Fault *fault, const struct seccomp_notif *call)
{
    uint64_t address = call->data.instruction_pointer;

    if ((pid_t) call->pid != fault->pid) /* other threads are not ours, and come as they like */
        return false;
    if (call->data.nr == __NR_execve) {
        fault->loader_end = 0;
        return false;
    }
    if (!fault->loader_end)
        find_loader(fault, (pid_t) call->pid, address);
    return counting && !(address >= fault->loader_begin && address < fault->loader_end);
}

static void
note(const Fault *fault, int nr)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].nr == nr) {
            fprintf(fault->list, "%u %s %s\n", fault->n, calls[i].name, calls[i].faults);
            return;
        }
    }
    fprintf(fault->list, "%u call-%d kill EIO EPERM\n", fault->n, nr);
}

static bool
is_wait(const struct seccomp_data *call)
{
#ifdef __NR_poll
    if (call->nr == __NR_poll)
        return (int) call->args[2] > 0;
#endif
    return call->nr == __NR_ppoll && call->args[2] != 0;
}

static bool
is_left_behind(const Fault *fault, const struct seccomp_notif *call)
{
    return fault->struck && fault->alone && (pid_t) call->pid != fault->pid
           && call->data.nr != __NR_exit_group;
}

static bool
can_fail_so(const Fault *fault, int nr)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].nr == nr)
            return strstr(calls[i].faults, fault->what) != NULL;
    }
    return true;
}

/* The Nth call. It may be another one than in the run before: an exit_group() that fails never
 * ends. */
static void
strike(Fault *fault, int nr, struct seccomp_notif_resp *response)
{
    fault->struck = true;
    if (fault->error && can_fail_so(fault, nr)) {
        response->error = -fault->error;
        return;
    }
    if (fault->error) {
        response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        return;
    }
    kill(fault->pid, fault->signal);
    if (fault->signal != SIGKILL)
        response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
}

static void
answer(Fault *fault)
{
    struct seccomp_notif call = {0};
    struct seccomp_notif_resp response = {0};
    bool counted;

    if (ioctl(fault->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
        return;
    response.id = call.id;
    counted = counts(fault, &call);
    if (counted) {
        fault->n++;
        note(fault, call.data.nr);
    }
    if (counted && fault->n == fault->at)
        fprintf(stderr, "fault: call %d\n", call.data.nr);
    if (counted && fault->n == fault->at)
        strike(fault, call.data.nr, &response);
    else if (is_left_behind(fault, &call))
        response.error = -EPERM;
    else if (!fault->hurry || !is_wait(&call.data))
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(fault->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static int
serve(Fault *fault)
{
    struct pollfd poll_fd = {.fd = fault->listener, .events = POLLIN};
    int status;

    for (;;) {
        if (poll(&poll_fd, 1, 100) > 0 && (poll_fd.revents & POLLIN))
            answer(fault);
        else if (waitpid(fault->pid, &status, WNOHANG) == fault->pid)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

static void
on_signal(int number)
{
    counting = 1;
    if (number != SIGUSR1)
        kill(child_pid, number);
}

static void
take_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    static const int numbers[] = {SIGUSR1, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

static bool
parse(char **argv, Fault *fault)
{
    fault->at = (unsigned) atoi(argv[2]);
    fault->list = fopen(argv[3], "we");
    fault->hurry = getenv("TT_FAULT_HURRY") != NULL;
    fault->alone = getenv("TT_FAULT_ALONE") != NULL;
    counting = getenv("TT_FAULT_LATER") == NULL;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (strcmp(argv[1], errors[i].name) != 0)
            continue;
        fault->what = argv[1];
        fault->error = errors[i].number;
        fault->signal = errors[i].signal;
        return fault->list;
    }
    return false;
}

int
main(int argc, char **argv)
{
    Fault fault = {0};
    int link_fds[2], status;

    if (argc < 5 || !parse(argv, &fault))
        return 125;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link_fds) < 0)
        die("socketpair");
    fault.pid = child_pid = fork();
    if (fault.pid == 0)
        run_child(argv + 4, link_fds[1]);
    close(link_fds[1]);
    take_signals();
    fault.listener = take_listener(link_fds[0]);
    status = serve(&fault);
    fclose(fault.list);
    return status;
}
