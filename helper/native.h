/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The native path: what NetworkManager's profiles say, what they shall say, and the way from one
 * to the other. native.c looks and plans, native-write.c writes profiles, native-effect.c brings
 * them into force where that interrupts nothing, native-text.c tells.
 */
#pragma once

#include "nm-select.h"
#include "profile.h"

/* A profile that the policy matches, or that carries attributes of ours. */
typedef struct {
    TtNmProfile *profile; /* (borrowed) */
    TtProfilePlan *plan;
    GPtrArray
        *losses; /* char *: what NetworkManager drops when it writes the file; NULL: nothing */
    bool written;
    char *failure; /* why it could not be written */
    guint n_tries;
} TtNativeProfile;

typedef enum {
    TT_EFFECT_LATER,    /* at the next activation; until then the kernel's routes are tuned */
    TT_EFFECT_NOW,      /* it was reapplied */
    TT_EFFECT_FAILED,   /* `text` says why; NetworkManager has what it had before */
    TT_EFFECT_PUT_BACK, /* forwarding was another one, `text` says how: both were put back */
} TtEffect;

/* A device that runs with something else than what the profile shall say. */
typedef struct {
    TtNativeProfile *owner; /* (borrowed) */
    TtNmDevice *device;     /* (borrowed) */
    TtNmProfile *applied;   /* what it runs with, in the shape of a profile (owned) */
    TtProfilePlan *plan;    /* for that */
    bool ipv6_tuned;        /* TtReapplyFacts */
    guint interrupts;       /* TT_INTERRUPT_*: what a reapply would interrupt */
    TtEffect effect;
    char *text;
    guint n_tries;
} TtNativeDevice;

typedef struct {
    const TtPolicy *policy; /* NULL: take everything back */
    TtNm *nm;
    TtFacts *facts; /* links of the active devices */
    TtProfileWeights *weights;
    GPtrArray *profiles; /* TtNativeProfile */
    GPtrArray *devices;  /* TtNativeDevice */
} TtNative;

/* Why profiles cannot be written at all: a daemon, or a libnm, before 1.40. NULL: they can.
 * (transfer full) */
char *tt_native_why_not(const TtNm *nm);

/* Plans for `profiles` (TtNmProfile of `nm`), which are read already. Writes nothing. Takes `nm`.
 * (transfer full) */
TtNative *
tt_native_new(TtNm *nm, const TtPolicy *policy, const GPtrArray *profiles, GError **error);
void tt_native_free(TtNative *native);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtNative, tt_native_free)

/* Is any profile to be written? */
bool tt_native_differs(const TtNative *native);

/* For the engine: what the kernel shall have where attributes of ours are taken back. (transfer
 * container) */
GPtrArray *tt_native_routes(const TtNative *native);

/* Notes for the hook and the monitor which profiles carry a stamp of ours, and which carry it no
 * more. */
void tt_native_note(const TtNative *native, const char *run_dir);

/* Writes profiles, each as far as it goes: what failed says so itself. */
void tt_native_write(TtNative *native);

/* Reads what the devices run with and plans for that. Writes nothing. False: the kernel's routes
 * could not be read. */
bool tt_native_look_at_devices(TtNative *native, GError **error);

/* Reapplies the devices; those for which it would interrupt something only with `force`. In the
 * end packets go where they went before, or what was done is undone. False: nothing was done. */
bool tt_native_take_effect(TtNative *native, bool force, GError **error);
