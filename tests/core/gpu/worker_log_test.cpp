// SPDX-License-Identifier: GPL-3.0-or-later
// The log of workers: where it lies, what is in it, and that it never grows beyond its limit and one older file.
#include "core/gpu/client/worker_log.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/gpu/client/worker_process.h"
#include "tests/support/catch.h"

using namespace cubinlab;
namespace fs = std::filesystem;

namespace {

struct Variable {
    Variable(const char* n, const char* value) : name(n) {
        if (const char* old = std::getenv(n)) was = old;
        value ? ::setenv(n, value, 1) : ::unsetenv(n);
    }
    ~Variable() { was.empty() ? ::unsetenv(name) : ::setenv(name, was.c_str(), 1); }
    const char* name;
    std::string was;
};

struct Folder {
    std::string path = (fs::temp_directory_path() / "cubinlab-log-XXXXXX").string();
    Folder() { REQUIRE(::mkdtemp(path.data())); }
    ~Folder() { fs::remove_all(path); }
};

std::string text_of(const fs::path& path) {
    std::stringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

}  // namespace

TEST_CASE("the log lies in the state folder of the user, where a variable says, or nowhere") {
    const Variable home("HOME", "/nowhere/somebody");
    {
        const Variable own("CUBINLAB_WORKER_LOG", nullptr), state("XDG_STATE_HOME", nullptr);
        CHECK(worker_log_path() == "/nowhere/somebody/.local/state/cubinlab/worker.log");
    }
    {
        const Variable own("CUBINLAB_WORKER_LOG", nullptr), state("XDG_STATE_HOME", "/var/s");
        CHECK(worker_log_path() == "/var/s/cubinlab/worker.log");
    }
    {
        const Variable own("CUBINLAB_WORKER_LOG", "/tmp/my.log");
        CHECK(worker_log_path() == "/tmp/my.log");
    }
    const Variable off("CUBINLAB_WORKER_LOG", "off");
    CHECK(worker_log_path().empty());
}

TEST_CASE("the life of a worker is in the log: its command, what it said, how it ended") {
    const Folder folder;
    const std::string file = folder.path + "/deep/worker.log";
    const Variable own("CUBINLAB_WORKER_LOG", file.c_str());
    {
        auto worker = WorkerProcess::start(
            {"/bin/sh", "-c", "printf 'first words\\nno driver\\033[2J here\\n' >&2; exit 3"});
        REQUIRE(worker);
        CHECK_FALSE((*worker)->receive(std::chrono::seconds(20)));
    }
    const auto absent = WorkerProcess::start({"/nonexistent/worker"});
    CHECK_FALSE(absent);
    const std::string text = text_of(file);
    INFO(text);
    CHECK_THAT(text, contains_text(": started as process "));
    CHECK_THAT(text, contains_text("/bin/sh -c printf"));
    CHECK_THAT(text, contains_text(": the worker ended"));
    CHECK_THAT(text, contains_text(": ended with exit code 3; it said:\n"));
    CHECK_THAT(text, contains_text(": first words\n"));
    CHECK_THAT(text, contains_text(": no driver.[2J here\n"));
    CHECK_THAT(text, contains_text("'/nonexistent/worker' cannot be started"));
    CHECK_THAT(text, contains_text(" " + std::to_string(::getpid()) + " worker "));
}

TEST_CASE("a full log becomes worker.log.1, of which there is one") {
    const Folder folder;
    const std::string file = folder.path + "/worker.log";
    const Variable own("CUBINLAB_WORKER_LOG", file.c_str());
    const std::string line(60000, 'x');
    for (int i = 0; i < 50; ++i)  // 3 MB
        log_worker(i, line);
    CHECK(fs::file_size(file) <= kWorkerLogBytes);
    CHECK(fs::file_size(file + ".1") <= kWorkerLogBytes);
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 2);
    CHECK_THAT(text_of(file), contains_text("worker 49: xxx"));
}

TEST_CASE("the listener hears what the file gets, and details besides") {
    const Variable off("CUBINLAB_WORKER_LOG", "off");
    std::vector<std::string> heard;
    set_worker_listener([&](const std::string& line) { heard.push_back(line); });
    log_worker(7, "one\ntwo");
    tell_worker_detail(7, "three");
    set_worker_listener({});
    log_worker(7, "four");
    tell_worker_detail(7, "five");
    REQUIRE(heard.size() == 3);
    CHECK_THAT(heard[0], contains_text("worker 7: one"));
    CHECK_THAT(heard[1], contains_text("worker 7: two"));
    CHECK_THAT(heard[2], contains_text("worker 7: three"));
}

TEST_CASE("a log that cannot be written stops nothing") {
    const Variable own("CUBINLAB_WORKER_LOG", "/dev/null/no/worker.log");
    log_worker(1, "said");
    SUCCEED();
}
