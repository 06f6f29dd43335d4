// SPDX-License-Identifier: GPL-3.0-or-later
// The layers, held by reading every #include: app -> ui -> core, no Qt in core, LibTorch only in core/agent,
// the CUDA declarations only in core/measure and app/inject. What a folder includes, its library links.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/file.h"
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
        if (extension != ".h" && extension != ".cpp" && extension != ".inc") continue;
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

// "core/sass" of "core/sass/arch.h"; a file of app/ itself: "app".
std::string folder_of(const std::string& path) {
    const std::size_t part = path.find('/');
    return path.substr(0, std::max(part, std::min(path.find('/', part + 1), path.rfind('/'))));
}

// Plain values, no code: the architecture and the 128-bit word, which the cubin reader names, and a Triton entry, from
// which the template of a workload is made.
bool is_shared(const std::string& target) {
    return target == "core/sass/arch.h" || target == "core/sass/word.h" ||
           target == "core/containers/triton_entry.h";
}

struct Libraries {
    std::map<std::string, std::string> folder;          // of a library
    std::map<std::string, std::set<std::string>> libs;  // that a library links

    void read(const std::string& in_folder) {
        static const std::regex library(R"(cubinlab_library\((\w+)([^)]*)\))"), name(R"(cubinlab_\w+)");
        const std::string text = *read_text(fs::path(CUBINLAB_SOURCE_DIR) / in_folder / "CMakeLists.txt");
        for (std::sregex_iterator it(text.begin(), text.end(), library), end; it != end; ++it) {
            folder[(*it)[1]] = in_folder;
            const std::string rest = (*it)[2];
            const std::string linked = rest.substr(std::min(rest.find("LIBS"), rest.size()));
            for (std::sregex_iterator l(linked.begin(), linked.end(), name); l != end; ++l)
                libs[(*it)[1]].insert(l->str());
        }
    }
    void reach(const std::string& library, std::set<std::string>& folders) const {
        if (const auto own = folder.find(library); own != folder.end()) folders.insert(own->second);
        if (const auto linked = libs.find(library); linked != libs.end())
            for (const std::string& l : linked->second)
                reach(l, folders);
    }
    // Those whose code the libraries of a folder bring along, itself among them.
    std::set<std::string> linked_by(const std::string& of) const {
        std::set<std::string> folders;
        for (const auto& [library, in_folder] : folder)
            if (in_folder == of) reach(library, folders);
        return folders;
    }
};

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
    for (const Include& i : includes_under("core")) {
        if (!starts_with(i.target, "core/") || is_shared(i.target)) continue;
        const std::string from = i.file.substr(5, i.file.find('/', 5) - 5);
        const std::string to = i.target.substr(5, i.target.find('/', 5) - 5);
        INFO(i.file << " includes " << i.target);
        REQUIRE(rank.count(from) == 1);
        REQUIRE(rank.count(to) == 1);
        CHECK(rank[to] <= rank[from]);
    }
}

TEST_CASE("inside ui, a room includes only itself and those below it, and only the shell knows the window") {
    const std::vector<std::string> order = {"base",   "document", "run",      "listing",
                                            "graph",  "timeline", "source",   "hand",
                                            "replay", "settings", "sessions", "shell"};
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
        // Neighbours on one floor.
        const std::set<std::string> views = {"listing", "graph", "timeline", "source"};
        if (views.count(from) == 1 && views.count(to) == 1) CHECK(from == to);
    }
}

TEST_CASE("what a folder of core or ui includes, its libraries link") {
    Libraries libraries;
    std::vector<std::string> folders;
    for (const char* layer : {"core", "ui"})
        for (const auto& entry : fs::directory_iterator(fs::path(CUBINLAB_SOURCE_DIR) / layer))
            if (fs::exists(entry.path() / "CMakeLists.txt"))
                folders.push_back(layer + ("/" + entry.path().filename().string()));
    for (const std::string& folder : folders) {
        const std::string build = *read_text(fs::path(CUBINLAB_SOURCE_DIR) / folder / "CMakeLists.txt");
        INFO(folder << " compiles its own sources");
        CHECK(build.find("../") == std::string::npos);
        CHECK(build.find("_SOURCE_DIR}/app") == std::string::npos);
        libraries.read(folder);
    }
    CHECK(libraries.folder.size() >= folders.size() - 1);  // core/agent is a module
    for (const std::string& folder : folders) {
        const std::set<std::string> linked = libraries.linked_by(folder);
        if (linked.empty()) {
            CHECK(folder == "core/agent");
            continue;
        }
        for (const Include& i : includes_under(folder)) {
            if (!starts_with(i.target, "core/") && !starts_with(i.target, "ui/")) continue;
            INFO(i.file << " includes " << i.target);
            CHECK((is_shared(i.target) || linked.count(folder_of(i.target)) == 1));
        }
    }
}

TEST_CASE("of the folders of app, what is injected knows core alone, and no command knows the window") {
    for (const Include& i : includes_under("app")) {
        INFO(i.file << " includes " << i.target);
        const std::string from = folder_of(i.file), to = folder_of(i.target);
        if (from == "app/inject") CHECK((to == from || !(starts_with(to, "app") || starts_with(to, "ui/"))));
        if (from == "app/cli") {
            CHECK_FALSE(starts_with(to, "ui/"));
            CHECK(to != "app/inject");
        }
    }
}
