// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target over the files of a folder, and over a few thousand damaged copies of them: what was
// found once stays found, without clang. usage: fuzz_X FOLDER [DAMAGED]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

namespace {

using Input = std::vector<std::uint8_t>;

Input damaged(Input input, std::mt19937_64& random) {
    static constexpr std::uint64_t kValues[] = {0, 1, 0x7f, 0xff, 0x7fffffff, 0xffffffff, ~0ull, 1ull << 63};
    for (std::uint64_t n = 1 + random() % 4; n > 0 && !input.empty(); --n) {
        const std::size_t where = random() % input.size();
        const std::uint64_t value = random() % 2 ? kValues[random() % std::size(kValues)] : random();
        const std::size_t width = std::min(std::size_t{1} << random() % 4, input.size() - where);
        std::memcpy(input.data() + where, &value, width);
    }
    if (random() % 8 == 0) input.resize(random() % (input.size() + 1));
    return input;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: fuzz_X FOLDER [DAMAGED]\n", stderr);
        return 2;
    }
    const int copies = argc > 2 ? std::atoi(argv[2]) : 2000;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::mt19937_64 random(20261122);
    std::size_t runs = 0;
    double longest = 0;
    std::vector<Input> small;
    const auto run = [&](const Input& input) {
        const auto begin = std::chrono::steady_clock::now();
        LLVMFuzzerTestOneInput(input.data(), input.size());
        longest = std::max(longest,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        ++runs;
    };
    run({});
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        const Input input{std::istreambuf_iterator<char>(in), {}};
        std::printf("%s\n", file.filename().c_str());
        std::fflush(stdout);
        run(input);
        if (input.size() < 256 << 10) small.push_back(input);
    }
    for (int i = 0; i < copies && !small.empty(); ++i)
        run(damaged(small[random() % small.size()], random));
    std::printf("%zu inputs of %zu files, the longest %.3f s\n", runs, files.size(), longest);
    return files.empty() ? 1 : 0;
}
