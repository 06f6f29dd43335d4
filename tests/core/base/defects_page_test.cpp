// SPDX-License-Identifier: GPL-3.0-or-later
// resources/docs/defects.md names a test for every defect of the report: each case named there is in that file, and the
// file is built.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/catch.h"

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = CUBINLAB_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Names as the compiler sees them: a long one is several texts behind each other.
std::set<std::string> cases_in(const std::string& source) {
    static const std::regex start(R"re(TEST_CASE\(\s*)re"), part(R"re(^\s*"((?:[^"\\]|\\.)*)")re");
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(source.begin(), source.end(), start); at != std::sregex_iterator();
         ++at) {
        std::string name, rest = source.substr(static_cast<std::size_t>(at->position() + at->length()), 1000);
        for (std::smatch m; std::regex_search(rest, m, part); rest = m.suffix())
            name += m[1];
        names.insert(name);
    }
    return names;
}

}  // namespace

TEST_CASE("every test that the page of defects names is there and is built") {
    const std::string page = text_of(kRoot / "resources/docs/defects.md");
    static const std::regex named(R"re(`(tests/[a-z_/]+\.cpp)`: "([^"]+)")re");
    std::size_t count = 0;
    for (auto at = std::sregex_iterator(page.begin(), page.end(), named); at != std::sregex_iterator();
         ++at, ++count) {
        const fs::path file = kRoot / std::string((*at)[1]);
        INFO((*at)[1] << ": " << (*at)[2]);
        REQUIRE(fs::exists(file));
        CHECK(cases_in(text_of(file)).contains((*at)[2]));
        CHECK(text_of(file.parent_path() / "CMakeLists.txt").find(file.filename().string()) !=
              std::string::npos);
    }
    CHECK(count > 55);
    // No defect of the report is left out.
    for (const auto& [section, last] : {std::pair{4, 6}, {5, 5}, {6, 10}})
        for (int n = 1; n <= last; ++n) {
            const std::string row = "| " + std::to_string(section) + "." + std::to_string(n) + " | ";
            INFO(row);
            CHECK(page.find(row) != std::string::npos);
        }
    // And no row without a test, but for the two that say why.
    std::size_t rows = 0, without = 0;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < 3 || line[0] != '|' || line[2] < '4' || line[2] > '6') continue;
        ++rows;
        if (!std::regex_search(line, named)) ++without;
    }
    CHECK(rows > 40);
    CHECK(without == 1);
}
