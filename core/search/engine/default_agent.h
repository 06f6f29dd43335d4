// SPDX-License-Identifier: GPL-3.0-or-later
// The default agent of window and command line. Source: resources/docs/results.md, 45 s on an H200, hot:
// geometric mean 1.0661 over eleven kernels, greedy 1.0502.
#pragma once

namespace cubinlab {

inline constexpr const char* kDefaultAgent = "auto";

// In the log, of a run over starts (core/search/starts).
inline constexpr const char* kStartsAgent = "starts";

}  // namespace cubinlab
