/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exit.h"

#include "core/error.h"

GQuark
tt_usage_error_quark(void)
{
    return g_quark_from_static_string("tt-usage-error-quark");
}

gboolean
tt_usage_error(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (error)
        *error = g_error_new_valist(TT_USAGE_ERROR, 0, format, args);
    va_end(args);
    return FALSE;
}

TtExit
tt_exit_from_error(const GError *error)
{
    if (error && error->domain == TT_USAGE_ERROR)
        return TT_EXIT_USAGE;
    if (g_error_matches(error, TT_ERROR, TT_ERROR_NOT_FOUND))
        return TT_EXIT_NOT_FOUND;
    if (g_error_matches(error, TT_ERROR, TT_ERROR_TIMEOUT))
        return TT_EXIT_TIMEOUT;
    if (g_error_matches(error, TT_ERROR, TT_ERROR_NM_NOT_RUNNING))
        return TT_EXIT_NM_NOT_RUNNING;
    return TT_EXIT_FAILED;
}
