/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-bus.h"

#include "core/error.h"

#include <string.h>

#define NM_NAME "org.freedesktop.NetworkManager"
#define MAX_IN_FLIGHT 32
#define TIMEOUT_MS 25000

struct TtNmBus {
    GDBusConnection *connection;
    char *owner; /* of the name: a daemon that is started meanwhile is another one */
    GQueue waiting;
    guint n_in_flight;
};

typedef struct {
    TtNmBus *bus;
    char *path;
    const char *interface;
    const char *method;
    GVariant *arguments;
    int timeout_ms;
    TtNmReplyFunc func;
    gpointer data;
} Call;

static void
call_free(Call *call)
{
    g_free(call->path);
    if (call->arguments)
        g_variant_unref(call->arguments);
    g_free(call);
}

static bool
find_owner(TtNmBus *bus, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
        bus->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "GetNameOwner", g_variant_new("(s)", NM_NAME), G_VARIANT_TYPE("(s)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, &failure);

    if (reply) {
        g_variant_get(reply, "(s)", &bus->owner);
        return true;
    }
    g_set_error(error, TT_ERROR, TT_ERROR_NM_NOT_RUNNING, "NetworkManager is not running.");
    return false;
}

TtNmBus *
tt_nm_bus_new(GError **error)
{
    g_autoptr(TtNmBus) bus = g_new0(TtNmBus, 1);
    g_autoptr(GError) failure = NULL;

    bus->connection = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, &failure);
    if (!bus->connection) {
        g_set_error(error, TT_ERROR, TT_ERROR_NM_NOT_RUNNING,
                    "NetworkManager is not running: there is no system bus.");
        return NULL;
    }
    /* A lost bus must not end the program midway. */
    g_dbus_connection_set_exit_on_close(bus->connection, FALSE);
    g_queue_init(&bus->waiting);
    return find_owner(bus, error) ? g_steal_pointer(&bus) : NULL;
}

void
tt_nm_bus_free(TtNmBus *bus)
{
    Call *call;

    if (!bus)
        return;
    while ((call = g_queue_pop_head(&bus->waiting)))
        call_free(call);
    g_clear_object(&bus->connection);
    g_free(bus->owner);
    g_free(bus);
}

static void
take_reply(GObject *source, GAsyncResult *result, gpointer data)
{
    Call *call = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply =
        g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);

    call->bus->n_in_flight--;
    call->func(reply, error, call->data);
    call_free(call);
}

static void
send_call(TtNmBus *bus, Call *call)
{
    bus->n_in_flight++;
    g_dbus_connection_call(bus->connection, bus->owner, call->path, call->interface, call->method,
                           call->arguments, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, call->timeout_ms,
                           NULL, take_reply, call);
}

void
tt_nm_bus_queue(TtNmBus *bus, const TtNmCall *call, bool first, TtNmReplyFunc func, gpointer data)
{
    Call *copy = g_new0(Call, 1);

    copy->bus = bus;
    copy->path = g_strdup(call->path);
    copy->interface = call->interface;
    copy->method = call->method;
    copy->arguments = call->arguments ? g_variant_ref_sink(call->arguments) : NULL;
    copy->timeout_ms = call->timeout_ms ? call->timeout_ms : TIMEOUT_MS;
    copy->func = func;
    copy->data = data;
    if (first)
        g_queue_push_head(&bus->waiting, copy);
    else
        g_queue_push_tail(&bus->waiting, copy);
}

void
tt_nm_bus_run(TtNmBus *bus)
{
    while (bus->n_in_flight > 0 || !g_queue_is_empty(&bus->waiting)) {
        while (bus->n_in_flight < MAX_IN_FLIGHT && !g_queue_is_empty(&bus->waiting))
            send_call(bus, g_queue_pop_head(&bus->waiting));
        g_main_context_iteration(NULL, TRUE);
    }
}

GVariant *
tt_nm_bus_call(TtNmBus *bus, const TtNmCall *call, GError **error)
{
    return g_dbus_connection_call_sync(
        bus->connection, bus->owner, call->path, call->interface, call->method, call->arguments,
        NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, call->timeout_ms ? call->timeout_ms : TIMEOUT_MS,
        NULL, error);
}

bool
tt_nm_bus_is_gone(const GError *error)
{
    return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)
           || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
           || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
           || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED)
           || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

bool
tt_nm_bus_is_refusal(const GError *error, const char *name)
{
    g_autofree char *remote = error ? g_dbus_error_get_remote_error(error) : NULL;
    const char *last = remote ? strrchr(remote, '.') : NULL;

    return last && g_str_equal(last + 1, name);
}

char *
tt_nm_bus_error_text(const GError *error)
{
    g_autoptr(GError) copy = g_error_copy(error);

    g_dbus_error_strip_remote_error(copy);
    return g_strdup(copy->message);
}
