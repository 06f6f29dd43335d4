// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that are drawn are legal, different and come back from the file; pairs are told apart by their
// intervals, and tau-b is what it is by hand.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "app/lab/study/rank_study.h"
#include "core/base/file.h"
#include "core/jobs/rank_score.h"
#include "tests/support/catch.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

struct Folder {
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-rank-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
};

RankRow row(bool near_good, double mean, double error) {
    return {near_good, {}, {mean, error, 4}, {mean, error, 4}};
}

// Costs an edit no searcher would: what the original's order and codes are not.
double strange_cost(const Schedule& schedule) {
    double cost = 100;
    for (InstrId id = 0; id < schedule.size(); ++id)
        cost += (schedule.moved(id) ? 0.01 * (id % 7) : 0) + (schedule.control_changed(id) ? 0.02 : 0);
    return cost;
}

}  // namespace

TEST_CASE("rank: schedules are legal, no two alike, and come back from the file as they were") {
    const CheckerPtr checker = test::checker_of_sample("bmm_mma");
    const Schedule original(checker->kernel());
    RankSettings settings;
    settings.schedules = 24;
    settings.seconds = 0;
    auto walked = draw_schedules(checker, {}, settings);
    REQUIRE(walked.size() == 24);
    const Schedule good = walked.back().schedule;
    const auto drawn = draw_schedules(checker, good, settings);
    REQUIRE(drawn.size() == 24);
    std::set<Hash128> seen;
    std::size_t near_good = 0;
    for (const DrawnSchedule& one : drawn) {
        CHECK(seen.insert(one.schedule.hash()).second);
        CHECK(checker->check(one.schedule).empty());
        near_good += one.near_good;
    }
    CHECK(near_good == 12);
    CHECK(drawn[0].schedule == original);
    CHECK(drawn[12].schedule == good);

    std::size_t looks = 0;
    const RankMeasure measure =
        [&](const std::vector<const Schedule*>& batch) -> Result<std::vector<RankLook>> {
        std::vector<RankLook> out;
        for (const Schedule* schedule : batch) {
            ++looks;
            if (*schedule == drawn[5].schedule)
                out.push_back({{}, "wrong result"});
            else
                out.push_back(
                    {{std::log(100 / strange_cost(*schedule)), std::log(100 / strange_cost(*schedule))}, {}});
        }
        return out;
    };
    auto rows = measure_ranks(drawn, measure, settings, {});
    REQUIRE(rows);
    CHECK(rows->passes == 2);
    CHECK(rows->failed == 1);  // and never again
    CHECK(looks == 24 + 23);
    REQUIRE(rows->failures.size() == 1);
    CHECK(rows->failures[0].find("wrong result") != std::string::npos);

    RankFile file;
    file.kernel = checker->kernel()->name();
    file.cubin = "bmm_mma.cubin";
    file.code = checker->kernel()->hash();
    file.launch.blocks_in_grid = 256;
    file.good = difference(original, good);
    file.rows = rows->rows;
    const Folder folder;
    REQUIRE(write_text(folder.path / "bmm_mma.rank.json", to_text(file)));
    auto back = read_rank_file(folder.path / "bmm_mma.rank.json");
    INFO((back ? std::string() : back.error().message()));
    REQUIRE(back);
    CHECK(back->launch.blocks_in_grid == 256);
    REQUIRE(back->rows.size() == 23);
    auto schedules = back->schedules(checker->kernel());
    REQUIRE(schedules);
    for (std::size_t i = 0; i < schedules->size(); ++i) {
        CHECK((*schedules)[i] == drawn[i < 5 ? i : i + 1].schedule);
        CHECK(back->rows[i].a.mean == Approx(std::log(100 / strange_cost((*schedules)[i]))).margin(1e-7));
        CHECK(back->rows[i].b.loads == 2);
    }
    std::vector<double> costs;
    for (const Schedule& schedule : *schedules)
        costs.push_back(strange_cost(schedule));
    const RankScore perfect = score(back->rows, costs);
    CHECK(perfect.within.pairs() > 50);
    CHECK(perfect.within.tau_b() == 1);
    CHECK(perfect.itself.tau_b() == 1);

    const CheckerPtr other = test::checker_of_sample("softmax");
    CHECK_FALSE(back->schedules(other->kernel()));
}

TEST_CASE("rank: pairs are told apart where 99 % intervals do not touch, tau-b by hand") {
    // Means 0, 1, 2, 3 % with an error of 0.1 % over 8 loads in all (4 a half: the mean of both has 0.1 % / sqrt 2):
    // every pair is clear. The judged order swaps the two best and ties the two worst.
    const std::vector<RankRow> rows = {row(false, 0, 0.001), row(false, 0.01, 0.001), row(false, 0.02, 0.001),
                                       row(false, 0.03, 0.001)};
    const std::vector<double> cycles = {100, 100, 98, 99};
    const RankScore s = score(rows, cycles);
    CHECK(s.within.agree == 4);
    CHECK(s.within.disagree == 1);
    CHECK(s.within.ties == 1);
    CHECK(s.within.tau_b() == Approx(3 / std::sqrt(6.0 * 5.0)));
    CHECK(s.all.pairs() == 6);

    // 0.3 % apart with 0.1 % each: 0.0707 * 2.576 * 2 = 0.364 % would be needed.
    CHECK(clear_pairs(std::vector<RankRow>{row(false, 0, 0.001), row(false, 0.003, 0.001)}).empty());
    CHECK(clear_pairs(std::vector<RankRow>{row(false, 0, 0.001), row(false, 0.004, 0.001)}).size() == 1);
    // A row that is lucky enough to show no error has that of the others.
    CHECK(clear_pairs(std::vector<RankRow>{row(false, 0, 0), row(false, 0.001, 0), row(false, 0.5, 0.002)})
              .size() == 2);
    // Of different sides: counted in `all` alone.
    const RankScore across = score(std::vector<RankRow>{row(false, 0, 0.001), row(true, 0.02, 0.001)},
                                   std::vector<double>{100, 90});
    CHECK(across.within.pairs() == 0);
    CHECK(across.all.agree == 1);
}

TEST_CASE("rank: a file that is none, or says something else, is refused in one line") {
    const Folder folder;
    const auto path = folder.path / "x.rank.json";
    for (const char* text : {"", "[]", "{}", R"({"cubinlab":"rank","version":2})",
                             R"({"cubinlab":"rank","version":1,"kernel":3})"}) {
        REQUIRE(write_text(path, text));
        auto file = read_rank_file(path);
        REQUIRE_FALSE(file);
        CHECK(file.error().message().find('\n') == std::string::npos);
    }
    RankFile file;
    file.rows.push_back(row(false, 0, 0.001));
    std::string text = to_text(file);
    text.replace(text.find("\"original\""), 10, "\"elsewhere\"");
    REQUIRE(write_text(path, text));
    CHECK_FALSE(read_rank_file(path));
}
