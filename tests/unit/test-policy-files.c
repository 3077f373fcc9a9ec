/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files count, in which order, and which are refused; below a root in a temporary folder. */
#include "temp-root.h"

#include "core/error.h"
#include "core/policy.h"

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ETC "/etc/tcptune-nm/"
#define RUN "/run/tcptune-nm/"
#define LIB "/usr/lib/tcptune-nm/"

static TtPolicy *
load(const char *root)
{
    g_autoptr(GError) error = NULL;
    TtPolicy *policy = tt_policy_load(root, &error);

    assert_no_error(error);
    return policy;
}

/* The message is ROOT + FILE + MESSAGE. */
static void
assert_refused(const char *root, const char *file, const char *message)
{
    g_autofree char *expected = g_strconcat(root, file, message, NULL);
    g_autoptr(GError) error = NULL;

    assert_null(tt_policy_load(root, &error));
    assert_error(error, TT_ERROR_POLICY, expected);
}

static const TtSection *
section(const TtPolicy *policy, guint i)
{
    assert_true(i < policy->sections->len);
    return g_ptr_array_index(policy->sections, i);
}

static guint32
rto_min(const TtPolicy *policy, guint i)
{
    return section(policy, i)->wish[TT_ATTR_RTO_MIN].value.number;
}

static void
assert_files(const TtPolicy *policy, const char *root, const char *const *files)
{
    guint n = g_strv_length((char **) files);

    assert_int_equal(policy->files->len, n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *path = g_strconcat(root, files[i], NULL);

        assert_string_equal(g_ptr_array_index(policy->files, i), path);
    }
}

static void
test_no_file(void **state)
{
    g_autoptr(TtPolicy) policy = load(*state);

    assert_int_equal(policy->files->len, 0);
    assert_int_equal(policy->sections->len, 0);
}

static void
test_first_main_file_counts(void **state)
{
    g_autoptr(TtPolicy) lib = NULL;
    g_autoptr(TtPolicy) run = NULL;
    g_autoptr(TtPolicy) etc = NULL;

    tt_temp_put(*state, LIB "tcptune-nm.conf", "[route]\nrto_min=53\n");
    lib = load(*state);
    assert_int_equal(rto_min(lib, 0), 53);
    tt_temp_put(*state, RUN "tcptune-nm.conf", "[route]\nrto_min=52\n");
    run = load(*state);
    assert_int_equal(rto_min(run, 0), 52);
    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=51\n");
    etc = load(*state);
    assert_int_equal(rto_min(etc, 0), 51);
    assert_files(etc, *state, (const char *const[]){ETC "tcptune-nm.conf", NULL});
}

static void
test_conf_d_order(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;
    const TtSection *plain;

    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50\nmtu=9000\nadvmss=8000\n");
    tt_temp_put(*state, LIB "conf.d/90-lib.conf", "[route]\nrto_min=90\n");
    tt_temp_put(*state, ETC "conf.d/10-etc.conf", "[route]\nrto_min=60\nmtu=1500\n");
    tt_temp_put(*state, RUN "conf.d/50-run.conf", "[route]\nrto_min=70\n");
    policy = load(*state);
    assert_files(policy, *state,
                 (const char *const[]){ETC "tcptune-nm.conf", ETC "conf.d/10-etc.conf",
                                       RUN "conf.d/50-run.conf", LIB "conf.d/90-lib.conf", NULL});
    plain = section(policy, 0);
    assert_int_equal(policy->sections->len, 1);
    assert_int_equal(plain->wish[TT_ATTR_RTO_MIN].value.number, 90);
    assert_int_equal(plain->wish[TT_ATTR_MTU].value.number, 1500);
    assert_int_equal(plain->wish[TT_ATTR_ADVMSS].value.number, 8000);
    assert_true(g_str_has_suffix(plain->wish[TT_ATTR_MTU].origin.file, "10-etc.conf"));
    assert_int_equal(plain->wish[TT_ATTR_MTU].origin.line, 3);
}

static void
test_same_name_hides(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, LIB "conf.d/10-a.conf", "[route-lib]\nrto_min=50\n");
    tt_temp_put(*state, RUN "conf.d/10-a.conf", "[route-run]\nrto_min=50\n");
    tt_temp_put(*state, LIB "conf.d/20-b.conf", "[route-lib]\nrto_min=50\n");
    tt_temp_put(*state, ETC "conf.d/20-b.conf", "");
    tt_temp_put(*state, LIB "conf.d/30-c.conf", "[route-masked]\nrto_min=50\n");
    tt_temp_link(*state, ETC "conf.d/30-c.conf", "/dev/null");
    policy = load(*state);
    assert_files(policy, *state,
                 (const char *const[]){RUN "conf.d/10-a.conf", ETC "conf.d/20-b.conf", NULL});
    assert_int_equal(policy->sections->len, 1);
    assert_string_equal(section(policy, 0)->name, "route-run");
}

static void
test_main_file_masked(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, LIB "tcptune-nm.conf", "[route]\nrto_min=50\n");
    tt_temp_link(*state, ETC "tcptune-nm.conf", "/dev/null");
    policy = load(*state);
    assert_int_equal(policy->files->len, 0);
}

static void
test_only_conf_files(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, ETC "conf.d/a.conf~", "nonsense");
    tt_temp_put(*state, ETC "conf.d/.a.conf", "nonsense");
    tt_temp_put(*state, ETC "conf.d/README", "nonsense");
    tt_temp_put(*state, ETC "other.conf", "nonsense");
    policy = load(*state);
    assert_int_equal(policy->files->len, 0);
}

/* A section that two files have stands where the higher one has it. */
static void
test_section_order(void **state)
{
    static const char *const expected[] = {"route-c", "route-a", "route-d", "route-b", "route"};
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, ETC "tcptune-nm.conf",
                "[route]\nrto_min=50\n[route-a]\nrto_min=60\nfamily=ipv6\n[route-b]\nrto_min=70\n");
    tt_temp_put(*state, ETC "conf.d/10.conf", "[route-d]\nrto_min=90\n");
    tt_temp_put(*state, ETC "conf.d/20.conf",
                "[route-c]\nrto_min=80\n[route]\nmtu=1500\n[route-a]\n"
                "family=ipv4\n");
    policy = load(*state);
    assert_int_equal(policy->sections->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        assert_string_equal(section(policy, i)->name, expected[i]);
    assert_int_equal(rto_min(policy, 1), 60);
    assert_true(g_str_has_suffix(section(policy, 1)->key_origin[TT_KEY_FAMILY].file, "20.conf"));
    assert_int_equal(rto_min(policy, 4), 50);
}

static void
test_host_and_main_merge(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, ETC "tcptune-nm.conf",
                "[main]\nnative=no\nlearned=never\n[host]\ndefault_qdisc=fq\nrto_min=50ms\n");
    tt_temp_put(*state, ETC "conf.d/a.conf",
                "[main]\nnative=yes\n[host]\ndefault_qdisc=fq_codel\n");
    policy = load(*state);
    assert_int_equal(policy->main.native, TT_TRISTATE_YES);
    assert_int_equal(policy->main.learned, TT_LEARNED_NEVER);
    assert_string_equal(policy->host[TT_HOST_DEFAULT_QDISC].text, "fq_codel");
    assert_int_equal(policy->host[TT_HOST_RTO_MIN].number, 50000);
}

/* Checks that need all files: family and mtu come from two. */
static void
test_mtu_across_files(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, ETC "conf.d/a.conf", "[route-a]\nmtu=1200\n");
    assert_refused(*state, ETC "conf.d/a.conf", ":2: [route-a] mtu=1200: the section matches IPv6");
    tt_temp_put(*state, ETC "conf.d/b.conf", "[route-a]\nfamily=ipv4\n");
    policy = load(*state);
    assert_non_null(policy);
}

static void
test_error_anywhere(void **state)
{
    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=500us\n");
    tt_temp_put(*state, ETC "conf.d/a.conf", "[route]\nrto_min=50ms\n");
    assert_refused(*state, ETC "tcptune-nm.conf", ":2: [route] rto_min=500us: the unit");
    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    tt_temp_put(*state, ETC "conf.d/b.conf", "[route]\ninitcwn=20\n");
    assert_refused(*state, ETC "conf.d/b.conf", ":2: [route] initcwn=20: no key of this section");
}

static void
test_writable_file(void **state)
{
    g_autofree char *path = g_strconcat(*state, ETC "tcptune-nm.conf", NULL);

    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    chmod(path, 0664);
    assert_refused(*state, ETC "tcptune-nm.conf", ": writable by group or others (mode 0664)");
    chmod(path, 0646);
    assert_refused(*state, ETC "tcptune-nm.conf", ": writable by group or others (mode 0646)");
    chmod(path, 0444);
    {
        g_autoptr(TtPolicy) policy = load(*state);

        assert_non_null(policy);
    }
}

static void
test_writable_folder(void **state)
{
    g_autofree char *folder = g_strconcat(*state, "/etc/tcptune-nm", NULL);
    g_autofree char *conf_d = g_strconcat(*state, ETC "conf.d", NULL);

    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    chmod(folder, 0777);
    assert_refused(*state, "/etc/tcptune-nm", ": writable by group or others (mode 0777)");
    chmod(folder, 0755);
    tt_temp_put(*state, ETC "conf.d/a.conf", "");
    chmod(conf_d, 0775);
    assert_refused(*state, ETC "conf.d", ": writable by group or others (mode 0775)");
}

/* conf.d in /run counts even where tcptune-nm.conf was found before. */
static void
test_writable_second_folder(void **state)
{
    g_autofree char *folder = g_strconcat(*state, "/run/tcptune-nm", NULL);

    tt_temp_put(*state, ETC "tcptune-nm.conf", "");
    tt_temp_put(*state, RUN "conf.d/a.conf", "");
    chmod(folder, 0777);
    assert_refused(*state, "/run/tcptune-nm", ": writable by group or others (mode 0777)");
}

static void
test_owner(void **state)
{
    g_autofree char *path = tt_temp_place(*state, ETC "tcptune-nm.conf");

    if (geteuid() != 0)
        skip();
    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    assert_int_equal(chown(path, 12345, 0), 0);
    assert_refused(*state, ETC "tcptune-nm.conf", ": owned by uid 12345 and not by root");
}

static void
test_unreadable(void **state)
{
    g_autofree char *path = tt_temp_place(*state, ETC "tcptune-nm.conf");
    g_autoptr(GError) error = NULL;
    uid_t uid = geteuid();

    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    chmod(*state, 0755);
    chmod(path, uid == 0 ? 0600 : 0);
    if (uid == 0)
        assert_int_equal(seteuid(65534), 0);
    assert_null(tt_policy_load(*state, &error));
    if (uid == 0)
        assert_int_equal(seteuid(0), 0);
    assert_error(error, TT_ERROR_POLICY, "tcptune-nm.conf: cannot be opened: ");
}

/* No file descriptor is left: nothing that an administrator could mend in the policy. */
static void
test_trouble_of_the_machine(void **state)
{
    g_autoptr(GError) error = NULL;
    struct rlimit limit, none = {0, 0};

    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route]\nrto_min=50ms\n");
    getrlimit(RLIMIT_NOFILE, &limit);
    none.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &none);
    assert_null(tt_policy_load(*state, &error));
    assert_error(error, TT_ERROR_STATE, "tcptune-nm.conf: cannot be opened: ");
    setrlimit(RLIMIT_NOFILE, &limit);
    {
        g_autoptr(TtPolicy) policy = load(*state);

        assert_non_null(policy);
    }
}

static void
test_unreadable_folder(void **state)
{
    g_autofree char *path = g_strconcat(*state, "/etc", NULL);
    g_autoptr(GError) error = NULL;
    uid_t uid = geteuid();

    tt_temp_put(*state, ETC "conf.d/a.conf", "");
    chmod(*state, 0755);
    chmod(path, uid == 0 ? 0700 : 0);
    if (uid == 0)
        assert_int_equal(seteuid(65534), 0);
    assert_null(tt_policy_load(*state, &error));
    if (uid == 0)
        assert_int_equal(seteuid(0), 0);
    chmod(path, 0755);
    assert_error(error, TT_ERROR_POLICY, "/etc/tcptune-nm: cannot be opened: ");
}

static void
test_unlistable_folder(void **state)
{
    g_autofree char *path = g_strconcat(*state, ETC "conf.d", NULL);
    g_autoptr(GError) error = NULL;
    uid_t uid = geteuid();

    tt_temp_put(*state, ETC "conf.d/a.conf", "");
    chmod(*state, 0755);
    chmod(path, uid == 0 ? 0711 : 0111);
    if (uid == 0)
        assert_int_equal(seteuid(65534), 0);
    assert_null(tt_policy_load(*state, &error));
    if (uid == 0)
        assert_int_equal(seteuid(0), 0);
    chmod(path, 0755);
    assert_error(error, TT_ERROR_POLICY, "/conf.d: ");
}

static void
test_folder_for_file(void **state)
{
    g_autofree char *path = tt_temp_place(*state, ETC "conf.d/a.conf");

    assert_int_equal(g_mkdir(path, 0755), 0);
    assert_refused(*state, ETC "conf.d/a.conf", ": a folder and not a file");
}

static void
test_fifo_for_file(void **state)
{
    g_autofree char *path = tt_temp_place(*state, ETC "tcptune-nm.conf");

    assert_int_equal(mkfifo(path, 0644), 0);
    assert_refused(*state, ETC "tcptune-nm.conf", ": a FIFO and not a file");
}

static void
test_socket_for_file(void **state)
{
    g_autofree char *path = tt_temp_place(*state, ETC "tcptune-nm.conf");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(strlen(path) < sizeof(address.sun_path));
    memcpy(address.sun_path, path, strlen(path));
    assert_int_equal(bind(fd, (const struct sockaddr *) &address, sizeof(address)), 0);
    assert_refused(*state, ETC "tcptune-nm.conf", ": a socket and not a file");
    close(fd);
}

static void
test_device_for_file(void **state)
{
    tt_temp_link(*state, ETC "tcptune-nm.conf", "/dev/zero");
    assert_refused(*state, ETC "tcptune-nm.conf", ": a device and not a file");
}

static void
test_link_to_nowhere(void **state)
{
    tt_temp_put(*state, LIB "conf.d/a.conf", "");
    tt_temp_link(*state, ETC "conf.d/a.conf", "/nowhere/at/all");
    assert_refused(*state, ETC "conf.d/a.conf", ": a link to nowhere");
}

static void
test_link_to_itself(void **state)
{
    tt_temp_link(*state, ETC "tcptune-nm.conf", "tcptune-nm.conf");
    assert_refused(*state, ETC "tcptune-nm.conf", ": cannot be opened: ");
}

static void
test_link_to_file(void **state)
{
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, "/srv/shared", "[route]\nrto_min=50ms\n");
    tt_temp_link(*state, ETC "tcptune-nm.conf", "../../srv/shared");
    policy = load(*state);
    assert_int_equal(rto_min(policy, 0), 50);
}

static void
test_file_for_folder(void **state)
{
    tt_temp_put(*state, ETC "conf.d", "");
    assert_refused(*state, ETC "conf.d", ": not a folder");
}

static void
test_file_for_first_folder(void **state)
{
    tt_temp_put(*state, "/etc/tcptune-nm", "");
    assert_refused(*state, "/etc/tcptune-nm", ": not a folder");
}

static void
test_link_to_no_folder(void **state)
{
    tt_temp_link(*state, ETC "conf.d", "/nowhere/at/all");
    assert_refused(*state, ETC "conf.d", ": a link to nowhere");
}

static void
test_large_file(void **state)
{
    g_autofree char *most = g_strnfill(1024 * 1024, '\n');
    g_autofree char *more = g_strconcat(most, "\n", NULL);
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, ETC "tcptune-nm.conf", most);
    policy = load(*state);
    assert_non_null(policy);
    tt_temp_put(*state, ETC "tcptune-nm.conf", more);
    assert_refused(*state, ETC "tcptune-nm.conf", ": larger than 1 MiB");
}

static void
test_table_names(void **state)
{
    static const struct {
        const char *file;
        const char *text;
    } files[] = {
        {"/etc/iproute2/rt_tables",
         "# names\n\n254 main\n255\tlocal\n100 storage # the SAN\nx y\n"},
        {"/etc/iproute2/rt_tables.d/10-b.conf", "0x101\tbackup\n101 late\n12x wrong\n"},
        {"/etc/iproute2/rt_tables.d/05-a.conf", "102 late\n99999999999 huge\n"},
        {"/etc/iproute2/rt_tables.d/README", "103 readme\n"},
        {"/usr/share/iproute2/rt_tables", "200 storage\n201 vendor\n255 own\n"},
        {"/usr/lib/iproute2/rt_tables", "202 older\n"},
    };
    static const char *const good[] = {"storage", "backup", "late", "vendor", "older"};
    static const char *const bad[] = {"local", "own", "x", "wrong", "huge", "readme", "names"};

    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        tt_temp_put(*state, files[i].file, files[i].text);
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autofree char *text = g_strdup_printf("[route-a]\ntable=%s\nmtu=1500\n", good[i]);
        g_autoptr(TtPolicy) policy = NULL;

        tt_temp_put(*state, ETC "tcptune-nm.conf", text);
        policy = load(*state);
        assert_false(tt_policy_reach(policy).only_main);
    }
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *text = g_strdup_printf("[route-a]\ntable=%s\n", bad[i]);
        g_autofree char *message = g_strdup_printf(":2: [route-a] table=%s: '%s' ", bad[i], bad[i]);

        tt_temp_put(*state, ETC "tcptune-nm.conf", text);
        assert_refused(*state, ETC "tcptune-nm.conf", message);
    }
}

static void
test_rt_tables_is_no_file(void **state)
{
    g_autofree char *path = tt_temp_place(*state, "/etc/iproute2/rt_tables");

    assert_int_equal(mkfifo(path, 0644), 0);
    tt_temp_put(*state, ETC "tcptune-nm.conf", "[route-a]\ntable=storage\n");
    assert_refused(*state, ETC "tcptune-nm.conf", ":2: [route-a] table=storage: 'storage' is no");
}

/* A candidate need not be root's. */
static void
test_load_file(void **state)
{
    g_autofree char *path = tt_temp_place(*state, "/candidate");
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, "/candidate", "[route]\nrto_min=50ms\n");
    chmod(path, 0666);
    policy = tt_policy_load_file(path, NULL);
    assert_non_null(policy);
    assert_int_equal(rto_min(policy, 0), 50);
    assert_string_equal(g_ptr_array_index(policy->files, 0), path);
}

static void
test_load_file_refused(void **state)
{
    g_autofree char *absent = tt_temp_place(*state, "/absent");
    g_autofree char *bad = tt_temp_place(*state, "/bad");
    g_autoptr(GError) error = NULL;

    assert_null(tt_policy_load_file(absent, &error));
    assert_error(error, TT_ERROR_POLICY, "/absent: cannot be opened: ");
    assert_null(tt_policy_load_file(*state, &error));
    assert_error(error, TT_ERROR_POLICY, ": a folder and not a file");
    assert_null(tt_policy_load_file("/dev/null", &error));
    assert_error(error, TT_ERROR_POLICY, "/dev/null: a device and not a file");
    tt_temp_put(*state, "/bad", "[route]\nspeed=9\n");
    assert_null(tt_policy_load_file(bad, &error));
    assert_error(error, TT_ERROR_POLICY, "/bad:2: [route] speed=9: ");
}

static void
test_load_stdin(void **state)
{
    g_autofree char *path = tt_temp_place(*state, "/candidate");
    g_autoptr(TtPolicy) policy = NULL;

    tt_temp_put(*state, "/candidate", "[route]\nrto_min=50ms\n");
    assert_non_null(freopen(path, "r", stdin));
    policy = tt_policy_load_file("-", NULL);
    assert_non_null(policy);
    assert_string_equal(g_ptr_array_index(policy->files, 0), "<stdin>");
}

static void
test_load_stdin_closed(void **state)
{
    g_autoptr(GError) error = NULL;

    close(STDIN_FILENO);
    assert_null(tt_policy_load_file("-", &error));
    assert_error(error, TT_ERROR_POLICY, "<stdin>: cannot be read: ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tt_temp_root_new, tt_temp_root_free)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_file),
        TEST(test_first_main_file_counts),
        TEST(test_conf_d_order),
        TEST(test_same_name_hides),
        TEST(test_main_file_masked),
        TEST(test_only_conf_files),
        TEST(test_section_order),
        TEST(test_host_and_main_merge),
        TEST(test_mtu_across_files),
        TEST(test_error_anywhere),
        TEST(test_writable_file),
        TEST(test_writable_folder),
        TEST(test_writable_second_folder),
        TEST(test_owner),
        TEST(test_unreadable),
        TEST(test_trouble_of_the_machine),
        TEST(test_unreadable_folder),
        TEST(test_unlistable_folder),
        TEST(test_folder_for_file),
        TEST(test_fifo_for_file),
        TEST(test_socket_for_file),
        TEST(test_device_for_file),
        TEST(test_link_to_nowhere),
        TEST(test_link_to_itself),
        TEST(test_link_to_file),
        TEST(test_file_for_folder),
        TEST(test_file_for_first_folder),
        TEST(test_link_to_no_folder),
        TEST(test_large_file),
        TEST(test_table_names),
        TEST(test_rt_tables_is_no_file),
        TEST(test_load_file),
        TEST(test_load_file_refused),
        TEST(test_load_stdin),
        TEST(test_load_stdin_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
