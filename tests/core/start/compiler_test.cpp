// SPDX-License-Identifier: GPL-3.0-or-later
// Compilations in child processes: limits, messages, the cache. A script takes the place of ptxas.
#include "core/start/compiler.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/core/start/fake_ptxas.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEcho =
    "printf '\\177ELF'; cat; printf ' %s' \"$@\"";  // the "cubin" tells what it was made of

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

CompilerSettings quick(const fs::path& cache = {}) {
    CompilerSettings out;
    out.cache = cache;
    out.jobs = 2;
    out.timeout_ms = 20'000;
    return out;
}

double seconds_of(const std::function<void()>& work) {
    const auto begun = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

std::set<fs::path> files_under(const fs::path& folder) {
    std::set<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) out.insert(entry.path());
    return out;
}

bool runs(const fs::path& pid_file) {
    const auto text = read_text(pid_file);
    return text && ::kill(static_cast<pid_t>(std::stol(*text)), 0) == 0;
}

}  // namespace

TEST_CASE("a compilation passes text, architecture and options, and returns what ptxas writes") {
    const FakePtxas fake(kEcho);
    Compiler compiler(quick());
    const auto made = required(compiler.compile({"the text", fake.ptxas, "sm_90a", {"-O1", "--x=1 2"}}));
    CHECK(text_of(made->cubin) ==
          "\x7f"
          "ELFthe text -arch=sm_90a -O1 --x=1 2 /dev/stdin -o /dev/stdout");
    CHECK_FALSE(made->cached);
}

TEST_CASE("many compilations run, each once, and none is lost") {
    const FakePtxas fake(kEcho);
    Compiler compiler(quick());
    std::vector<Result<Compiled>> results(60, fail(ErrorCode::Worker, "not run"));
    compiler.for_each(results.size(), [&](std::size_t i) {
        results[i] = compiler.compile({std::to_string(i), fake.ptxas, "sm_80", {}});
    });
    for (std::size_t i = 0; i < results.size(); ++i) {
        REQUIRE(results[i]);
        CHECK(text_of(results[i]->cubin)
                  .starts_with("\x7f"
                               "ELF" +
                               std::to_string(i) + " "));
    }
    CHECK(fake.calls() == 60);
}

TEST_CASE("ptxas's own words are the error, without the name of the stream") {
    const FakePtxas fake("echo \"ptxas $3, line 7; error   : Unknown modifier '.nope'\" >&2; exit 255");
    Compiler compiler(quick());
    const auto made = compiler.compile({"", fake.ptxas, "sm_90", {"-O1"}});
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::BadInput);
    CHECK(made.error().message() ==
          "ptxas 99.1.2 -arch=sm_90 -O1: does not compile: line 7; error   : Unknown modifier '.nope'");
    const FakePtxas silent("exit 0");
    const auto nothing = compiler.compile({"", silent.ptxas, "sm_90", {}});
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error().what == "does not compile: ptxas gives no reason");
    const auto none = compiler.compile({"", {"/no/such/ptxas", "1.0"}, "sm_90", {}});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::Io);
}

TEST_CASE("a time limit, a memory limit and a crash cost one compilation") {
    const FakePtxas slow("sleep 60");
    CompilerSettings settings = quick();
    settings.timeout_ms = 200;
    Compiler hasty(settings);
    const double took = seconds_of([&] {
        const auto made = hasty.compile({"", slow.ptxas, "sm_90", {}});
        REQUIRE_FALSE(made);
        CHECK(made.error().code == ErrorCode::Worker);
        CHECK_THAT(made.error().message(), contains_text("did not finish within 200 ms"));
    });
    CHECK(took < 20);
    const FakePtxas hungry("printf '\\177ELF'; head -c 100000000 /dev/zero | tail -n 1 | head -c 1");
    settings = quick();
    settings.memory_bytes = 64u << 20;
    Compiler poor(settings);
    const auto starved = poor.compile({"", hungry.ptxas, "sm_90", {}});
    CompilerSettings ample = quick();
    ample.memory_bytes = std::uint64_t{8} << 30;
    const auto fed = required(Compiler(ample).compile({"", hungry.ptxas, "sm_90", {}}));
    CHECK(fed->cubin.size() == 5);
    CHECK((!starved || starved->cubin.size() == 4));
    const FakePtxas broken("kill -SEGV $$");
    const auto crashed = poor.compile({"", broken.ptxas, "sm_90", {}});
    REQUIRE_FALSE(crashed);
    CHECK(crashed.error().code == ErrorCode::Worker);
    CHECK_THAT(crashed.error().message(), contains_text("signal 11"));
}

TEST_CASE("a stop request ends what runs and leaves nothing behind") {
    const FakePtxas slow("echo $$ >\"$here/pid\"; sleep 60");
    const auto cache = required(ScratchFolder::make());
    Compiler compiler(quick(cache->path()));
    std::stop_source stop;
    std::jthread stopper([&] {
        while (!fs::exists(slow.folder.path() / "pid"))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    std::vector<ErrorCode> codes(8, ErrorCode::BadUse);
    compiler.for_each(codes.size(), [&](std::size_t i) {
        const auto made = compiler.compile({std::to_string(i), slow.ptxas, "sm_90", {}}, stop.get_token());
        if (!made) codes[i] = made.error().code;
    });
    CHECK(std::ranges::all_of(codes, [](ErrorCode code) { return code == ErrorCode::Cancelled; }));
    CHECK(slow.calls() <= 2);
    CHECK_FALSE(runs(slow.folder.path() / "pid"));
    CHECK(files_under(cache->path()).empty());
}

TEST_CASE(
    "the cache has the same bytes for the same text, version, architecture and options, and for nothing "
    "else") {
    const FakePtxas fake(kEcho);
    const auto cache = required(ScratchFolder::make());
    const Compilation work{"text", fake.ptxas, "sm_90", {"-O1"}};
    const auto first = required(Compiler(quick(cache->path())).compile(work));
    const auto again = required(Compiler(quick(cache->path())).compile(work));
    CHECK_FALSE(first->cached);
    CHECK(again->cached);
    CHECK(again->cubin == first->cubin);
    CHECK(fake.calls() == 1);
    Compilation other = work;
    std::set<Hash128> keys = {work.key()};
    for (const auto change :
         {+[](Compilation& c) { c.text += " "; }, +[](Compilation& c) { c.ptxas.version = "99.1.3"; },
          +[](Compilation& c) { c.arch = "sm_90a"; }, +[](Compilation& c) { c.options = {}; },
          +[](Compilation& c) {
              c.options = {"-O1", ""};
          },
          +[](Compilation& c) {
              c.options = {"-O", "1"};
          }}) {
        other = work;
        change(other);
        CHECK(keys.insert(other.key()).second);
    }
    other = work;
    other.ptxas.path = "/elsewhere";  // the version counts, not the place
    CHECK(other.key() == work.key());
}

TEST_CASE("a damaged or foreign file of the cache is not used") {
    const FakePtxas fake(kEcho);
    const auto cache = required(ScratchFolder::make());
    const Compilation work{"text", fake.ptxas, "sm_90", {}};
    const auto first = required(Compiler(quick(cache->path())).compile(work));
    const fs::path file = *files_under(cache->path()).begin();
    const std::string whole = *required(read_text(file));
    std::string flipped = whole;
    flipped.back() ^= 1;
    for (const std::string& damaged :
         {flipped, whole.substr(0, whole.size() - 1), whole.substr(0, 20), std::string()}) {
        required(write_text(file, damaged));
        const auto again = required(Compiler(quick(cache->path())).compile(work));
        CHECK_FALSE(again->cached);
        CHECK(again->cubin == first->cubin);
    }
    CHECK(fake.calls() == 5);
}

TEST_CASE("a cache that cannot be written, or none, only costs time") {
    const FakePtxas fake(kEcho);
    for (const char* folder : {"", "/proc/no/such/place"}) {
        Compiler compiler(quick(folder));
        CHECK(compiler.compile({"text", fake.ptxas, "sm_90", {}}));
    }
    CHECK(fake.calls() == 2);
}

TEST_CASE(
    "above its limit the cache loses what was not used for the longest time, and what was left behind") {
    const auto folder = required(ScratchFolder::make());
    constexpr std::size_t kEach = 10'000;
    CompileCache cache(folder->path(), 10 * kEach);
    const auto key = [](std::uint64_t i) { return Hash128{i << 56, i}; };
    const fs::path old = folder->path() / "00" / "0123.Ab12Cd";  // of a process that was killed
    for (std::uint64_t i = 0; i < 40; ++i) {
        cache.keep(key(i), std::vector<std::byte>(kEach, std::byte(i)));
        CHECK(cache.find(key(0)));  // used all the time
        if (i == 0) {
            required(write_text(old, "half"));
            fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    CHECK_FALSE(fs::exists(old));
    CHECK(cache.find(key(0)) == std::vector<std::byte>(kEach, std::byte(0)));
    CHECK(cache.find(key(39)));
    CHECK_FALSE(cache.find(key(1)));
    std::uintmax_t total = 0;
    for (const fs::path& file : files_under(folder->path()))
        total += fs::file_size(file);
    CHECK(total <= 11 * (kEach + 32));
}

TEST_CASE("programs are asked for their version, once for each version") {
    const FakePtxas one("exit 1"), same("exit 1");
    const auto folder = required(ScratchFolder::make());
    const fs::path dumb = folder->path() / "ptxas";
    required(write_text(dumb, "#!/bin/sh\necho nothing\n"));
    fs::permissions(dumb, fs::perms::owner_all);
    const std::vector<fs::path> programs = {dumb, "/no/such/ptxas", one.ptxas.path, same.ptxas.path};
    const std::vector<Ptxas> found = with_versions(programs);
    REQUIRE(found.size() == 1);
    CHECK(found[0].path == one.ptxas.path);
    CHECK(found[0].version == "99.1.2");
    CHECK(ptxas_version_in("Cuda compilation tools, release 12.4, V12.4.131\nBuild x") == "12.4.131");
    CHECK(ptxas_version_in("ptxas") == "");
}

TEST_CASE("ptxas is found by its variable, in toolkits, and inside the packages of Python") {
    const FakePtxas named("exit 1"), in_package("exit 1");
    const auto folder = required(ScratchFolder::make());
    const fs::path triton = folder->path() / "env/lib/python3.12/site-packages/triton/backends/nvidia/bin";
    const fs::path wheel = folder->path() / "env/lib/python3.12/site-packages/nvidia/cuda_nvcc/bin";
    for (const fs::path& place : {triton, wheel, folder->path() / "toolkit/bin"}) {
        fs::create_directories(place);
        fs::copy_file(in_package.ptxas.path, place / "ptxas");
    }
    const auto set = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
    set("CUBINLAB_PTXAS", "/no/such:" + named.ptxas.path.string());
    set("VIRTUAL_ENV", folder->path() / "env");
    set("CUDA_HOME", folder->path() / "toolkit");
    const std::vector<fs::path> found = ptxas_programs();
    for (const char* name : {"CUBINLAB_PTXAS", "VIRTUAL_ENV", "CUDA_HOME"})
        ::unsetenv(name);
    REQUIRE(found.size() >= 4);
    CHECK(found[0] == named.ptxas.path);
    CHECK(found[1] == folder->path() / "toolkit/bin/ptxas");
    CHECK(std::ranges::find(found, triton / "ptxas") != found.end());
    CHECK(std::ranges::find(found, wheel / "ptxas") != found.end());
}
