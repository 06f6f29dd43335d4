// SPDX-License-Identifier: GPL-3.0-or-later
// Every example of the documents is tested. documented_test.cpp or a script on a GPU types each of the two
// pages of commands; on all other pages the named commands and options exist.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/documented.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = fs::path(CUBINLAB_SAMPLES) / "..";

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) out.push_back(line);
    return out;
}

// Lines that a script of app/lab/scripts types on a GPU.
std::set<std::string> typed_on_gpu(const std::string& script) {
    const ShellResult listed =
        run_line("bash '" + (kSource / "app/lab/scripts" / script).string() + "' --list", "/tmp");
    REQUIRE(listed.code == 0);
    const auto lines = lines_of(listed.out);
    return {lines.begin(), lines.end()};
}

using Options = std::set<std::string>;

// Per command its options, as the program completes them; "patch make" is one command, "" the window.
std::map<std::string, Options> options_of(const std::string& program) {
    std::map<std::string, Options> out;
    static const std::regex entry("^ *\"?([a-z-]+(?: [a-z]+)?)\"?\\) words=\"([^\"]*)\" ;;$");
    for (const std::string& line : lines_of(run_line(program + " completion bash", "/tmp").out)) {
        std::smatch found;
        if (!std::regex_match(line, found, entry)) continue;
        std::istringstream words(found[2]);
        for (std::string word; words >> word;)
            out[found[1]].insert(word);
    }
    for (const char* own : {"help", "manual", "completion", "version"})
        out[own];
    static const std::regex option("^ +(--[a-z-]+)");
    if (program == "cubinlab")
        for (const std::string& line : lines_of(run_line("cubinlab help window", "/tmp").out))
            if (std::smatch found; std::regex_search(line, found, option)) out[""].insert(found[1]);
    return out;
}

// The words behind the program's name, up to where the shell or another program has the rest; without what is
// quoted.
std::vector<std::string> words_behind(const std::string& text, std::size_t at) {
    std::string bare;
    for (; at < text.size(); ++at) {
        if (text[at] != '\'' && text[at] != '"') {
            bare += text[at];
            continue;
        }
        at = text.find(text[at], at + 1);
        if (at == std::string::npos) break;  // the end of the quoted command
        bare += "QUOTED";
    }
    std::vector<std::string> out;
    std::istringstream in(bare);
    for (std::string word; in >> word;) {
        if (word == "--" || word == "|" || word == "\\|" || word == ">" || word == "&&" || word[0] == '#')
            break;
        for (const char c : std::string("[]();,."))
            word.erase(std::remove(word.begin(), word.end(), c), word.end());
        if (!word.empty()) out.push_back(word);
    }
    return out;
}

// What is wrong with a command line: an option that its command does not have. Empty: nothing.
std::string wrong_with(const std::map<std::string, Options>& known, const std::vector<std::string>& words) {
    std::size_t at = 0;
    std::string command;
    if (!words.empty() && known.count(words[0]) > 0) command = words[at++];
    if (at > 0 && at < words.size() && known.count(command + " " + words[at]) > 0)
        command += " " + words[at++];
    const Options& options = known.at(command);
    for (; at < words.size(); ++at) {
        if (!words[at].starts_with("--")) continue;
        const std::string option = words[at].substr(0, words[at].find_first_of("=|"));
        if (options.count(option) == 0)
            return option + " is no option of " + (command.empty() ? "the window" : command);
    }
    return {};
}

std::vector<fs::path> pages() {
    std::vector<fs::path> out = {kSource / "README.md"};
    for (const auto& entry : fs::directory_iterator(kSource / "resources/docs"))
        if (entry.path().extension() == ".md") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

// Lines of fenced blocks, and what stands between backticks elsewhere, also over a line's end.
std::vector<std::string> code_of(const fs::path& page) {
    std::ifstream in(page);
    std::vector<std::string> out;
    std::string prose;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```"))
            inside = !inside;
        else if (inside)
            out.push_back(line);
        else
            prose += line + (line.empty() ? "\n\n" : " ");
    }
    static const std::regex span("`([^`\n]+)`");
    for (std::sregex_iterator it(prose.begin(), prose.end(), span), end; it != end; ++it)
        out.push_back((*it)[1]);
    return out;
}

}  // namespace

TEST_CASE("each example of the command line's page and of own kernels is typed by a test or on a GPU") {
    const auto examples = typed_on_gpu("gpu-examples.sh"), routes = typed_on_gpu("gpu-routes.sh");
    int here = 0, there = 0;
    for (const DocumentedBlock& block : documented_blocks("command-line.md"))
        for (const std::string& line : block.lines) {
            INFO(line);
            CHECK(line.starts_with("cubinlab "));  // otherwise no test types it
            const bool needs = line.find("# needs ") != std::string::npos;
            CHECK(needs == (examples.count(line) == 1));
            ++(needs ? there : here);
        }
    CHECK(static_cast<std::size_t>(there) == examples.size());
    CHECK(here >= 30);
    CHECK(there >= 9);
    int on_routes = 0;
    for (const DocumentedBlock& block : documented_blocks("own-kernels.md")) {
        const bool commands =
            std::any_of(block.lines.begin(), block.lines.end(),
                        [](const std::string& line) { return line.starts_with("cubinlab "); });
        for (const std::string& line : block.lines) {
            INFO(block.heading << ": " << line);
            const bool route = block.chapter == "Ten minutes each";
            CHECK(route == (routes.count(line) == 1));
            CHECK((route || !commands || line.starts_with("cubinlab ")));
            CHECK(line.find("# needs ") == std::string::npos);  // no script searches this page for it
            on_routes += route;
        }
    }
    CHECK(on_routes >= 20);
}

TEST_CASE("commands and options that the documents name exist") {
    const std::map<std::string, std::map<std::string, Options>> programs = {
        {"cubinlab", options_of("cubinlab")}, {"cubinlab-lab", options_of("cubinlab-lab")}};
    REQUIRE(programs.at("cubinlab").size() > 25);
    REQUIRE(programs.at("cubinlab-lab").size() > 8);
    int lines = 0, bare = 0;
    for (const fs::path& page : pages()) {
        for (const std::string& code : code_of(page)) {
            INFO(page.filename().string() << ": " << code);
            static const std::regex call("(^|'|&& |; )(?:build/bin/)?(cubinlab|cubinlab-lab) ");
            bool called = false;
            for (std::sregex_iterator it(code.begin(), code.end(), call), end; it != end; ++it) {
                const auto at = static_cast<std::size_t>(it->position() + it->length());
                CHECK(wrong_with(programs.at((*it)[2]), words_behind(code, at)) == "");
                called = true;
                ++lines;
            }
            // `tune --out`: a command without the program's name in front.
            const auto words = words_behind(code, 0);
            const bool command = !called && words.size() > 1 && programs.at("cubinlab").count(words[0]) > 0 &&
                                 code.find(" --") != std::string::npos && code.find('"') == std::string::npos;
            if (!command) continue;
            const bool either = wrong_with(programs.at("cubinlab"), words).empty() ||
                                (programs.at("cubinlab-lab").count(words[0]) > 0 &&
                                 wrong_with(programs.at("cubinlab-lab"), words).empty());
            CHECK(either);
            ++bare;
        }
    }
    CHECK(lines > 100);
    CHECK(bare > 10);
}
