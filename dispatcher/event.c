/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event.h"

#include <glib.h>
#include <string.h>

static const struct {
    const char *name;
    TtAction action;
    TtPatience patience;
    bool activates;   /* the device follows its profile from now on */
    bool stands_back; /* `revert` brings it about as well */
    bool all_devices; /* the event is not about the device that it names, if it names one */
    bool vpn;
} known_actions[] = {
    {"up", TT_ACTION_LOOK, TT_PATIENCE_IF_CHANGED, .activates = true},
    {"pre-up", TT_ACTION_LOOK, .activates = true},
    {"vpn-up", TT_ACTION_LOOK, TT_PATIENCE_IF_CHANGED, .vpn = true},
    {"vpn-pre-up", TT_ACTION_LOOK, .vpn = true},
    {"dhcp4-change", TT_ACTION_LOOK, TT_PATIENCE_IF_CHANGED},
    {"dhcp6-change", TT_ACTION_LOOK, TT_PATIENCE_IF_CHANGED},
    {"reapply", TT_ACTION_LOOK, TT_PATIENCE_ALWAYS, .activates = true, .stands_back = true},
    {"connectivity-change", TT_ACTION_LOOK, TT_PATIENCE_ALWAYS, .stands_back = true,
     .all_devices = true},
    {"down", TT_ACTION_TIDY},
    {"vpn-down", TT_ACTION_TIDY, .vpn = true},
    {"dns-change", TT_ACTION_DNS, .all_devices = true},
};

const char *
tt_action_name(TtAction action)
{
    static const char *const names[] = {
        [TT_ACTION_NOTHING] = "nothing",
        [TT_ACTION_LOOK] = "look",
        [TT_ACTION_TIDY] = "tidy",
        [TT_ACTION_DNS] = "dns",
    };
    G_STATIC_ASSERT(G_N_ELEMENTS(names) == _TT_ACTION_N);

    return names[action];
}

const char *
tt_patience_name(TtPatience patience)
{
    static const char *const names[] = {
        [TT_PATIENCE_NONE] = "none",
        [TT_PATIENCE_IF_CHANGED] = "if-changed",
        [TT_PATIENCE_ALWAYS] = "always",
    };
    G_STATIC_ASSERT(G_N_ELEMENTS(names) == _TT_PATIENCE_N);

    return names[patience];
}

static const char *
env_get(char *const envp[], const char *name)
{
    size_t len = strlen(name);

    for (; envp && *envp; envp++) {
        if (!strncmp(*envp, name, len) && (*envp)[len] == '=')
            return *envp + len + 1;
    }
    return NULL;
}

/* A VPN without an interface of its own is announced with the name of the device under it, whose
 * profile is another one. */
static bool
env_is_of_device(char *const envp[], const char *ifname, bool vpn)
{
    return !vpn || !g_strcmp0(env_get(envp, "VPN_IP_IFACE"), ifname);
}

void
tt_event_parse(int argc, char *const argv[], char *const envp[], TtEvent *out_event)
{
    *out_event = (TtEvent){.action = TT_ACTION_NOTHING};
    if (argc < 3 || !argv[1] || !argv[2])
        return;

    for (guint i = 0; i < G_N_ELEMENTS(known_actions); i++) {
        if (strcmp(known_actions[i].name, argv[2]) != 0)
            continue;
        out_event->action = known_actions[i].action;
        out_event->patience = known_actions[i].patience;
        out_event->activated = known_actions[i].activates;
        out_event->stands_back = known_actions[i].stands_back;
        if (known_actions[i].all_devices || !argv[1][0] || !strcmp(argv[1], "none"))
            return;
        out_event->ifname = argv[1];
        if (out_event->action != TT_ACTION_LOOK
            || !env_is_of_device(envp, argv[1], known_actions[i].vpn))
            return;
        out_event->id = env_get(envp, "CONNECTION_ID");
        out_event->uuid = out_event->id ? env_get(envp, "CONNECTION_UUID") : NULL;
        if (out_event->uuid)
            out_event->filename = env_get(envp, "CONNECTION_FILENAME");
        else
            out_event->id = NULL;
        return;
    }
}
