// SPDX-License-Identifier: GPL-3.0-or-later
// libcubinlab-inject.so in front of the stand-in driver, as a job without CubinLab uses it: small programs of every
// habit run with a tuned kernel, and what the driver was given, what the program saw and what is counted must agree.
#include <algorithm>
#include <clocale>
#include <set>

#include "app/inject/json_text.h"
#include "core/binary/cubin.h"
#include "tests/inject/preloaded.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// The program with the library and without it: the tuned kernel runs, whichever way the driver is reached, and the results stay.
void runs_tuned(const std::string& scenario) {
    const Deployed deployed;
    for (const std::string way : {"dlopen", "linked", "getproc", "perthread"}) {
        INFO(way << " " << scenario);
        const ProgramResult plain = run_plain(host(way, scenario));
        REQUIRE(plain.code == 0);
        const ProgramResult with = succeeded(run_with(deployed, host(way, scenario)));
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(line_of(with.out, "code") != line_of(plain.out, "code"));
        CHECK(with.err.find("replaced 1 of 1 kernels") != std::string::npos);
    }
}

}  // namespace

TEST_CASE("every way to the driver runs the tuned kernel, and the program's results stay") {
    for (const std::string scenario : {"module", "library", "function", "unload", "free"})
        runs_tuned(scenario);
}

TEST_CASE("stream capture and graph replay run the tuned kernel") {
    runs_tuned("graph");
}

TEST_CASE("forked children and children that start another program run the tuned kernel") {
    runs_tuned("fork");
    runs_tuned("spawn");
}

TEST_CASE("a child with a cleared environment runs as without the library") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("linked", "cleared"));
    INFO(plain.err);
    REQUIRE(plain.code == 0);
    const ProgramResult with = succeeded(run_with(deployed, host("linked", "cleared")));
    // The child's lines come first, and are those of the original code; the parent runs the tuned kernel.
    CHECK(with.out.substr(0, with.out.find("code")) == plain.out.substr(0, plain.out.find("code")));
    CHECK(line_of(with.out, "code") == line_of(plain.out, "code"));
    CHECK(with.err.find("replaced 1 of 1 kernels, 1 launches") != std::string::npos);
}

TEST_CASE("a forked child that alone uses the driver is counted, and its parent is not") {
    const Deployed deployed;
    const ProgramResult with = succeeded(run_with(deployed, host("dlopen", "alone")));
    CHECK(with.err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    const std::vector<json> results = deployed.results();
    REQUIRE(results.size() == 1);
    CHECK(results[0]["forked"] == true);
    CHECK(results[0]["list"][0]["launches"] == 1);
}

TEST_CASE("every end of a program is its own: status, time and the files that it has open") {
    const Deployed deployed;
    for (const auto& [scenario, status] : {std::pair("quick", 6), std::pair("exit", 5), std::pair("locked", 5)}) {
        INFO(scenario);
        const ProgramResult plain = run_plain(host("dlopen", scenario)), with = run_with(deployed, host("dlopen", scenario));
        CHECK(plain.code == status);
        CHECK(with.code == status);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        if (status == 6) CHECK(with.err.find("replaced 1 of 1 kernels, 1 launches") != std::string::npos);
    }
    std::vector<std::string> words = host("dlopen", "errors");
    words.push_back(deployed.folder / "own");
    succeeded(run_with(deployed, words));
    CHECK(fs::file_size(deployed.folder / "own") == 0);
}

TEST_CASE("a program that restricts its system calls ends as without the library, and what is not seen is said") {
    for (const std::string way : {"dlopen", "linked"})
        for (const std::string scenario : {"prctl", "seccomp", "sandbox"}) {
            INFO(way << " " << scenario);
            const Deployed deployed;
            const ProgramResult plain = run_plain(host(way, scenario));
            if (plain.code == 9) {
                WARN("SKIPPED, the system refuses seccomp");
                return;
            }
            REQUIRE(plain.code == 7);
            const ProgramResult with = run_with(deployed, host(way, scenario));
            CHECK(with.code == 7);
            CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
            const std::vector<json> results = deployed.results();
            if (scenario == "sandbox") {  // without CUDA
                CHECK(results.size() == (way == "linked" ? 1 : 0));  // the driver is there, and may be used later
                continue;
            }
            CHECK(with.err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
            REQUIRE(results.size() == 1);
            CHECK(results[0]["launches"] == 1);
            CHECK(noted(results[0], "seccomp"));
            const Deployed listed;
            CHECK(run_preloaded(host(way, scenario), {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + listed.out}).code == 7);
            REQUIRE(listed.results().size() == 1);
            CHECK(listed.results()[0]["list"][0]["launches"] == 1);
        }
}

TEST_CASE("a kernel whose name is not UTF-8 is listed, captured and replaced like any other") {
    const TemporaryFolder folder;
    const std::string name = "so\xff\xfe\x80" "ax", written = "so\xef\xbf\xbd" "ax", file = folder / "k.cubin";
    const auto renamed = [&](std::vector<std::byte> image) {
        const std::string_view old = "softmax";
        auto* const text = reinterpret_cast<char*>(image.data());
        for (char *at = text, *end = text + image.size(); (at = std::search(at, end, old.begin(), old.end())) != end;)
            std::ranges::copy(name, at);
        return image;
    };
    const auto softmax = renamed(bytes_of(kSoftmax)), tuned = renamed(edited_softmax(1, true));
    REQUIRE(write_file(file, softmax));
    const Deployed deployed;
    CHECK(run_preloaded(host("dlopen", "many", file, name), {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + deployed.out}).code == 0);
    REQUIRE(deployed.results().size() == 1);
    REQUIRE(deployed.results()[0].is_object());
    CHECK(deployed.results()[0]["list"][0]["name"] == written);
    CHECK(deployed.results()[0]["list"][0]["launches"] == 3012);
    const Deployed captured;
    CHECK(capture(captured, "*", host("dlopen", "module", file, name)).code == 0);
    REQUIRE(captured.captures().size() == 1);
    CHECK(captured.captures()[0]["kernel"] == written);
    // The capture's name leads to the kernel of the file.
    const auto cubin = required(Cubin::parse(softmax, "k"));
    CHECK((**required((*cubin)->kernel(written))).name == name);
    const auto swap = required(CodeSwap::between(softmax, tuned, name));
    const Deployed swapped;
    REQUIRE(write_text(swapped.schedules + "/softmax.schedule", swap->text()));
    CHECK(run_with(swapped, host("dlopen", "module", file, name)).err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
}

TEST_CASE("several streams and threads run the tuned kernel") {
    runs_tuned("threads");
}

TEST_CASE("an allocation of several handles does not disturb a replaced kernel") {
    runs_tuned("pieces");
}

TEST_CASE("parameters through `extra` reach the tuned kernel") {
    runs_tuned("extra");
}

TEST_CASE("a fatbin is swapped by the bare cubin in its place") {
    const Deployed deployed;
    // One entry, raw: header of 64 bytes, ELF for sm_90 (the layout of core/binary/fatbin.h).
    const std::vector<std::byte> elf = bytes_of(kSoftmax);
    std::vector<std::byte> fatbin(16 + 64);
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(fatbin.data() + at, &value, sizeof value);
    };
    const std::size_t padded = (elf.size() + 7) / 8 * 8;
    put(0, std::uint32_t{0xBA55ED50});
    put(4, std::uint16_t{1});
    put(6, std::uint16_t{16});
    put(8, std::uint64_t{64 + padded});
    put(16, std::uint16_t{2});
    put(18, std::uint16_t{0x0101});
    put(20, std::uint32_t{64});
    put(24, std::uint64_t{padded});
    put(16 + 28, std::uint32_t{90});
    put(16 + 40, std::uint64_t{0x11});
    fatbin.insert(fatbin.end(), elf.begin(), elf.end());
    fatbin.resize(16 + 64 + padded);
    const std::string path = deployed.folder / "k.fatbin";
    REQUIRE(write_file(path, fatbin));
    for (const std::string scenario : {"wrapped", "module"}) {
        const ProgramResult plain = run_plain(host("getproc", scenario, path));
        INFO(plain.err);
        REQUIRE(plain.code == 0);
        const ProgramResult with = run_with(deployed, host("getproc", scenario, path));
        CHECK(with.code == 0);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(line_of(with.out, "code") != line_of(plain.out, "code"));
    }
}

TEST_CASE("the canary counts kernels, launches, recorded launches and processes") {
    const Deployed deployed;
    const auto said = [&](const std::string& scenario) {
        return run_with(deployed, host("getproc", scenario)).err;
    };
    CHECK(said("many") == "cubinlab: replaced 1 of 1 kernels, 3,012 launches\n");
    CHECK(said("threads") == "cubinlab: replaced 1 of 1 kernels, 800 launches\n");
    CHECK(said("graph") == "cubinlab: replaced 1 of 1 kernels, 0 launches, and 1 recorded into graphs, which ran 5 times\n");
    CHECK(said("unload") == "cubinlab: replaced 1 of 1 kernels, 50 launches\n");
    CHECK(said("fork") == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    // A child that starts another program says its own.
    CHECK(said("spawn") ==
          "cubinlab: replaced 1 of 1 kernels, 1 launches\ncubinlab: replaced 1 of 1 kernels, 1 launches\n");
    const ProgramResult ended = run_with(deployed, host("getproc", "exit"));
    CHECK(ended.code == 5);
    CHECK(ended.err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    CHECK(deployed.results().size() >= 7);
}

TEST_CASE("where nothing matched it is said loudly, and with CUBINLAB_REQUIRE the exit code is 3") {
    const Deployed deployed;
    const auto other = host("dlopen", "module", kOther, "rmsnorm");
    const ProgramResult loose = run_with(deployed, other);
    CHECK(loose.code == 0);
    CHECK(loose.err.find("NOTHING WAS REPLACED") != std::string::npos);
    CHECK(run_with(deployed, other, {"CUBINLAB_REQUIRE=1"}).code == 3);
    CHECK(run_with(deployed, host("dlopen", "module"), {"CUBINLAB_REQUIRE=1"}).code == 0);
    // A program without CUDA says nothing.
    const ProgramResult none = run_with(deployed, {"/bin/true"}, {"CUBINLAB_REQUIRE=1"});
    CHECK(none.code == 0);
    CHECK(none.err.empty());
}

TEST_CASE("a schedule that was damaged is left out, and the program runs as it is") {
    const Deployed deployed;
    const std::string path = deployed.schedules + "/softmax.schedule";
    auto text = required(read_text(path));
    const ProgramResult plain = run_plain(host("dlopen", "module"));
    const std::size_t word = text->find("\nword ") + 12;
    for (const std::string& damaged :
         {text->substr(0, text->size() / 2), std::string("hello"),
          std::string(*text).replace(word, 1, (*text)[word] == '0' ? "1" : "0")}) {
        REQUIRE(write_text(path, damaged));
        const ProgramResult with = run_with(deployed, host("dlopen", "module"));
        CHECK(with.code == 0);
        CHECK(with.out == plain.out);
        CHECK(with.err.find("NOTHING WAS REPLACED") != std::string::npos);
    }
}

TEST_CASE("a failure inside never takes the program down") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("dlopen", "library"));
    for (const std::string place : {"load", "see", "launch", "load,see,launch"}) {
        INFO(place);
        const ProgramResult with = run_with(deployed, host("dlopen", "library"), {"CUBINLAB_FAULT=" + place});
        CHECK(with.code == 0);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(with.err.find("failures inside") != std::string::npos);
    }
    const ProgramResult captured =
        capture(deployed, "*", host("dlopen", "library"), {"CUBINLAB_FAULT=capture"});
    CHECK(captured.code == 0);
    CHECK(captured.out == plain.out);
    CHECK(deployed.captures().empty());
}

TEST_CASE("what is written down of a schedule is read back, and applies to its own kernel alone") {
    const std::vector<std::byte> original = bytes_of(kSoftmax), tuned = edited_softmax(1, true);
    auto swap = required(CodeSwap::between(original, tuned, "softmax"));
    auto again = required(CodeSwap::parse(swap->text(), "t"));
    CHECK(again->text() == swap->text());
    std::vector<std::byte> made = original;
    auto elf = required(ElfImage::read(made, "t"));
    const std::size_t section = kernels_in(*elf).front().section;
    REQUIRE(again->apply(made, *elf, section));
    CHECK(made == tuned);
    CHECK_FALSE(again->apply(made, *elf, section));  // no longer the original
    CHECK(made == tuned);
    again->words.front().bytes[0] ^= std::byte{1};
    std::vector<std::byte> untouched = original;
    auto fresh = ElfImage::read(untouched, "t");
    CHECK_FALSE(again->apply(untouched, *fresh, section));
    CHECK(untouched == original);
    CHECK_FALSE(CodeSwap::parse("cubinlab-schedule 1\nsize 16\n", "t"));
    CHECK_FALSE(CodeSwap::between(original, bytes_of(kOther), "softmax"));
}

TEST_CASE("the library asks for nothing that glibc 2.17 lacks, and exports no name of the driver") {
    const ProgramResult shown = run_any("/usr/bin/env", {"objdump", "-T", kLibrary});
    if (shown.code != 0) {
        WARN("SKIPPED, there is no objdump");
        return;
    }
    std::set<std::string> exported;
    std::istringstream in(shown.out);
    for (std::string line; std::getline(in, line);) {
        INFO(line);
        const auto at = line.find("GLIBC_2.");
        if (at != std::string::npos) CHECK(std::atoi(line.c_str() + at + 8) <= 17);
        if (line.find("*UND*") != std::string::npos || line.find(" g ") == std::string::npos) continue;
        const std::string name = line.substr(line.rfind(' ') + 1);
        exported.insert(name);
    }
    CHECK(exported == std::set<std::string>{"dlsym", "dlvsym", "dladdr", "dladdr1", "_exit", "_Exit"});
    // Names of glibc alone, for which a program with another C library would not start.
    for (const char* own : {"__tls_get_addr", "__strftime_l", "__register_atfork", "__cxa_at_quick_exit", "gnu_get_libc_version"})
        CHECK(shown.out.find(" " + std::string(own) + "\n") == std::string::npos);
    const ProgramResult needed = run_any("/usr/bin/env", {"objdump", "-p", kLibrary});
    for (const char* other : {"libstdc++", "libgcc_s", "libfmt", "libzstd", "liblz4", "ld-linux"})
        CHECK(needed.out.find(other) == std::string::npos);
    // Before glibc 2.34 these have what the library calls; a program that is started with it may not load them itself.
    for (const char* own : {"libdl.so.2", "libpthread.so.0"})
        CHECK(needed.out.find(own) != std::string::npos);
}

TEST_CASE("a program of another C library starts with it in the environment") {
    const TemporaryFolder folder;
    REQUIRE(write_text(folder / "m.c", "int main(void) { return 3; }\n"));
    if (run_any("/usr/bin/env", {"musl-gcc", folder / "m.c", "-o", folder / "m"}).code != 0) {
        WARN("SKIPPED, there is no musl-gcc");
        return;
    }
    CHECK(run_preloaded({folder / "m"}, {}).code == 3);
    CHECK(run_preloaded({folder / "m"}, {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + folder.path().string()}).code == 3);
}

TEST_CASE("figures are written with a point, whatever locale the program around the library has set") {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    bool found = false;
    for (const char* name :
         {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "da_DK.UTF-8", "pl_PL.UTF-8"})
        if (!found) found = std::setlocale(LC_NUMERIC, name) != nullptr;
    if (!found) WARN("SKIPPED, no locale with a decimal comma: written in the locale C");
    inject::JsonText out;
    out.field("one", 2.5);
    out.field("many", std::vector<float>{0.25F, -1.5F});
    out.field("small", 1.25e-7);
    std::setlocale(LC_NUMERIC, before.c_str());
    const json read = json::parse(out.text());
    CHECK(read["one"] == 2.5);
    CHECK(read["many"] == json({0.25, -1.5}));
    CHECK(read["small"] == 1.25e-7);
}
