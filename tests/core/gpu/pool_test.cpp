// SPDX-License-Identifier: GPL-3.0-or-later
// Pools of scripted workers (tests/fakes/fake_bench_worker.cpp): who gets what, and what becomes of it when a
// member dies.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "core/gpu/client/gpu_pool.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests/";

// Each member has its own script and state folder.
struct Scene {
    std::filesystem::path folder;
    std::vector<json> scripts;

    explicit Scene(std::size_t members) {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-pool-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        const json script = {{"default", {{"do", "hashed"}}}, {"candidates", json::object()}};
        scripts.resize(members, script);
    }
    ~Scene() { std::filesystem::remove_all(folder); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    static WireImage image(std::size_t n) { return {{}, hash_bytes(&n, sizeof n)}; }
    std::filesystem::path state(std::size_t member) const { return folder / std::to_string(member); }
    std::unique_ptr<GpuPool> pool() {
        std::vector<PoolMember> members;
        for (std::size_t i = 0; i < scripts.size(); ++i) {
            std::filesystem::create_directory(state(i));
            const std::string script = (folder / (std::to_string(i) + ".json")).string();
            std::ofstream(script) << scripts[i];
            members.push_back({kTests + "fake_bench_worker " + script + " " + state(i).string(), 0});
        }
        ClientSettings settings;
        settings.hang_after = milliseconds(100);
        settings.grace = milliseconds(100);
        settings.silence = milliseconds(2000);
        settings.start_within = milliseconds(20000);
        return std::make_unique<GpuPool>(members, settings, PrepareRequest{});
    }
    // Candidates 0 .. count-1 at the given effort.
    static Result<std::vector<PooledOutcome>> run(GpuPool& pool, std::size_t count,
                                                  Effort effort = Effort::Screen, std::stop_token stop = {}) {
        return pool.evaluate(effort, image(1'000'000), count, image, {}, stop);
    }
    // What the script says of a candidate, from the hash alone.
    static double truth(std::size_t n) {
        return (static_cast<double>(image(n).hash.lo % 2000) - 1600) / 10000;
    }
    std::vector<std::string> log(std::size_t member) const {
        std::ifstream file(state(member) / "log");
        std::vector<std::string> out;
        for (std::string line; std::getline(file, line);)
            out.push_back(line);
        return out;
    }
};

}  // namespace

TEST_CASE("A batch is shared among all members, and its outcomes come back in order") {
    Scene scene(3);
    for (json& script : scene.scripts)
        script["default"]["ms"] = 2;
    auto pool = scene.pool();
    REQUIRE(pool->start({}));
    auto outcomes = required(Scene::run(*pool, 200));
    std::map<int, int> by_member;
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK((*outcomes)[i].outcome.kind == OutcomeKind::Ok);
        CHECK((*outcomes)[i].outcome.speedup.log == Approx(Scene::truth(i)).margin(1e-9));
        ++by_member[(*outcomes)[i].member];
    }
    CHECK(by_member.size() == 3);
    for (const auto& [member, count] : by_member)
        CHECK(count >= 20);
}

TEST_CASE("The number of members changes no outcome") {
    std::vector<std::vector<double>> runs;
    for (const std::size_t members : {1u, 2u, 5u}) {
        Scene scene(members);
        for (json& script : scene.scripts)
            script["default"]["hostile_every"] = 7;
        auto pool = scene.pool();
        REQUIRE(pool->start({}));
        auto outcomes = required(Scene::run(*pool, 150));
        std::vector<double> figures;
        for (const PooledOutcome& o : *outcomes)
            figures.push_back(o.outcome.kind == OutcomeKind::Ok ? o.outcome.speedup.log
                                                                : 100 + static_cast<double>(o.outcome.kind));
        runs.push_back(figures);
    }
    CHECK(runs[0] == runs[1]);
    CHECK(runs[0] == runs[2]);
    CHECK(std::count_if(runs[0].begin(), runs[0].end(), [](double x) { return x > 50; }) > 5);
}

TEST_CASE("A candidate is promoted on the GPU that screened it, all confirmations are made on one GPU") {
    Scene scene(3);
    for (json& script : scene.scripts)
        script["default"]["ms"] = 2;
    auto pool = scene.pool();
    REQUIRE(pool->start({}));
    auto screened = required(Scene::run(*pool, 60));
    auto promoted = required(Scene::run(*pool, 60, Effort::Refine));
    for (std::size_t i = 0; i < 60; ++i)
        CHECK((*promoted)[i].member == (*screened)[i].member);
    auto confirmed = required(Scene::run(*pool, 60, Effort::Confirm));
    for (std::size_t i = 0; i < 60; ++i)
        CHECK((*confirmed)[i].member == 0);
    // The workers' own logs say the same: screenings and promotions of a candidate were never on two of them.
    std::map<std::string, std::set<std::size_t>> seen;
    std::map<std::size_t, int> confirmations;
    for (std::size_t member = 0; member < 3; ++member)
        for (const std::string& line : scene.log(member)) {
            if (line.front() == '2')
                ++confirmations[member];
            else
                seen[line.substr(2)].insert(member);
        }
    CHECK(seen.size() == 60);
    for (const auto& [hash, members] : seen)
        CHECK(members.size() == 1);
    CHECK(confirmations == std::map<std::size_t, int>{{0, 60}});
}

TEST_CASE("A member that cannot be brought back leaves, and the others do its work") {
    Scene scene(2);
    scene.scripts[1]["die_after"] = 3;
    scene.scripts[1]["bad_starts"] = {2, 1000000};
    auto pool = scene.pool();
    REQUIRE(pool->start({}));
    for (int round = 0; round < 3; ++round) {
        auto outcomes = required(Scene::run(*pool, 100));
        for (std::size_t i = 0; i < 100; ++i) {
            CHECK((*outcomes)[i].outcome.kind == OutcomeKind::Ok);
            CHECK((*outcomes)[i].outcome.speedup.log == Approx(Scene::truth(i)).margin(1e-9));
        }
    }
    const auto states = pool->states();
    CHECK(states[0].up);
    CHECK_FALSE(states[1].up);
    CHECK_FALSE(states[1].left_out);  // it is tried again later
    CHECK_FALSE(states[1].note.empty());
}

TEST_CASE("A member that was down comes back by itself") {
    Scene scene(2);
    scene.scripts[1]["die_after"] = 3;
    scene.scripts[1]["bad_starts"] = {2, 7};  // three attempts after its death, three more at once
    auto pool = scene.pool();
    REQUIRE(pool->start({}));
    REQUIRE(test::wait_until([&] {
        auto outcomes = Scene::run(*pool, 50);
        return !outcomes || !pool->states()[1].up;
    }));
    CHECK_FALSE(pool->states()[1].up);
    CHECK(test::wait_until([&] { return pool->states()[1].up; }));
    const auto before = pool->states()[1].candidates;
    REQUIRE(Scene::run(*pool, 2));
    CHECK(test::wait_until(
        [&] { return Scene::run(*pool, 20).has_value() && pool->states()[1].candidates > before; }));
}

TEST_CASE("Another kind of GPU is left out, and said so") {
    Scene scene(3);
    scene.scripts[1]["device"] = "Another GPU";
    scene.scripts[2]["refuse"] = "params[1] is too big";
    auto pool = scene.pool();
    REQUIRE(pool->start({}));
    const auto states = pool->states();
    int up = 0;
    for (const PoolMemberState& state : states)
        up += state.up;
    CHECK(up == 1);
    CHECK(states[2].left_out);
    CHECK(states[2].note.find("too big") != std::string::npos);
    const PoolMemberState& other = states[0].up ? states[1] : states[0];
    CHECK(other.left_out);
    CHECK(other.note.find("never mixes") != std::string::npos);
    REQUIRE(Scene::run(*pool, 20));
}

TEST_CASE("A candidate on which two members went down is given up, with no member left that is an error") {
    Scene scene(4);
    for (json& script : scene.scripts) {
        script["candidates"][Scene::image(5).hash.hex()] = {{"do", "exit"}};
        script["bad_starts"] = {2, 1000000};
    }
    {
        auto pool = scene.pool();
        REQUIRE(pool->start({}));
        auto outcomes = required(Scene::run(*pool, 40));
        for (std::size_t i = 0; i < 40; ++i)
            CHECK((*outcomes)[i].outcome.kind == (i == 5 ? OutcomeKind::WorkerLost : OutcomeKind::Ok));
    }
    Scene lonely(1);
    lonely.scripts[0]["die_after"] = 3;
    lonely.scripts[0]["bad_starts"] = {2, 1000000};
    auto pool = lonely.pool();
    REQUIRE(pool->start({}));
    auto outcomes = Scene::run(*pool, 40);
    REQUIRE_FALSE(outcomes);
    CHECK(outcomes.error().code == ErrorCode::Worker);
}

TEST_CASE("No member at all is the first one's error, and a stop request ends a batch at once") {
    Scene scene(2);
    for (json& script : scene.scripts)
        script["refuse"] = "no such GPU";
    auto status = scene.pool()->start({});
    REQUIRE_FALSE(status);
    CHECK(status.error().message().find("no such GPU") != std::string::npos);

    Scene slow(2);
    for (json& script : slow.scripts)
        script["default"] = {{"do", "slow"}, {"ms", 50}};
    auto pool = slow.pool();
    REQUIRE(pool->start({}));
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(milliseconds(200));
        source.request_stop();
    });
    auto outcomes = Scene::run(*pool, 1000, Effort::Screen, source.get_token());
    REQUIRE_FALSE(outcomes);
    CHECK(outcomes.error().code == ErrorCode::Cancelled);
    CHECK(Scene::run(*pool, 2).has_value());  // and the pool is still good
}
