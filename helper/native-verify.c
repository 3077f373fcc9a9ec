/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets go where they went before a Reapply, or it is undone. What NetworkManager does after its
 * reply comes a moment later, and nothing says that it is over: a while without any change does.
 */
#include "native-internal.h"

#include "forwarding.h"
#include "reapply-rule.h"

#define QUIET_MS 200
#define LIMIT_MS 2000
#define LIMIT_INTERRUPTED_MS 15000 /* a router or a server is asked anew */
#define BOTH (TT_INTERRUPT_IPV4 | TT_INTERRUPT_IPV6)

typedef struct {
    TtRtnl *rtnl;
    GHashTable *ifindexes;
    TtForwarding *before;
} Look;

static bool
look_init(Look *look, const GPtrArray *devices, GError **error)
{
    look->rtnl = tt_rtnl_new(error);
    look->ifindexes = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < devices->len; i++) {
        const TtNativeDevice *device = devices->pdata[i];

        g_hash_table_add(look->ifindexes, GINT_TO_POINTER(device->device->ifindex));
    }
    if (!look->rtnl || !tt_rtnl_watch(look->rtnl, error))
        return false;
    look->before = tt_forwarding_load(look->rtnl, look->ifindexes, error);
    return look->before != NULL;
}

static void
look_clear(Look *look)
{
    tt_forwarding_free(look->before);
    g_clear_pointer(&look->ifindexes, g_hash_table_unref);
    tt_rtnl_free(look->rtnl);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Look, look_clear)

/* Of one device: the families that must be as before, or that may be so later. */
static guint
families_of(const TtNativeDevice *device, bool interrupted)
{
    return BOTH & (interrupted ? device->interrupts : ~device->interrupts);
}

/* Notes in each device's `text` what is another way than before. True: nothing is. */
static bool
compare(const Look *look, const GPtrArray *devices, bool interrupted)
{
    g_autoptr(TtForwarding) now = tt_forwarding_load(look->rtnl, look->ifindexes, NULL);
    bool same = true;

    for (guint i = 0; i < devices->len; i++) {
        TtNativeDevice *device = devices->pdata[i];

        if (device->effect != TT_EFFECT_NOW)
            continue;
        g_free(device->text);
        device->text = now ? tt_forwarding_diff(look->before, now, device->device->ifindex,
                                                families_of(device, interrupted))
                           : g_strdup("the kernel's routes cannot be read");
        same &= !device->text;
    }
    return same;
}

static bool
await_same(const Look *look, const GPtrArray *devices, bool interrupted)
{
    gint64 limit_ms = interrupted ? LIMIT_INTERRUPTED_MS : LIMIT_MS;
    gint64 end_us = g_get_monotonic_time() + limit_ms * 1000;
    gint64 left_ms = limit_ms;

    while (left_ms > 0) {
        bool same = compare(look, devices, interrupted);

        if (tt_rtnl_is_quiet(look->rtnl, same ? QUIET_MS : (int) left_ms) && same)
            return true;
        left_ms = (end_us - g_get_monotonic_time()) / 1000;
    }
    return compare(look, devices, interrupted);
}

static void
put_back(TtNative *native, const GPtrArray *devices)
{
    for (guint i = 0; i < devices->len; i++) {
        TtNativeDevice *device = devices->pdata[i];

        if (device->effect != TT_EFFECT_NOW || !device->text)
            continue;
        device->effect = TT_EFFECT_PUT_BACK;
        tt_native_queue_put_back(native, device);
        if (device->owner->written)
            tt_native_restore(native, device->owner);
    }
    tt_nm_bus_run(native->nm->bus);
}

/* What was said to be interrupted comes back when a server or a router says so. */
static void
await_interrupted(const Look *look, const GPtrArray *devices)
{
    guint interrupts = 0;

    for (guint i = 0; i < devices->len; i++)
        interrupts |= ((TtNativeDevice *) devices->pdata[i])->interrupts;
    if (interrupts & BOTH)
        await_same(look, devices, true);
}

bool
tt_native_take_effect(TtNative *native, bool force, GError **error)
{
    g_autoptr(GPtrArray) devices = g_ptr_array_new();
    g_auto(Look) look = {NULL};

    for (guint i = 0; i < native->devices->len; i++) {
        TtNativeDevice *device = native->devices->pdata[i];

        if (force || !device->interrupts)
            g_ptr_array_add(devices, device);
    }
    if (devices->len == 0)
        return true;
    if (!look_init(&look, devices, error))
        return false;
    for (guint i = 0; i < devices->len; i++)
        tt_native_queue_reapply(native, devices->pdata[i], force);
    tt_nm_bus_run(native->nm->bus);
    if (!await_same(&look, devices, false))
        put_back(native, devices);
    await_interrupted(&look, devices);
    return true;
}
