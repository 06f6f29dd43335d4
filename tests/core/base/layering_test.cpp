// SPDX-License-Identifier: GPL-3.0-or-later
// The layers, checked in the sources: app -> ui -> core, no Qt in core, LibTorch only in core/agent, the CUDA declarations
// only in core/gpu/worker and app/inject. A folder includes and forward-declares only what lies below it, its library links
// what it includes, and a class is defined in the library that declares it.
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
using cubinlab::read_text;

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

// The folder that builds a file: the deepest one on its path with a CMakeLists.txt; else the first two parts of the path.
// "core/legality" of "core/legality/rules/wait_rule.h", "core/gpu/client" of "core/gpu/client/gpu_pool.h", "app" of "app/main.cpp".
std::string folder_of(const std::string& path) {
    static std::map<std::string, std::string> known;
    const std::string parent = fs::path(path).parent_path().string();
    auto [entry, fresh] = known.try_emplace(parent);
    if (!fresh) return entry->second;
    fs::path folder = parent;
    while (std::distance(folder.begin(), folder.end()) > 2 &&
           !fs::exists(fs::path(CUBINLAB_SOURCE_DIR) / folder / "CMakeLists.txt"))
        folder = folder.parent_path();
    return entry->second = folder.string();
}

// Lower folders first.
const std::vector<std::string>& core_order() {
    static const std::vector<std::string> order = {
        "core/base",          "core/isa",           "core/binary",        "core/sass",         "core/ptx",
        "core/schedule",      "core/legality",      "core/insight",       "core/result",       "core/model",
        "core/gpu/protocol",  "core/start",         "core/gpu/worker",    "core/gpu/client",   "core/search/engine",
        "core/search/moves",  "core/search/starts", "core/search/agents", "core/store",         "core/evidence",     "core/tuning",
        "core/agent"};
    return order;
}
const std::vector<std::string>& ui_order() {
    static const std::vector<std::string> order = {"ui/base",   "ui/document", "ui/run",      "ui/listing",
                                                   "ui/graph",  "ui/timeline", "ui/source",   "ui/hand",
                                                   "ui/replay", "ui/starts",   "ui/settings", "ui/sessions", "ui/shell"};
    return order;
}
// Position of a folder in its list; -1: it is in neither.
int rank_of(const std::string& folder) {
    for (const auto* order : {&core_order(), &ui_order()})
        if (const auto at = std::find(order->begin(), order->end(), folder); at != order->end())
            return static_cast<int>(at - order->begin()) + (order == &ui_order() ? 100 : 0);
    return -1;
}

// Every line of the sources under a folder that `form` matches, with the match's first group.
struct Line {
    std::string file, name;
};
std::vector<Line> lines_under(const std::string& folder, const std::string& extension,
                              const std::regex& form) {
    const fs::path root = CUBINLAB_SOURCE_DIR;
    std::vector<Line> out;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.path().extension() != extension) continue;
        std::ifstream in(entry.path());
        std::smatch match;
        for (std::string line; std::getline(in, line);)
            if (std::regex_search(line, match, form))
                out.push_back({fs::relative(entry.path(), root).string(), match[1]});
    }
    return out;
}

// The folder of each class whose name is defined in one folder alone.
std::map<std::string, std::string> class_folders() {
    static const std::regex definition(R"(^(?:class|struct) (\w+)(?: final)?(?: :[^;]*)?(?: \{.*)?$)");
    std::map<std::string, std::set<std::string>> all;
    for (const char* layer : {"core", "ui"})
        for (const Line& l : lines_under(layer, ".h", definition))
            all[l.name].insert(folder_of(l.file));
    std::map<std::string, std::string> out;
    for (const auto& [name, folders] : all)
        if (folders.size() == 1) out.emplace(name, *folders.begin());
    return out;
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

TEST_CASE("torch headers stand in core/agent alone, CUDA's in core/gpu/worker alone") {
    for (const char* folder : {"core", "ui", "app"})
        for (const Include& i : includes_under(folder)) {
            INFO(i.file << " includes " << i.target);
            if (!starts_with(i.file, "core/agent/")) {
                CHECK_FALSE(starts_with(i.target, "torch/"));
                CHECK_FALSE(starts_with(i.target, "ATen/"));
                CHECK_FALSE(starts_with(i.target, "c10/"));
            }
            if (!starts_with(i.file, "core/gpu/worker/") && !starts_with(i.file, "app/inject/"))
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
        CHECK((!starts_with(i.target, "app/cli/") || starts_with(i.target, "app/cli/base/")));
    }
}

TEST_CASE(
    "a folder of core or ui includes only itself and those below it, and only the shell knows the window") {
    for (const char* layer : {"core", "ui"})
        for (const Include& i : includes_under(layer)) {
            if (!starts_with(i.target, "core/") && !starts_with(i.target, "ui/")) continue;
            const std::string from = folder_of(i.file), to = folder_of(i.target);
            INFO(i.file << " includes " << i.target);
            REQUIRE(rank_of(from) >= 0);
            REQUIRE(rank_of(to) >= 0);
            CHECK(rank_of(to) <= rank_of(from));
            if (from != "ui/shell") CHECK(i.target != "ui/shell/main_window.h");
            // Views do not know each other.
            const std::set<std::string> views = {"ui/listing", "ui/graph", "ui/timeline", "ui/source"};
            if (views.count(from) == 1 && views.count(to) == 1) CHECK(from == to);
        }
}

TEST_CASE("a folder forward-declares no class of a folder above it") {
    static const std::regex declaration(R"(^(?:class|struct) (\w+);)");
    const auto folders = class_folders();
    for (const char* layer : {"core", "ui"})
        for (const Line& l : lines_under(layer, ".h", declaration)) {
            const auto defined = folders.find(l.name);
            if (defined == folders.end()) continue;
            INFO(l.file << " declares " << l.name << " of " << defined->second);
            CHECK(rank_of(defined->second) <= rank_of(folder_of(l.file)));
        }
}

TEST_CASE("the members of a class are defined in the library that declares it") {
    static const std::regex member(R"(^(?! )[\w:<>,*& ]*?\b(\w+)::~?\w+\()");
    const auto folders = class_folders();
    for (const char* layer : {"core", "ui"})
        for (const Line& l : lines_under(layer, ".cpp", member)) {
            const auto declared = folders.find(l.name);
            if (declared == folders.end()) continue;
            INFO(l.file << " defines a member of " << l.name << " of " << declared->second);
            CHECK(folder_of(l.file) == declared->second);
        }
}

TEST_CASE("no folder of the product holds more than 60 sources and headers") {
    const fs::path root = CUBINLAB_SOURCE_DIR;
    std::map<std::string, int> files;
    for (const char* layer : {"core", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / layer))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
                ++files[fs::relative(entry.path().parent_path(), root).string()];
    for (const auto& [folder, count] : files) {
        INFO(folder);
        CHECK(count <= 60);
    }
}

TEST_CASE("what a folder of core or ui includes, its libraries link") {
    Libraries libraries;
    std::vector<std::string> folders;
    for (const auto* order : {&core_order(), &ui_order()})
        folders.insert(folders.end(), order->begin(), order->end());
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
            CHECK(linked.count(folder_of(i.target)) == 1);
        }
    }
}

TEST_CASE("of the folders of app, what is injected knows core alone, and no command knows the window") {
    for (const Include& i : includes_under("app")) {
        INFO(i.file << " includes " << i.target);
        const std::string from = folder_of(i.file), to = folder_of(i.target);
        if (from == "app/inject") CHECK((to == from || !(starts_with(to, "app") || starts_with(to, "ui/"))));
        if (starts_with(from, "app/cli")) {
            CHECK_FALSE(starts_with(to, "ui/"));
            CHECK(to != "app/inject");
        }
        // What the laboratory shares knows no command.
        if (starts_with(i.file, "app/cli/base/"))
            CHECK((!starts_with(i.target, "app/cli/") || starts_with(i.target, "app/cli/base/")));
    }
}
