// SPDX-License-Identifier: GPL-3.0-or-later
// The real bench worker on a stand-in driver (tests/fakes/fake_cuda.cpp, which says what a module may ask
// for): modules, the workload they fit, and the command that starts the worker.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/protocol/protocol.h"

namespace cubinlab::test {

// "20 wrong": 20 virtual microseconds a launch, and one output byte is wrong.
inline std::vector<std::byte> module_of(const std::string& what) {
    std::string text = "fake us=" + what;
    text.resize(64, ' ');
    text.back() = '\0';
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// As a candidate for a worker that was prepared with `base`.
inline WireImage image_of(const std::string& what, const std::string& base = "20") {
    return difference(module_of(base), module_of(what));
}

// `more`: fields of the document in front of the parameters, each with its comma.
inline std::string workload_of(const std::string& more = R"("grid": [1], "check": "bitwise", )") {
    return R"({"kernel": "k", "block": [128], )" + more + R"("params": [
  {"buffer": {"dtype": "u8", "shape": [5003], "output": true}},
  {"buffer": {"dtype": "u8", "shape": [5003], "init": {"integers": {"low": 0, "high": 255}}}},
  {"scalar": {"type": "i32", "value": 5003}}]})";
}

// `environment`: assignments, separated by blanks.
inline std::string fake_driver_command(const std::string& environment = "") {
    return "env " + environment + " LD_LIBRARY_PATH=" CUBINLAB_BINARY_DIR "/tests/fake_driver " +
           CUBINLAB_BINARY_DIR "/bin/cubinlab-bench-worker";
}

}  // namespace cubinlab::test
