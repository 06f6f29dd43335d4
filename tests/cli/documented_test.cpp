// SPDX-License-Identifier: GPL-3.0-or-later
// Types the commands of the documents.
#include "tests/cli/documented.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

const std::string kContainers = std::string(CUBINLAB_TEST_DATA) + "/containers";

void copy_sample(const std::string& sample, const TemporaryFolder& folder, const std::string& name) {
    fs::copy_file(kSamples + "/" + sample + ".cubin", folder / (name + ".cubin"));
    fs::copy_file(kSamples + "/" + sample + ".workload.json", folder / (name + ".workload.json"));
}

bool is_command(const std::string& line) {
    return line.starts_with("cubinlab ");
}

// "needs a GPU", of a comment behind the command; empty: it runs anywhere.
std::string needs(const std::string& line) {
    const std::size_t at = line.find("# needs ");
    return at == std::string::npos ? "" : line.substr(at + 2);
}

// Of a comment "exit code 1: they differ", "exit code 3 without a GPU", "exit code 2 without ptxas".
bool expected(const std::string& line, int code) {
    const std::size_t at = line.find("# exit code ");
    if (at == std::string::npos) return code == 0;
    const int said = std::stoi(line.substr(at + 12));
    return code == said || (code == 0 && line.find(" without ", at) != std::string::npos);
}

// Runs the lines in their order; returns how many ran.
int type(const std::vector<std::string>& lines, const TemporaryFolder& folder) {
    int ran = 0;
    for (const std::string& line : lines) {
        if (!is_command(line)) continue;
        if (!needs(line).empty()) {
            WARN("not run, " << needs(line) << ": " << line.substr(0, line.find("  ")));
            continue;
        }
        const ShellResult r = run_line(line, folder.path().string());
        INFO(line << "\nexit code " << r.code << "\n" << r.out.substr(0, 2000) << r.err);
        CHECK(expected(line, r.code));
        ++ran;
    }
    return ran;
}

const DocumentedBlock& block_with(const std::vector<DocumentedBlock>& blocks, const std::string& text) {
    for (const DocumentedBlock& block : blocks)
        for (const std::string& line : block.lines)
            if (line.find(text) != std::string::npos) return block;
    FAIL("no block of the document has a line with " << text);
    return blocks.front();
}

}  // namespace

TEST_CASE("every example of the command line's page runs unchanged") {
    TemporaryFolder folder;
    copy_sample("bmm_mma", folder, "k");
    fs::copy_file(kSamples + "/bmm_mma.ptx", folder / "k.ptx");
    fs::create_directory(folder / "captured");
    copy_sample("softmax", folder, "captured/softmax");
    int ran = 0;
    for (const DocumentedBlock& block : documented_blocks("command-line.md"))
        ran += type(block.lines, folder);
    CHECK(ran >= 30);
}

TEST_CASE("every command of the program has an example") {
    const ShellResult help = run_line("cubinlab help", "/tmp");
    std::istringstream lines(help.out.substr(help.out.find("Subcommands:")));
    std::vector<std::string> commands;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
            commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    REQUIRE(commands.size() > 20);
    for (const std::string& command : commands) {
        if (command == "help" || command == "version") continue;  // how the others are found
        bool found = false;
        for (const char* page : {"command-line.md", "own-kernels.md"})
            for (const DocumentedBlock& block : documented_blocks(page))
                for (const std::string& line : block.lines)
                    found = found || (line + " ").starts_with("cubinlab " + command + " ");
        INFO(command);
        CHECK(found);
    }
}

TEST_CASE("every example of the page on own kernels runs unchanged") {
    const auto blocks = documented_blocks("own-kernels.md");
    TemporaryFolder folder;
    const std::string program = folder / "program";
    fs::copy_file(kContainers + "/libdemo_nosections.so", program);
    int ran = type(block_with(blocks, "cubinlab info ./program").lines, folder);

    SECTION("a tuned kernel goes back into a cache and into a program, and out again") {
        const fs::path cache = folder.path() / ".triton" / "cache";
        fs::create_directories(cache.parent_path());
        fs::copy(kContainers + "/triton", cache, fs::copy_options::recursive);
        const std::vector<std::string> lines = block_with(blocks, "cubinlab install best.cubin").lines;
        REQUIRE(lines.size() == 3);
        // Each best.cubin is a reschedule of the file that it replaces.
        const auto reschedule = [&](const std::string& from, const std::string& kernel,
                                    const std::string& mangled) {
            fs::remove(folder / "best.cubin");
            fs::remove(folder / "best.cubin.provenance.json");
            fs::remove(folder / "original.cubin");
            REQUIRE(run_line("cubinlab extract " + from + " --kernel " + kernel + " --out original.cubin",
                             folder.path().string())
                        .code == 0);
            const ShellResult made = run_line(
                "cubinlab reschedule original.cubin --kernel " + mangled + " --tighten --out best.cubin",
                folder.path().string());
            INFO(made.out << made.err);
            REQUIRE(made.code == 0);
        };
        reschedule("~/.triton/cache", "add", "add");
        ran = type({lines[0]}, folder);
        reschedule("./program", "tile_gemm", "_Z9tile_gemmPKfS0_Pfi");
        ran += type({lines[1], lines[2]}, folder);
        CHECK(ran == 3);
    }
    SECTION("a schedule is kept over a rebuild") {
        copy_sample("bmm_mma", folder, "original");
        fs::copy_file(kSamples + "/bmm_mma.cubin", folder / "rebuilt.cubin");
        REQUIRE(
            run_line("cubinlab reschedule original.cubin --tighten --out best.cubin", folder.path().string())
                .code == 0);
        CHECK(type(block_with(blocks, "cubinlab patch make").lines, folder) == 2);
    }
    SECTION("and no block of the page was forgotten") {
        CHECK(ran == 5);
        int here = 0;
        for (const DocumentedBlock& block : blocks) {
            if (std::none_of(block.lines.begin(), block.lines.end(), is_command)) continue;
            if (block.chapter == "Ten minutes each")
                WARN("not run, needs a GPU (app/lab/scripts/gpu-routes.sh runs it): " << block.heading);
            else
                ++here;
        }
        CHECK(here == 3);
    }
}

// tests/data/mistakes.md: "$ command", then "[exit code] the message behind `cubinlab: `". "..." at the end
// stands for words of the system or of a library.
TEST_CASE("a wrong command line gives one line, as listed") {
    TemporaryFolder folder;
    copy_sample("bmm_mma", folder, "k");
    copy_sample("softmax", folder, "other");
    std::ofstream(folder / "empty.cubin");
    std::ofstream(folder / "notes.txt") << "hello\n";
    std::ofstream(folder / "k.cubin.gz", std::ios::binary) << "\x1f\x8b and so on";
    fs::copy_file(kSamples + "/bmm_mma.cubin", folder / "cut.cubin");
    fs::resize_file(folder / "cut.cubin", 100);
    fs::create_directory(folder / "folder");
    std::ofstream(folder / "folder/file") << "x\n";
    const std::string home = folder.path().string();
    REQUIRE(run_line("cubinlab tune k.cubin --evaluator model --agent random --budget 20steps --session s.db",
                     home)
                .code == 0);
    const auto files = [&] {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
            names.push_back(entry.path().string() + " " +
                            (entry.is_regular_file() ? std::to_string(entry.file_size()) : ""));
        std::sort(names.begin(), names.end());
        return names;
    };
    const auto before = files();
    int mistakes = 0;
    for (const DocumentedBlock& block : blocks_of(std::string(CUBINLAB_TEST_DATA) + "/mistakes.md")) {
        REQUIRE(block.lines.size() % 2 == 0);
        for (std::size_t i = 0; i < block.lines.size(); i += 2) {
            REQUIRE(block.lines[i].starts_with("$ "));
            const std::string line = block.lines[i].substr(2), answer = block.lines[i + 1];
            ShellResult r = run_line(line, home);
            for (std::size_t at = 0; (at = r.err.find(home + "/")) != std::string::npos;)
                r.err.erase(at, home.size() + 1);
            INFO(block.heading << ": " << line << "\n[" << r.code << "] " << r.out << r.err);
            const std::size_t close = answer.find("] ");
            REQUIRE(close != std::string::npos);
            CHECK(r.code == std::stoi(answer.substr(1)));
            CHECK((r.code == 2 || r.code == 3));
            CHECK(r.out.empty());
            CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
            std::string said = "cubinlab: " + answer.substr(close + 2);
            if (said.ends_with("...")) {
                said.resize(said.size() - 3);
                CHECK(r.err.substr(0, said.size()) == said);
            } else {
                CHECK(r.err == said + "\n");
            }
            ++mistakes;
        }
    }
    CHECK(mistakes >= 40);
    CHECK(files() == before);  // no file is created, changed or lost
}
