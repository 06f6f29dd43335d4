// SPDX-License-Identifier: GPL-3.0-or-later
// A driver for the lookup table: each function answers with its number, an error that says who was asked. FROM is added,
// for a second driver.
#include "tests/inject/lookup_names.h"

#ifndef FROM
#define FROM 1000
#endif

extern "C" {
#define X(name, number) \
    __attribute__((visibility("default"))) int name() { return FROM + number; }
DRIVER_NAMES(X)
#undef X
}
