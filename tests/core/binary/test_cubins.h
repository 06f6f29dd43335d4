// SPDX-License-Identifier: GPL-3.0-or-later
// The cubins that tests run over: all samples and all files of tests/data/cubins.
#pragma once
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/binary/cubin.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline std::filesystem::path sample(const std::string& name) {
    return std::filesystem::path(CUBINLAB_SAMPLES) / (name + ".cubin");
}
inline std::filesystem::path data(const std::string& name) {
    return std::filesystem::path(CUBINLAB_TEST_DATA) / "cubins" / (name + ".cubin");
}

inline std::vector<std::filesystem::path> all_cubins() {
    std::vector<std::filesystem::path> out;
    for (const char* folder :
         {CUBINLAB_SAMPLES, CUBINLAB_SAMPLES "/hillclimbed", CUBINLAB_TEST_DATA "/cubins"})
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".cubin") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

inline std::shared_ptr<const Cubin> open_cubin(const std::filesystem::path& path) {
    auto cubin = Cubin::open(path);
    INFO(path.string());
    if (!cubin) FAIL(cubin.error().message());
    return *cubin;
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    auto bytes = required(read_file(path));
    return *bytes;
}

}  // namespace cubinlab::test
