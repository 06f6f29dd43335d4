// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab-worker --selftest FILE.cubin [N]`: tests every function of the worker in one process and
// prints times, to check a new machine.
#pragma once
#include <filesystem>

namespace cubinlab {

int run_selftest(const std::filesystem::path& cubin, int candidates, int device);
// Two files over fresh loads, without client and protocol.
int run_compare(const std::filesystem::path& a, const std::filesystem::path& b, int loads, int device);

}  // namespace cubinlab
