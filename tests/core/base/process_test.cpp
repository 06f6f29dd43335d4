// SPDX-License-Identifier: GPL-3.0-or-later
// How child processes start and end.
#include "core/base/process.h"

#include <signal.h>

#include <fstream>
#include <thread>

#include "core/base/scratch_folder.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;

namespace {

std::vector<std::string> shell(const std::string& script) {
    return {"/bin/sh", "-c", script};
}

// A zombie that nobody collects has ended, too.
bool is_gone(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    return !std::getline(stat, text) || text.substr(text.rfind(')')).starts_with(") Z");
}

}  // namespace

TEST_CASE("a child's output, its errors and its exit status are collected", "[process]") {
    const auto ran = run_child(shell("echo said; echo wrong >&2; exit 3"), {.timeout_ms = 20'000});
    REQUIRE(ran);
    CHECK(ran->out == "said\n");
    CHECK(ran->err == "wrong\n");
    CHECK(ran->exit_status == 3);
    const auto killed = required(run_child(shell("kill -9 $$"), {.timeout_ms = 20'000}));
    CHECK(killed->exit_status == 128 + SIGKILL);
}

TEST_CASE("what cannot be started says why", "[process]") {
    const auto none = run_child({"/no/such/program"}, {.timeout_ms = 20'000});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::Io);
    CHECK(none.error().what == "cannot be started: No such file or directory");
    const auto nowhere = run_child(shell("true"), {.timeout_ms = 20'000, .process = {.folder = "/no/such"}});
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().what == "cannot be started: No such file or directory");
}

TEST_CASE("a child has the environment, the working folder and no input of ours", "[process]") {
    auto folder = required(ScratchFolder::make());
    ProcessSettings settings;
    settings.environment = std::vector<std::string>{"ONLY=this", "LONG=" + std::string(300, 'x')};
    settings.folder = folder->path();
    const auto ran = run_child(shell("cat; echo $ONLY; pwd -P"), {.timeout_ms = 20'000, .process = settings});
    REQUIRE(ran);
    CHECK(ran->out == "this\n" + std::filesystem::canonical(folder->path()).string() + "\n");
}

TEST_CASE("a time limit and a stop request end a child with all that it started", "[process]") {
    const auto late = run_child(shell("sleep 1000 & wait"), {.timeout_ms = 50});
    REQUIRE_FALSE(late);
    CHECK(late.error().code == ErrorCode::Worker);
    std::stop_source stop;
    std::string printed;
    const auto stopped = run_child(shell("sleep 1000 & echo $!; wait"),
                                   {.on_output =
                                        [&](std::string_view text) {
                                            printed += text;
                                            stop.request_stop();
                                        }},
                                   stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
    CHECK(test::wait_until([&] { return is_gone(std::stoi(printed)); }));
}

TEST_CASE("a memory limit holds for a child and for what it starts", "[process]") {
    // tail keeps a line until its end: 64 MiB.
    const auto script = shell("head -c 67108864 /dev/zero | tail -n 1 | wc -c");
    const auto free = required(run_child(script, {.timeout_ms = 20'000}));
    CHECK(free->out == "67108864\n");
    const auto held = required(run_child(script, {.timeout_ms = 20'000, .process = {.memory_bytes = 32u << 20}}));
    CHECK(held->out != "67108864\n");
}

TEST_CASE("a child that is asked to end may end by itself", "[process]") {
    std::stop_source stop;
    std::string printed;
    // The shell starts nothing: it would print how its child ended.
    const auto ran =
        run_child(shell("trap 'echo last; exit 0' TERM; echo first; while :; do :; done"),
                  {.grace = std::chrono::seconds(20),
                   .on_output =
                       [&](std::string_view text) {
                           printed += text;
                           stop.request_stop();
                       }},
                  stop.get_token());
    REQUIRE_FALSE(ran);
    CHECK(ran.error().code == ErrorCode::Cancelled);
    CHECK(printed == "first\nlast\n");
}

TEST_CASE("a child ends with the thread that started it, where it is told so", "[process]") {
    std::optional<Process> child;
    std::thread([&] {
        auto started = Process::start({"/bin/sleep", "1000"}, {.ends_with_parent = true});
        if (started) child.emplace(std::move(*started));
    }).join();
    REQUIRE(child);
    REQUIRE(test::wait_until([&] { return child->ended().has_value(); }));
    CHECK(child->wait().text() == "ended by signal 15");
}
