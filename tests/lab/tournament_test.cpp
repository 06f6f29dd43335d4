// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament that is cut off, carried elsewhere and gone on with, on a scripted worker.
#include "app/lab/study/tournament.h"

#include <algorithm>
#include <fstream>

#include "app/lab/study/agent_choice.h"
#include "core/base/file.h"
#include "core/search/engine/searcher.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;
using cubinlab::test::TemporaryFolder;
using Json = nlohmann::ordered_json;

namespace {

TournamentKernel kernel_named(const std::string& name) {
    const KernelPtr kernel = test::kernel_of_sample(name);
    auto workload = required(find_workload(*kernel, {}));
    return {name, kernel, **workload};
}

struct Hall {
    TemporaryFolder folder;
    std::vector<std::string> said;
    TournamentSettings settings;

    explicit Hall(const std::string& device = "Scripted GPU") {
        settings.agents = {"auto", "greedy"};
        settings.seconds = 0.2;
        settings.loads = 2;
        settings.cold = false;
        settings.folder = folder / "runs";
        worker(device);
    }
    void worker(const std::string& device) {
        std::filesystem::create_directories(folder / "state");
        std::ofstream(folder / "script.json") << Json{{"device", device},
                                                      {"default", {{"do", "hashed"}}},
                                                      {"compare", {{"do", "ok"}, {"log_speedup", 0.02}}}};
        settings.gpu.worker_command = std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " +
                                      (folder / "script.json") + " " + (folder / "state");
    }
    std::vector<Json> hold(const std::vector<TournamentKernel>& kernels) {
        said.clear();
        auto runs =
            hold_tournament(kernels, settings, [&](const std::string& line) { said.push_back(line); }, {});
        if (!runs) FAIL(runs.error().message());
        return *runs;
    }
    Json document(const std::string& stem) const {
        return Json::parse(read_text(settings.folder / (stem + ".json")).value_or("null"));
    }
    void write(const std::string& stem, const Json& document) const {
        REQUIRE(write_text(settings.folder / (stem + ".json"), document.dump()));
    }
};

Json run_of(const std::string& kernel, const std::string& agent, double hot, double seconds = 30) {
    return {{"kernel", kernel},
            {"agent", agent},
            {"seed", 1},
            {"seconds", seconds},
            {"cache", "hot"},
            {"version", "1"},
            {"claimed", hot - 0.001},
            {"hot", {{"log_speedup", hot}, {"low", hot}, {"high", hot}}}};
}

}  // namespace

TEST_CASE("tournament: what is there is not run again, on whatever GPU it was") {
    Hall hall("Scripted A");
    const auto first = hall.hold({kernel_named("softmax")});
    REQUIRE(first.size() == 2);
    CHECK(hall.said.size() == 2);
    CHECK(first[0]["device"].get<std::string>().find("Scripted A") != std::string::npos);
    CHECK_FALSE(first[0].value("version", "").empty());
    hall.worker("Scripted B");
    hall.settings.devices = {1, 0};
    const auto again = hall.hold({kernel_named("softmax")});
    CHECK(hall.said.empty());
    CHECK(again == first);
}

TEST_CASE("tournament: a document tells what the run's time went into") {
    Hall hall;
    for (const Json& run : hall.hold({kernel_named("softmax")})) {
        const Json& spent = run.at("spent");
        std::uint64_t steps = 0;
        double seconds = 0;
        for (const auto& [way, part] : spent.items()) {
            CHECK(part.at("calls").get<std::uint64_t>() <= part.at("candidates").get<std::uint64_t>());
            seconds += part.at("seconds").get<double>();
            // A promotion or a confirmation of the ladder is of a step that was screened.
            if (way != "promote" && way != "confirm") steps += part.at("candidates").get<std::uint64_t>();
        }
        CHECK(steps > 0);
        CHECK(steps <= run.at("steps").get<std::uint64_t>());
        CHECK(seconds <= run.at("took").get<double>());
    }
}

TEST_CASE("tournament: a winner that was not measured before the cut is measured first, by the next") {
    Hall hall;
    const auto whole = hall.hold({kernel_named("softmax")});
    const auto found =
        std::find_if(whole.begin(), whole.end(), [](const Json& run) { return run.contains("winner"); });
    REQUIRE(found != whole.end());
    const std::string stem = "softmax." + (*found)["agent"].get<std::string>() + ".1";
    Json cut = *found;
    cut.erase("hot");
    cut["unmeasured"] = true;
    hall.write(stem, cut);

    SECTION("where there is time") {
        const auto runs = hall.hold({kernel_named("softmax")});
        REQUIRE(hall.said.size() == 1);
        const Json now = hall.document(stem);
        CHECK_FALSE(now.contains("unmeasured"));
        CHECK(now["hot"]["log_speedup"].get<double>() == Approx(0.02));
        CHECK(now["steps"] == cut["steps"]);  // not searched again
    }
    SECTION("where there is none it waits, and the table says that the figure is the run's") {
        hall.settings.until = std::chrono::steady_clock::now();
        const auto runs = hall.hold({kernel_named("softmax")});
        CHECK(hall.document(stem)["unmeasured"] == true);
        CHECK(tournament_markdown(runs).find("*: as claimed in the run") != std::string::npos);
    }
    SECTION("and where no loads are asked for") {
        hall.settings.loads = 0;
        hall.hold({kernel_named("softmax")});
        CHECK(hall.document(stem)["unmeasured"] == true);
        hall.settings.loads = 2;
        hall.hold({kernel_named("softmax")});
        CHECK(hall.document(stem).contains("hot"));
    }
    SECTION("a winner that is not the run's is told, and the match run again") {
        std::ofstream(hall.settings.folder / (stem + ".cubin")) << "something else";
        hall.hold({kernel_named("softmax")});
        CHECK(hall.document(stem).value("error", "").find("not the one of the run") != std::string::npos);
        hall.hold({kernel_named("softmax")});
        CHECK_FALSE(hall.document(stem).contains("error"));
    }
}

TEST_CASE(
    "tournament: what was best early is measured over loads of its own number, and a document tells the "
    "waits") {
    Hall hall;
    hall.settings.agents = {"greedy"};
    hall.settings.seconds = 0.6;
    hall.settings.early = 0.3;
    for (const auto& [early, expected] : {std::pair(0, 4), std::pair(3, 3)}) {
        hall.settings.loads = 4;
        hall.settings.early_loads = early;
        hall.settings.folder = hall.folder / ("runs" + std::to_string(early));
        const auto runs = hall.hold({kernel_named("softmax")});
        REQUIRE(runs.size() == 1);
        INFO(runs[0].dump(1));
        REQUIRE(runs[0].contains("winner"));
        CHECK(runs[0]["hot"]["loads"] == 4);
        REQUIRE(runs[0]["early"].contains("winner"));
        CHECK(runs[0]["early"]["hot"]["loads"] == expected);
        CHECK(runs[0]["waited"].size() == 3);
        for (const char* wait : {"proposals", "ahead", "decisions"})
            CHECK(runs[0]["waited"][wait].get<double>() >= 0);
    }
}

TEST_CASE("tournament: no search begins that would not be over in time, a shorter one behind it does") {
    Hall hall;
    hall.settings.seconds = 1000;
    hall.settings.seconds_of = {{"auto", 0.2}};
    hall.settings.agents = {"greedy", "auto"};
    hall.settings.until = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    const auto runs = hall.hold({kernel_named("softmax")});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0]["agent"] == "auto");
    CHECK(runs[0]["seconds"] == 0.2);
}

TEST_CASE("tournament: one seed of all comes before the next, kernel after kernel or agent after agent") {
    const std::vector<TournamentKernel> kernels = {kernel_named("softmax"), kernel_named("rmsnorm")};
    for (const bool agents_first : {false, true}) {
        Hall hall;
        hall.settings.seconds = 0.05;
        hall.settings.seeds = {1, 2};
        hall.settings.agents_first = agents_first;
        hall.hold(kernels);
        std::vector<std::string> order;
        for (const std::string& line : hall.said)
            order.push_back(line.substr(0, line.find(' ')));
        const std::vector<std::string> by_kernel = {"softmax.auto.1", "softmax.greedy.1", "rmsnorm.auto.1",
                                                    "rmsnorm.greedy.1"},
                                       by_agent = {"softmax.auto.1", "rmsnorm.auto.1", "softmax.greedy.1",
                                                   "rmsnorm.greedy.1"};
        REQUIRE(order.size() == 8);
        CHECK(std::vector<std::string>(order.begin(), order.begin() + 4) ==
              (agents_first ? by_agent : by_kernel));
        CHECK(order[4] == "softmax.auto.2");
    }
}

TEST_CASE("tournament: a folder of another length is refused, an agent's own length is not another") {
    Hall hall;
    hall.settings.seconds_of = {{"auto", 0.1}};
    hall.hold({kernel_named("softmax")});
    hall.hold({kernel_named("softmax")});
    CHECK(hall.said.empty());
    hall.settings.seconds_of = {};
    auto refused = hold_tournament({kernel_named("softmax")}, hall.settings, [](const std::string&) {}, {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadUse);
}

TEST_CASE("tournament: the table counts on how many kernels the first of two agents is not behind") {
    std::vector<Json> runs = {run_of("a", "auto", 0.05, 15), run_of("a", "greedy", 0.04, 60),
                              run_of("b", "auto", 0.01, 15), run_of("b", "greedy", 0.02, 60),
                              run_of("c", "auto", 0.03, 15)};
    const std::string table = tournament_markdown(runs);
    CHECK(table.find("auto 15 s, hot") != std::string::npos);
    CHECK(table.find("greedy 60 s, hot") != std::string::npos);
    CHECK(table.find("auto is at least greedy on 1 of 2 kernels, hot.") != std::string::npos);
    CHECK(table.find("versions") == std::string::npos);
    CHECK(table.find('*' + std::string(": as claimed")) == std::string::npos);

    runs[1]["version"] = "2";
    CHECK(tournament_markdown(runs).find("Runs of 2 versions of the program: 1; 2.") != std::string::npos);

    // Not measured again: as claimed, and marked so; nothing found is nothing gained.
    runs[0].erase("hot");
    runs[0]["unmeasured"] = true;
    runs[3].erase("hot");
    runs[3]["claimed"] = 0;
    const std::string cut = tournament_markdown(runs);
    CHECK(cut.find("1.0502*") != std::string::npos);
    CHECK(cut.find("auto is at least greedy on 2 of 2 kernels") != std::string::npos);
    CHECK(tournament_csv(runs).find("a,auto,1,hot,15,0,0,0,1.05022") != std::string::npos);
}

TEST_CASE("tournament: an agent with settings of its own is one word, and a name of files") {
    CHECK(agent_choice("greedy").name == "greedy");
    CHECK(agent_choice("greedy").settings_json == "{}");
    const AgentChoice chosen = agent_choice("auto:stalls=4+turn=200");
    CHECK(chosen.name == "auto");
    CHECK(chosen.settings_json == R"({"stalls":4,"turn":200})");
    // What is no setting is the agent's to refuse.
    for (const char* word :
         {"auto:", "auto:stalls", "auto:stalls=", "auto:=1", "auto:nothing=1", "auto:stalls=4+"}) {
        INFO(word);
        const KernelPtr kernel = kernel_named("softmax").kernel;
        SearchContext context{
            kernel,          *HazardChecker::create(kernel), 1, agent_choice(word).settings_json, {}, {},
            Schedule(kernel)};
        const bool made = static_cast<bool>(make_searcher(agent_choice(word).name, context));
        CHECK(made == (std::string(word) == "auto:" || std::string(word) == "auto:stalls=4+"));
    }
}

TEST_CASE("tournament: an agent beside itself with other settings, each with documents of its own") {
    Hall hall;
    hall.settings.agents = {"group", "group:drift=0+pool=24"};
    const auto runs = hall.hold({kernel_named("softmax")});
    REQUIRE(runs.size() == 2);
    CHECK_FALSE(runs[1].contains("error"));
    CHECK(hall.document("softmax.group:drift=0+pool=24.1")["agent"] == "group:drift=0+pool=24");
}
