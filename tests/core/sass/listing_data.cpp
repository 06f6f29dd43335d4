// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/sass/listing_data.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "core/sass/instruction.h"

namespace cubinlab::test {
namespace {

int file_of(const std::string& prefix) {
    if (prefix == "R") return static_cast<int>(RegFile::Gpr);
    if (prefix == "P") return static_cast<int>(RegFile::Pred);
    if (prefix == "UR") return static_cast<int>(RegFile::UGpr);
    if (prefix == "UP") return static_cast<int>(RegFile::UPred);
    throw std::runtime_error("listing data: unknown register file " + prefix);
}

// "R24-27x": registers 24 to 27, r read, w written, x both.
std::vector<LifeRange> parse_ranges(const std::string& field) {
    std::map<std::pair<int, int>, LifeRange> by_register;
    std::istringstream words(field);
    for (std::string word; words >> word;) {
        if (word == ".") continue;
        const auto digits = word.find_first_of("0123456789");
        int first = 0, last = 0;
        char kind = 0;
        if (std::sscanf(word.c_str() + digits, "%d-%d%c", &first, &last, &kind) != 3) {
            if (std::sscanf(word.c_str() + digits, "%d%c", &first, &kind) != 2)
                throw std::runtime_error("listing data: bad range " + word);
            last = first;
        }
        const int file = file_of(word.substr(0, digits));
        for (int r = first; r <= last; ++r) {
            LifeRange& range = by_register[{file, r}];
            range.file = file;
            range.reg = r;
            range.read |= kind != 'w';
            range.write |= kind != 'r';
        }
    }
    std::vector<LifeRange> out;
    for (const auto& [key, range] : by_register)
        out.push_back(range);
    return out;
}

ListingFile read_file(const std::filesystem::path& path) {
    ListingFile file;
    file.name = path.filename().string();
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("A ")) {
            file.arch = Arch::parse(line.substr(2)).value();
        } else if (line.starts_with("K ")) {
            file.kernels.push_back({line.substr(2), {}});
        } else if (!line.empty() && line[0] != '#') {
            const auto tab = line.find('\t');
            const auto tab2 = line.find('\t', tab + 1);
            ListedInstruction instruction;
            unsigned long long lo = 0, hi = 0;
            if (tab2 == std::string::npos ||
                std::sscanf(line.c_str(), "%x %llx %llx", &instruction.offset, &lo, &hi) != 3)
                throw std::runtime_error("listing data: bad line " + line);
            instruction.word = {lo, hi};
            instruction.text = line.substr(tab + 1, tab2 - tab - 1);
            const std::string ranges = line.substr(tab2 + 1);
            instruction.has_ranges = ranges != "?";
            if (instruction.has_ranges) instruction.ranges = parse_ranges(ranges);
            file.kernels.back().instructions.push_back(std::move(instruction));
        }
    }
    return file;
}

}  // namespace

const std::vector<ListingFile>& listing_files() {
    static const std::vector<ListingFile> files = [] {
        std::vector<std::filesystem::path> paths;
        for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_TEST_DATA "/sass"))
            if (entry.path().string().ends_with(".listing.txt")) paths.push_back(entry.path());
        std::sort(paths.begin(), paths.end());
        std::vector<ListingFile> out;
        for (const auto& path : paths)
            out.push_back(read_file(path));
        return out;
    }();
    return files;
}

std::string listed_opcode(const std::string& text) {
    std::size_t begin = 0;
    if (text.starts_with("@")) begin = text.find(' ') + 1;
    return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace cubinlab::test
