/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every unit test needs: cmocka's includes in the order that it wants, and assertions. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glib.h>
#include <string.h>

#define assert_no_error(error)                                                                     \
    do {                                                                                           \
        if (error)                                                                                 \
            fail_msg("unexpected error: %s", (error)->message);                                    \
    } while (0)

/* The error is of our domain and code, and its message has `text` in it. Clears it. */
#define assert_error(error, error_code, text)                                                      \
    do {                                                                                           \
        assert_non_null(error);                                                                    \
        if (!strstr((error)->message, (text)))                                                     \
            fail_msg("expected \"%s\" in: %s", (text), (error)->message);                          \
        assert_int_equal((error)->code, (error_code));                                             \
        g_clear_error(&(error));                                                                   \
    } while (0)
