// SPDX-License-Identifier: GPL-3.0-or-later
// The agent that window and command line take where none is asked for.
// Source: resources/docs/results.md, 45 s on an H200, hot: geometric mean 1.0661 of eleven kernels, greedy 1.0502.
#pragma once

namespace cubinlab {

inline constexpr const char* kDefaultAgent = "auto";

}  // namespace cubinlab
