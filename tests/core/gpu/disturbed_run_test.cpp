// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs on scripted workers whose outcomes follow from the candidate alone: whatever happens to workers
// and line, and however many workers there are, the same seed ends with the same log and the same best
// schedule.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "core/evidence/step_measurement.h"
#include "core/gpu/client/gpu_pool.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests/";
constexpr std::uint64_t kSteps = 1200;

struct Ended {
    RunSummary summary;
    std::string best;  // hash
    std::vector<StepRecord> steps;
    std::set<std::uint16_t> devices;
};

class Scene {
  public:
    Scene() {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-run-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        std::filesystem::create_directory(folder_ / "state");
        const std::filesystem::path samples = CUBINLAB_SAMPLES;
        kernel_ = Kernel::load(Cubin::open(samples / "bmm_mma.cubin").value()).value();
        workload_ = Workload::load(samples / "bmm_mma.workload.json").value();
        std::ofstream(folder_ / "script.json")
            << json{{"default", {{"do", "hashed"}, {"hostile_every", 20}}}, {"candidates", json::object()}};
    }
    ~Scene() { std::filesystem::remove_all(folder_); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    std::filesystem::path state() const { return folder_ / "state"; }
    void bad_line(const std::string& mode, int place, int accidents) {
        std::ofstream(folder_ / "accidents") << accidents;
        prefix_ = kTests + "bad_line " + mode + " " + std::to_string(place) + " " +
                  (folder_ / "accidents").string() + " ";
    }
    int accidents_left() const {
        int left = -1;
        std::ifstream(folder_ / "accidents") >> left;
        return left;
    }
    // The second GPU of a pool gains more from every schedule than the first.
    void generous_second(double bonus) {
        second_script_ = "generous.json";
        std::ofstream(folder_ / second_script_)
            << json{{"default", {{"do", "hashed"}, {"hostile_every", 20}}},
                    {"candidates", json::object()},
                    {"confirm_bonus", bonus}};
    }
    Ended run(int workers = 1) {
        GpuSettings settings;
        const auto command = [&](const std::string& script) {
            return prefix_ + kTests + "fake_bench_worker " + (folder_ / script).string() + " " +
                   state().string();
        };
        settings.worker_commands.assign(static_cast<std::size_t>(workers), command("script.json"));
        if (workers > 1) settings.worker_commands[1] = command(second_script_);
        settings.hang_after = milliseconds(200);
        settings.silence = milliseconds(1000);
        auto evaluator = required(make_gpu_evaluator(kernel_, workload_, settings, {}));
        SearchContext context{kernel_,          HazardChecker::create(kernel_).value(), 5, "{}", {}, {},
                              Schedule(kernel_)};
        RunSettings run;
        run.agent = "greedy";
        run.seed = 5;
        run.budget.steps = kSteps;
        run.batch = 16;
        const auto db = folder_ / "run.db";
        std::filesystem::remove(db);
        auto session = SessionWriter::open(db, kernel_, workload_.json, "").value();
        RunHeader header;
        header.agent = run.agent;
        header.evaluator = (*evaluator)->info();
        header.start_hash = kernel_->hash();
        RunId id = 0;
        auto sink = session->begin_run(header, Schedule(kernel_), &id).value();
        TuneRun tune(context, run, make_searcher("greedy", context).value(), **evaluator, sink.get(),
                     nullptr);
        Ended out;
        auto summary = required(tune.run({}));
        out.summary = *summary;
        out.best = tune.best().hash().hex();
        sink.reset();
        REQUIRE(session->close());
        auto reader = SessionReader::open(db).value();
        out.steps = reader->steps(id).value();
        CHECK(reader->verify(kernel_, id).value() == out.steps.size());
        for (const StepRecord& step : out.steps)
            if (!step.repeated) out.devices.insert(step.outcome.device);
        return out;
    }

  private:
    std::filesystem::path folder_;
    std::string prefix_, second_script_ = "script.json";
    KernelPtr kernel_;
    Workload workload_;
};

// Same edits, same outcomes; devices and texts may differ.
void require_same(const Ended& a, const Ended& b) {
    CHECK(a.best == b.best);
    CHECK(a.summary.end == b.summary.end);
    REQUIRE(a.steps.size() == b.steps.size());
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        REQUIRE(a.steps[i].schedule_hash == b.steps[i].schedule_hash);
        REQUIRE(a.steps[i].outcome.kind == b.steps[i].outcome.kind);
        REQUIRE(a.steps[i].outcome.speedup.log == b.steps[i].outcome.speedup.log);
        REQUIRE(a.steps[i].best == b.steps[i].best);
    }
}

const Ended& undisturbed() {
    static const Ended ended = Scene().run();
    return ended;
}

}  // namespace

TEST_CASE("An undisturbed run finds something, and every hostile candidate is logged as what it was") {
    const Ended& run = undisturbed();
    CHECK(run.summary.end == RunEnd::Budget);
    CHECK(run.steps.size() == kSteps);
    CHECK(run.summary.best_step > 0);
    std::map<OutcomeKind, int> kinds;
    for (const StepRecord& step : run.steps)
        if (!step.repeated) ++kinds[step.outcome.kind];
    for (const OutcomeKind kind :
         {OutcomeKind::WrongResult, OutcomeKind::OutOfBoundsStore, OutcomeKind::Fault, OutcomeKind::Hang})
        CHECK(kinds[kind] > 3);
    CHECK(kinds[OutcomeKind::WrongResult] + kinds[OutcomeKind::OutOfBoundsStore] + kinds[OutcomeKind::Fault] +
              kinds[OutcomeKind::Hang] >=
          40);
    CHECK(kinds[OutcomeKind::WorkerLost] == 0);
    CHECK(kinds[OutcomeKind::Error] == 0);
    // What became best was ok; error probabilities of its confirmations fall as they are spent.
    double alpha = kConfirmAlpha;
    for (const StepRecord& step : run.steps) {
        if (!step.best) continue;
        CHECK(step.outcome.ok());
        CHECK(step.outcome.alpha < alpha);
        alpha = step.outcome.alpha;
        CHECK(step.outcome.detail.find("confirmation") != std::string::npos);
    }
    CHECK(alpha < kConfirmAlpha);
}

TEST_CASE("The same seed ends the same with one worker and with four") {
    const Ended many = Scene().run(4);
    require_same(undisturbed(), many);
    CHECK(many.devices.size() == 4);
}

TEST_CASE("A GPU that gains more from every schedule does not set a mark that the others cannot reach") {
    Scene scene;
    scene.generous_second(0.03);
    const Ended pool = scene.run(2);
    require_same(undisturbed(), pool);
    CHECK(pool.devices == std::set<std::uint16_t>{0, 1});
    std::uint16_t bests = 0;
    for (const StepRecord& step : pool.steps)
        if (step.best) {
            CHECK(step.outcome.device == 0);
            ++bests;
        }
    CHECK(bests >= 3);
}

TEST_CASE("Twenty workers killed with SIGKILL during a run change nothing") {
    for (const int workers : {1, 2}) {
        Scene scene;
        int killed = 0;
        std::jthread killer([&](std::stop_token stop) {
            // Each kill waits for some answers, so that no candidate loses three workers: that would rightly
            // be logged as WorkerLost.
            std::set<pid_t> done;
            std::uintmax_t seen = 0;
            while (!stop.stop_requested() && killed < 20) {
                std::this_thread::sleep_for(milliseconds(1));
                std::error_code none;
                const auto answers = std::filesystem::file_size(scene.state() / "log", none);
                if (none || answers < seen + 300) continue;
                std::ifstream file(scene.state() / "pids");
                std::vector<pid_t> pids;
                for (pid_t pid = 0; file >> pid;)
                    pids.push_back(pid);
                for (auto pid = pids.rbegin(); pid != pids.rend(); ++pid)
                    if (done.insert(*pid).second && ::kill(*pid, SIGKILL) == 0) {
                        ++killed;
                        seen = answers;
                        break;
                    }
            }
        });
        const Ended ended = scene.run(workers);
        killer.request_stop();
        killer.join();
        CHECK(killed == 20);
        require_same(undisturbed(), ended);
    }
}

TEST_CASE("A line that delays, drops in the middle of a frame, or garbles changes nothing") {
    for (const char* mode : {"drop", "garble", "kill", "delay"})
        for (const int place : {3000, 20011}) {
            Scene scene;
            scene.bad_line(mode, place, 3);
            INFO(mode << " at byte " << place);
            require_same(undisturbed(), scene.run());
            CHECK(scene.accidents_left() < 3);
        }
}

TEST_CASE("The error probability of a run's confirmations adds up to that of one") {
    double sum = 0;
    for (std::uint64_t j = 1; j <= 100000; ++j)
        sum += confirmation_alpha(j);
    CHECK(sum < kConfirmAlpha);
    CHECK(sum > 0.9999 * kConfirmAlpha);
    CHECK(confirmation_alpha(1) == Approx(kConfirmAlpha / 2));
}
