// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ptx/ptx_corpus.h"

#include <algorithm>
#include <filesystem>

#include "core/base/file.h"
#include "tests/support/catch.h"

namespace ptx_corpus {

std::vector<File> in(const std::string& folder) {
    std::vector<File> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".ptx")
            files.push_back({entry.path().string(), *required(cubinlab::read_text(entry.path()))});
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
    return files;
}

std::vector<File> all() {
    std::vector<File> files = in(CUBINLAB_TEST_DATA "/ptx");
    REQUIRE(files.size() >= 4);
    for (File& sample : in(CUBINLAB_SAMPLES))
        files.push_back(std::move(sample));
    return files;
}

std::vector<double> random_keys(const cubinlab::ptx::Order& order, std::mt19937_64& random, double far) {
    std::vector<double> keys = order.identity();
    std::normal_distribution<double> shift(0, far);
    for (double& key : keys)
        key += shift(random);
    return keys;
}

}  // namespace ptx_corpus
