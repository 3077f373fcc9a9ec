/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "error.h"

GQuark
tt_error_quark(void)
{
    return g_quark_from_static_string("tt-error-quark");
}
