// SPDX-License-Identifier: GPL-3.0-or-later
// New bests that `tune` prints are in its session, however the run ends.
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "app/cli/parts/tune_report.h"
#include "core/schedule/kernel.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

// Captures what the scope writes to standard output.
class Captured {
  public:
    explicit Captured(std::string file) : file_(std::move(file)), before_(::dup(1)) {
        std::fflush(stdout);
        std::FILE* out = std::fopen(file_.c_str(), "w");
        ::dup2(::fileno(out), 1);
        std::fclose(out);
    }
    ~Captured() {
        std::fflush(stdout);
        ::dup2(before_, 1);
        ::close(before_);
    }
    std::string text() const { return bytes_of(file_); }

  private:
    std::string file_;
    int before_;
};

// Numbers of the steps that text lines print as new bests.
std::vector<std::int64_t> bests_in(const std::string& text) {
    std::vector<std::int64_t> out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        long long step = 0;
        if (std::sscanf(line.c_str(), "step %lld  best", &step) == 1) out.push_back(step);
    }
    return out;
}

std::string tune_in(const std::string& folder, const std::string& limits) {
    return "cd '" + folder + "'; " + limits + "exec '" CUBINLAB_BINARY_DIR "/bin/cubinlab' tune '" + kBmm +
           "' --evaluator model --agent greedy --budget 100000000steps --session s.db >told 2>said";
}

std::vector<std::int64_t> kept_bests(const std::string& session) {
    std::vector<std::int64_t> out;
    const auto log = run_program({"log", session, "--best", "--json"}).json();
    for (const auto& step : log["steps"])
        out.push_back(step["step"].get<std::int64_t>());
    return out;
}

}  // namespace

TEST_CASE("a new best is printed once its step is committed, in order, without gaps") {
    using namespace cubinlab;
    auto cubin = required(Cubin::open(kBmm));
    auto kernel = required(Kernel::load(*cubin, ""));
    const Schedule schedule(*kernel);
    const TemporaryFolder folder;
    std::vector<std::string> seen;
    {
        const Captured out(folder / "out");
        cli::ProgressStream progress(false, false);
        const auto best = [&](StepId step) {
            StepRecord record;
            record.step = step;
            record.best = true;
            progress.on_step(record, schedule);
            progress.on_best(record, schedule);
            seen.push_back(out.text());
        };
        best(5);
        best(7);
        progress.on_doing("sweeping");
        progress.on_durable(4);
        seen.push_back(out.text());
        progress.on_durable(6);
        seen.push_back(out.text());
        progress.on_durable(9);
        seen.push_back(out.text());
        best(8);  // its commit was faster than its line
    }
    REQUIRE(seen.size() == 6);
    for (int i = 0; i < 3; ++i)
        CHECK(seen[static_cast<std::size_t>(i)].empty());
    CHECK(bests_in(seen[3]) == std::vector<std::int64_t>{5});
    CHECK(seen[3].find("sweeping") == std::string::npos);
    CHECK(bests_in(seen[4]) == std::vector<std::int64_t>{5, 7});
    CHECK(seen[4].find("sweeping") > seen[4].find("step      7"));
    CHECK(bests_in(seen[5]) == std::vector<std::int64_t>{5, 7, 8});
}

TEST_CASE("kill -9 loses no printed best") {
    const TemporaryFolder folder;
    for (const char* lines : {"1", "2", "4", "8"}) {
        const std::string here = folder / lines;
        std::filesystem::create_directory(here);
        run_any("/bin/bash",
                {"-c", "(" + tune_in(here, "") + ") & p=$!; cd '" + here +
                           "'; for i in {1..3000}; do [ $(grep -c best told 2>/dev/null || true) -ge " +
                           lines + " ] && break; sleep 0.01; done; kill -9 $p; wait $p"});
        const auto told = bests_in(bytes_of(here + "/told"));
        const auto kept = kept_bests(here + "/s.db");
        INFO(lines << ": " << bytes_of(here + "/told") << bytes_of(here + "/said"));
        REQUIRE(!told.empty());
        REQUIRE(kept.size() >= told.size());
        CHECK(std::equal(told.begin(), told.end(), kept.begin()));
    }
}

TEST_CASE("a session that cannot be written further reports what it keeps") {
    const TemporaryFolder folder;
    const ProgramResult run =
        run_any("/bin/bash", {"-c", tune_in(folder.path().string(), "ulimit -f 500; trap '' XFSZ; ")});
    const std::string said = bytes_of(folder / "said"), all_told = bytes_of(folder / "told");
    INFO(all_told << said);
    CHECK(run.code == 2);
    const auto told = bests_in(all_told), kept = kept_bests(folder / "s.db");
    REQUIRE(!told.empty());
    REQUIRE(!kept.empty());
    CHECK(told == kept);
    const auto runs = run_program({"runs", folder / "s.db", "--json"}).json();
    CHECK_THAT(said, contains_text("run 1 keeps its steps up to " + runs["runs"][0]["steps"].dump() +
                                   ", the best of them is step " + std::to_string(kept.back()) + " (+"));
}
