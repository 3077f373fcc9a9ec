/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "native-json.h"

static const char *
state_name(const TtNativeProfile *planned)
{
    if (planned->failure)
        return "failed";
    if (planned->plan->left)
        return "left";
    if (!planned->plan->after)
        return "ok";
    return planned->written ? "written" : "differs";
}

static const char *
why(const TtNativeProfile *planned)
{
    if (planned->failure)
        return planned->failure;
    return planned->plan->left ? planned->plan->left : planned->plan->stale;
}

static void
add_devices(JsonBuilder *json, const TtNmProfile *profile)
{
    tt_json_begin_array(json, "devices");
    for (guint i = 0; i < profile->devices->len; i++)
        tt_json_add_element(json, ((TtNmDevice *) profile->devices->pdata[i])->interface);
    json_builder_end_array(json);
}

/* Those that run with something else than the profile says. */
static void
add_pending(JsonBuilder *json, const TtNative *native, const TtNativeProfile *planned)
{
    tt_json_begin_array(json, "pending_devices");
    for (guint i = 0; i < native->devices->len; i++) {
        const TtNativeDevice *device = native->devices->pdata[i];

        if (device->owner == planned && device->effect != TT_EFFECT_NOW)
            tt_json_add_element(json, device->device->interface);
    }
    json_builder_end_array(json);
}

static void
add_routes(JsonBuilder *json, const GPtrArray *routes)
{
    tt_json_begin_array(json, "routes");
    for (guint i = 0; i < routes->len; i++) {
        const TtProfileRoute *route = routes->pdata[i];

        json_builder_begin_object(json);
        tt_json_add_text(json, "route", route->route);
        tt_json_add_text(json, "family", route->family == AF_INET ? "ipv4" : "ipv6");
        tt_json_add_text(json, "path", route->path == TT_PATH_NATIVE ? "native" : "kernel");
        tt_json_add_text(json, "why", route->why);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

void
tt_native_add_json(JsonBuilder *json, const TtNative *native)
{
    tt_json_begin_array(json, "profiles");
    for (guint i = 0; native && i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];

        json_builder_begin_object(json);
        tt_json_add_text(json, "name", tt_nm_profile_name(planned->profile));
        tt_json_add_text(json, "uuid", nm_connection_get_uuid(planned->profile->connection));
        tt_json_add_text(json, "state", state_name(planned));
        tt_json_add_text(json, "why", why(planned));
        add_devices(json, planned->profile);
        add_pending(json, native, planned);
        add_routes(json, planned->plan->routes);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}
