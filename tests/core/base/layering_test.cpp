// SPDX-License-Identifier: GPL-3.0-or-later
// The layers, held by reading every #include: app -> ui -> core, no Qt in core, LibTorch only in core/agent,
// the CUDA declarations only in core/measure.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace fs = std::filesystem;

namespace {

struct Include {
    std::string file;    // relative to the root
    std::string target;  // what stands between the quotes or brackets
};

std::vector<Include> includes_under(const std::string& folder) {
    const fs::path root = CUBINLAB_SOURCE_DIR;
    static const std::regex line_form(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<Include> out;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp") continue;
        std::ifstream in(entry.path());
        std::smatch match;
        for (std::string line; std::getline(in, line);)
            if (std::regex_search(line, match, line_form))
                out.push_back({fs::relative(entry.path(), root).string(), match[1]});
    }
    return out;
}

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

}  // namespace

TEST_CASE("core includes no Qt, nothing of ui and nothing of app") {
    static const std::regex qt(R"(^(Q[A-Z]\w+|Qt\w*/.*|Qsci/.*|q[a-z]+\.h)$)");
    for (const Include& i : includes_under("core")) {
        INFO(i.file << " includes " << i.target);
        CHECK_FALSE(std::regex_match(i.target, qt));
        CHECK_FALSE(starts_with(i.target, "ui/"));
        CHECK_FALSE(starts_with(i.target, "app/"));
    }
    for (const Include& i : includes_under("ui")) {
        INFO(i.file << " includes " << i.target);
        CHECK_FALSE(starts_with(i.target, "app/"));
    }
}

TEST_CASE("torch headers stand in core/agent alone, CUDA's in core/measure alone") {
    for (const char* folder : {"core", "ui", "app"})
        for (const Include& i : includes_under(folder)) {
            INFO(i.file << " includes " << i.target);
            if (!starts_with(i.file, "core/agent/")) {
                CHECK_FALSE(starts_with(i.target, "torch/"));
                CHECK_FALSE(starts_with(i.target, "ATen/"));
                CHECK_FALSE(starts_with(i.target, "c10/"));
            }
            if (!starts_with(i.file, "core/measure/") && !starts_with(i.file, "app/inject/"))
                CHECK(i.target != "cuda.h");
        }
}

TEST_CASE("the laboratory uses the program, and nothing of the program uses the laboratory") {
    for (const char* folder : {"core", "ui", "app"})
        for (const Include& i : includes_under(folder)) {
            INFO(i.file << " includes " << i.target);
            if (!starts_with(i.file, "app/lab/")) CHECK_FALSE(starts_with(i.target, "app/lab/"));
        }
    for (const Include& i : includes_under("app/lab")) {
        INFO(i.file << " includes " << i.target);
        CHECK_FALSE(starts_with(i.target, "ui/"));
        CHECK_FALSE(starts_with(i.target, "app/cli/command.h"));
    }
}

TEST_CASE("inside core, a folder includes only itself and those below it") {
    const std::vector<std::string> order = {"base",     "cubin",  "containers", "sass",   "schedule",
                                            "analysis", "run",    "model",      "search", "measure",
                                            "store",    "claims", "jobs",       "agent"};
    std::map<std::string, std::size_t> rank;
    for (std::size_t i = 0; i < order.size(); ++i)
        rank[order[i]] = i;
    // Plain value types of sass that the cubin reader names: the architecture and the 128-bit word. The
    // disassembler turns a cubin into text and is built with the cubin reader.
    const std::vector<std::string> shared = {"core/sass/arch.h", "core/sass/word.h"};
    for (const Include& i : includes_under("core")) {
        if (!starts_with(i.target, "core/") ||
            std::find(shared.begin(), shared.end(), i.target) != shared.end())
            continue;
        const std::string from = i.file.substr(5, i.file.find('/', 5) - 5);
        const std::string to = i.target.substr(5, i.target.find('/', 5) - 5);
        INFO(i.file << " includes " << i.target);
        REQUIRE(rank.count(from) == 1);
        REQUIRE(rank.count(to) == 1);
        CHECK(rank[to] <= rank[from]);
    }
}

TEST_CASE("inside ui, a room includes only itself and those below it, and only the shell knows the window") {
    const std::vector<std::string> order = {"base", "document", "run",      "listing",  "graph", "timeline",
                                            "source", "hand", "replay", "settings", "sessions", "shell"};
    std::map<std::string, std::size_t> rank;
    for (std::size_t i = 0; i < order.size(); ++i)
        rank[order[i]] = i;
    for (const Include& i : includes_under("ui")) {
        INFO(i.file << " includes " << i.target);
        const std::string from = i.file.substr(3, i.file.find('/', 3) - 3);
        REQUIRE(rank.count(from) == 1);
        if (from != "shell") CHECK(i.target != "ui/shell/main_window.h");
        if (!starts_with(i.target, "ui/")) continue;
        const std::string to = i.target.substr(3, i.target.find('/', 3) - 3);
        REQUIRE(rank.count(to) == 1);
        CHECK(rank[to] <= rank[from]);
    }
}
