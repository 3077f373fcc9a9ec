/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "error.h"

G_DEFINE_QUARK(tt - error - quark, tt_error)
