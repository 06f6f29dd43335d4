// SPDX-License-Identifier: GPL-3.0-or-later
// Where a race finds what was good before: sessions, cubins, folders of them.
#include "core/tuning/earlier_schedules.h"

#include <sys/resource.h>

#include <fstream>

#include "core/evidence/export_cubin.h"
#include "core/model/sm_model.h"
#include "core/search/agents/race_schedules.h"
#include "core/search/engine/tune_run.h"
#include "core/tuning/schedule_file.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Archive {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("softmax");
    const CheckerPtr checker = *HazardChecker::create(kernel);

    SearchContext context() const { return {kernel, checker, 1, "{}", {}, {}, Schedule(kernel)}; }

    // A run of the model; its best.
    Schedule run(const std::string& file, std::uint64_t seed, std::uint64_t steps = 150) {
        SearchContext of = context();
        of.seed = seed;
        const auto evaluator = make_model_evaluator(kernel, {});
        auto session = required(SessionWriter::open(folder / file, kernel, "", ""));
        RunHeader header;
        header.agent = "greedy";
        header.agent_settings = "{}";
        header.seed = seed;
        header.evaluator = evaluator->info();
        header.start_hash = kernel->hash();
        auto sink = required((*session)->begin_run(header, of.start, nullptr));
        RunSettings settings;
        settings.agent = "greedy";
        settings.budget.steps = steps;
        TuneRun tune(of, settings, *make_searcher("greedy", of), *evaluator, sink->get(), nullptr);
        REQUIRE(tune.run({}));
        sink->reset();
        REQUIRE((*session)->close());
        return tune.best();
    }

    Result<EarlierSchedules> found(const std::vector<std::filesystem::path>& sources,
                                   std::vector<Schedule> first = {}) const {
        return earlier_schedules(context(), std::move(first), sources, {});
    }
};

}  // namespace

TEST_CASE("a session gives the best of each of its runs, the fastest first") {
    Archive archive;
    const Schedule little = archive.run("s.db", 3, 20);
    const Schedule much = archive.run("s.db", 2, 400);
    const auto found = required(archive.found({archive.folder / "s.db"}));
    REQUIRE(found->schedules.size() == 2);
    CHECK(found->schedules[0] == much);
    CHECK(found->schedules[1] == little);
    CHECK(found->left_out.empty());
}

TEST_CASE("a folder gives what fits and passes over what does not, a file that is named has to fit") {
    Archive archive;
    const Schedule a = archive.run("a.db", 1);
    const Schedule b = archive.run("b.db", 2);
    {
        const KernelPtr other = sample_kernel("bmm_mma");
        auto session = required(SessionWriter::open(archive.folder / "other.db", other, "", ""));
        REQUIRE((*session)->close());
        std::ofstream(archive.folder / "broken.db") << "SQLite format 3, but no more";
        std::ofstream(archive.folder / "broken.cubin") << "no cubin";
    }
    const auto whole = required(archive.found({archive.folder.path()}));
    CHECK(whole->schedules.size() == 2);
    CHECK(whole->left_out.size() == 2);  // the two broken ones, by name
    for (const std::string& why : whole->left_out)
        CHECK(why.find("broken.") != std::string::npos);
    for (const char* name : {"other.db", "broken.db", "broken.cubin", "none.db"}) {
        INFO(name);
        CHECK_FALSE(archive.found({archive.folder / name}));
    }
    CHECK(archive.found({archive.folder / "other.db"}).error().message().find("another kernel") !=
          std::string::npos);
}

TEST_CASE("an exported cubin gives its schedule, and what stands twice is there once") {
    Archive archive;
    const Schedule best = archive.run("s.db", 1);
    REQUIRE(export_cubin(best, archive.folder / "best.cubin", Claim{}));
    const auto found =
        required(archive.found({archive.folder / "best.cubin", archive.folder / "s.db"}, {best}));
    REQUIRE(found->schedules.size() == 1);
    CHECK(found->schedules[0] == best);
}

TEST_CASE("no more than a race takes, the hand schedule among them, and never the original") {
    Archive archive;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        archive.run("s.db", seed, 60);
    const Schedule hand = archive.run("hand.db", 77, 10);
    const auto found = required(archive.found({archive.folder / "s.db"}, {hand, Schedule(archive.kernel)}));
    CHECK(found->schedules.size() == kMostSchedules);
    CHECK(found->schedules[0] == hand);
    for (const Schedule& schedule : found->schedules)
        CHECK(schedule != Schedule(archive.kernel));
}

TEST_CASE("what is not legal, or edits what is locked, is left out and named") {
    Archive archive;
    const Schedule best = archive.run("s.db", 1);
    SearchContext context = archive.context();
    for (InstrId id = 0; id < archive.kernel->size(); ++id)
        context.locked.push_back(id);
    const auto found = required(earlier_schedules(context, {}, {archive.folder / "s.db"}, {}));
    CHECK(found->schedules.empty());
    REQUIRE(found->left_out.size() == 1);
    CHECK(found->left_out[0].find("s.db, run 1") != std::string::npos);
    CHECK(found->left_out[0].find("leave alone") != std::string::npos);
}

TEST_CASE("a search for earlier schedules can be stopped") {
    Archive archive;
    archive.run("s.db", 1, 20);
    std::stop_source stop;
    stop.request_stop();
    const auto found = earlier_schedules(archive.context(), {}, {archive.folder.path()}, stop.get_token());
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::Cancelled);
}

TEST_CASE("a folder may hold more sessions than a process may have files open") {
    Archive archive;
    archive.run("first.db", 3, 20);
    for (int i = 0; i < 60; ++i)
        std::filesystem::copy_file(archive.folder / "first.db",
                                   archive.folder / ("copy" + std::to_string(i) + ".db"));
    const Schedule best = archive.run("last.db", 2, 400);
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit few = before;
    few.rlim_cur = 40;
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
    const auto found = archive.found({archive.folder.path()});
    REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    REQUIRE(found);
    REQUIRE(found->schedules.size() == 2);
    CHECK(found->schedules[0] == best);
    CHECK(found->left_out.empty());
}

TEST_CASE("an export is read as the schedule that it is, a file with other code is refused") {
    Archive archive;
    const Schedule best = archive.run("s.db", 1);
    REQUIRE(export_cubin(best, archive.folder / "best.cubin", Claim{}));
    CHECK(*read_schedule(archive.folder / "best.cubin", archive.kernel) == best);
    const auto other = read_schedule(std::string(CUBINLAB_SAMPLES) + "/bmm_mma.cubin", archive.kernel);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ErrorCode::BadUse);
    CHECK(other.error().message().find("not a schedule of this kernel") != std::string::npos);
}
