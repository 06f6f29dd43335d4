// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's process group: a wrapper (ssh, srun, a shell) that goes first does not leave its children
// behind.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/gpu/client/worker_process.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;

namespace {

// A zombie that nobody collects is as good as gone.
bool runs(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(stat, text)) return false;
    const auto state = text.rfind(')');
    return state != std::string::npos && state + 2 < text.size() && text[state + 2] != 'Z';
}

}  // namespace

TEST_CASE("the children of a wrapper that has ended, and whose last words were read, end with it") {
    std::string folder = (std::filesystem::temp_directory_path() / "cubinlab-group-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()));
    const std::string file = folder + "/pid";
    auto worker = WorkerProcess::start({"/bin/sh", "-c",
                                        "sleep 1000 </dev/null >/dev/null 2>&1 & echo $! $$ > " + file +
                                            "; echo lost the line >&2; exit 3"});
    REQUIRE(worker);
    const auto heard = (*worker)->receive(std::chrono::seconds(20));
    REQUIRE_FALSE(heard);
    CHECK_THAT(heard.error().what, contains_text("lost the line"));
    pid_t child = 0, wrapper = 0;
    REQUIRE(test::wait_until([&] { return static_cast<bool>(std::ifstream(file) >> child >> wrapper); }));
    REQUIRE(test::wait_until([&] { return !runs(wrapper); }));  // gone before anybody asks
    REQUIRE(runs(child));
    (void)(*worker)->last_words();
    worker->reset();
    CHECK(test::wait_until([&] { return !runs(child); }));
    if (runs(child)) ::kill(child, SIGKILL);
    std::filesystem::remove_all(folder);
}
