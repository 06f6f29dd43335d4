// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of an order, without the code that constructs orders: it splits both texts itself and compares them.
#pragma once
#include <string_view>

#include "core/base/result.h"

namespace cubinlab::ptx {

// Whether `changed` is `original` with units moved inside basic blocks such that every unit finds each register and each
// memory space after the same writes. Comments, white space and .loc lines do not count.
// Errors: BadInput (a text that is no PTX), Refused (with the line of `changed` and what moved across what).
Status check_order(std::string_view original, std::string_view changed);

}  // namespace cubinlab::ptx
