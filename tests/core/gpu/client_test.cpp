// SPDX-License-Identifier: GPL-3.0-or-later
// The client against scripted workers (tests/fakes/fake_bench_worker.cpp) and a bad line (bad_line.cpp).
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/schedule/cubin_writer.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests/";

// A folder that goes with the test, a script in it, and settings that start the scripted worker.
struct Scene {
    std::filesystem::path folder;
    json script = {{"default", {{"do", "ok"}}}, {"candidates", json::object()}};
    std::string prefix;  // words before the worker's own command

    Scene() {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-client-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        std::filesystem::create_directory(folder / "state");
    }
    ~Scene() { std::filesystem::remove_all(folder); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    void rule(int candidate, json what) {
        script["candidates"][image(candidate).hash.hex()] = std::move(what);
    }
    static WireImage image(int n) { return {{}, hash_bytes(&n, sizeof n)}; }
    static std::vector<WireImage> images(int count) {
        std::vector<WireImage> out;
        for (int i = 0; i < count; ++i)
            out.push_back(image(i));
        return out;
    }
    ClientSettings settings() {
        std::ofstream(folder / "script.json") << script;
        ClientSettings out;
        out.command = prefix + kTests + "fake_bench_worker " + (folder / "script.json").string() + " " +
                      (folder / "state").string();
        out.hang_after = milliseconds(100);
        out.grace = milliseconds(100);
        out.silence = milliseconds(400);
        out.start_within = milliseconds(20000);
        return out;
    }
    void bad_line(const std::string& mode, int place, int accidents) {
        std::ofstream(folder / "accidents") << accidents;
        prefix = kTests + "bad_line " + mode + " " + std::to_string(place) + " " +
                 (folder / "accidents").string() + " ";
    }
    Result<std::vector<BenchOutcome>> run(int count, int* workers = nullptr) {
        GpuClient client(settings(), PrepareRequest{});
        auto out = client.evaluate(Effort::Screen, image(-1), images(count), {});
        if (workers) *workers = client.workers_started();
        return out;
    }
};

}  // namespace

TEST_CASE("Outcomes come back in order, from one worker, after a banner") {
    Scene scene;
    scene.rule(3, {{"do", "ok"}, {"log_speedup", 0.05}});
    int workers = 0;
    auto outcomes = required(scene.run(10, &workers));
    REQUIRE(outcomes->size() == 10);
    for (int i = 0; i < 10; ++i) {
        CHECK((*outcomes)[static_cast<std::size_t>(i)].kind == OutcomeKind::Ok);
        CHECK((*outcomes)[static_cast<std::size_t>(i)].speedup.log == Approx(i == 3 ? 0.05 : 0.0));
    }
    CHECK((*outcomes)[3].verdict == Verdict::Faster);
    CHECK(workers == 1);
}

TEST_CASE("What a candidate does is its own outcome, and costs its neighbours nothing") {
    Scene scene;
    scene.rule(1, {{"do", "wrong"}});
    scene.rule(2, {{"do", "fault"}});
    scene.rule(4, {{"do", "wild"}});
    scene.rule(5, {{"do", "reported-hang"}});
    scene.rule(6, {{"do", "stuck"}});
    scene.rule(7, {{"do", "hang"}});
    int workers = 0;
    auto outcomes = required(scene.run(9, &workers));
    const OutcomeKind expected[] = {OutcomeKind::Ok,
                                    OutcomeKind::WrongResult,
                                    OutcomeKind::Fault,
                                    OutcomeKind::Ok,
                                    OutcomeKind::OutOfBoundsStore,
                                    OutcomeKind::Hang,
                                    OutcomeKind::Hang,
                                    OutcomeKind::Hang,
                                    OutcomeKind::Ok};
    for (std::size_t i = 0; i < 9; ++i) {
        INFO(i);
        CHECK((*outcomes)[i].kind == expected[i]);
    }
    CHECK((*outcomes)[2].detail == "scripted fault");
    CHECK(workers >= 7);  // a fresh one after each anomaly
}

TEST_CASE("A worker lost without a word is replaced and the candidate tried again") {
    Scene scene;
    scene.rule(2, {{"do", "exit"}, {"times", 1}, {"log_speedup", 0.03}});
    scene.rule(4, {{"do", "cut"}, {"times", 2}});
    scene.rule(5, {{"do", "garbage"}, {"times", 1}});
    scene.rule(6, {{"do", "hang"}, {"times", 1}});
    auto outcomes = required(scene.run(8));
    for (const BenchOutcome& outcome : *outcomes)
        CHECK(outcome.kind == OutcomeKind::Ok);
    CHECK((*outcomes)[2].speedup.log == Approx(0.03));
}

TEST_CASE("A candidate that loses every worker is given up, the rest is measured") {
    Scene scene;
    scene.rule(1, {{"do", "exit"}});
    scene.rule(3, {{"do", "garbage"}});
    auto outcomes = required(scene.run(5));
    CHECK((*outcomes)[1].kind == OutcomeKind::WorkerLost);
    CHECK((*outcomes)[3].kind == OutcomeKind::WorkerLost);
    for (std::size_t i : {0u, 2u, 4u})
        CHECK((*outcomes)[i].kind == OutcomeKind::Ok);
}

TEST_CASE("A slow candidate is not a hang while the worker lives") {
    Scene scene;
    scene.rule(1, {{"do", "slow"}, {"ms", 250}});
    auto outcomes = required(scene.run(3));
    for (const BenchOutcome& outcome : *outcomes)
        CHECK(outcome.kind == OutcomeKind::Ok);
}

TEST_CASE("What the worker says about the workload is the error") {
    Scene scene;
    scene.script["refuse"] = "params[1] is too big";
    auto outcomes = scene.run(1);
    REQUIRE_FALSE(outcomes);
    CHECK(outcomes.error().code == ErrorCode::BadInput);
    CHECK(outcomes.error().what == "params[1] is too big");
}

TEST_CASE("A command that is no worker is an error that says what it printed") {
    ClientSettings settings;
    settings.start_within = milliseconds(2000);
    for (const char* command :
         {"sh -c 'echo no such module >&2; exit 3'", "/nonexistent/worker", "sh -c 'yes | head -c 200000'"}) {
        settings.command = command;
        GpuClient client(settings, PrepareRequest{});
        auto status = client.ready({});
        INFO(command);
        REQUIRE_FALSE(status);
        CHECK(status.error().code == ErrorCode::Worker);
        const GpuProbe probe = GpuClient::probe(settings, 0);
        CHECK_FALSE(probe.present);
        CHECK_FALSE(probe.reason.empty());
    }
    settings.command = "sh -c 'echo no such module >&2; exit 3'";
    CHECK(GpuClient::probe(settings, 0).reason.find("no such module") != std::string::npos);
}

TEST_CASE("A stop request ends the wait and the worker") {
    Scene scene;
    scene.rule(0, {{"do", "hang"}});
    ClientSettings settings = scene.settings();
    settings.silence = milliseconds(60000);
    GpuClient client(settings, PrepareRequest{});
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(milliseconds(150));
        source.request_stop();
    });
    auto outcomes = client.evaluate(Effort::Screen, Scene::image(-1), Scene::images(2), source.get_token());
    REQUIRE_FALSE(outcomes);
    CHECK(outcomes.error().code == ErrorCode::Cancelled);
}

TEST_CASE(
    "A command that must tidy up is asked to end before it is killed, one that does not listen is killed") {
    Scene scene;
    ClientSettings settings = scene.settings();
    const std::filesystem::path told = scene.folder / "told", started = scene.folder / "started";
    // As srun does: the worker is a child, the signal is what ends the job elsewhere. The job goes on when the worker has
    // left at the end of its input, which may be before the signal.
    const std::string body =
        "exec 3<&0; " + settings.command + " <&3 & echo $! > " + started.string() + "; sleep 60 & wait";
    const auto gone = [&](const std::string& trap) {
        std::filesystem::remove(started);
        settings.command = "sh -c '" + trap + body + "'";
        pid_t worker = 0;
        {
            GpuClient client(settings, PrepareRequest{});
            REQUIRE(client.ready({}));
            // The worker may be ready before the shell has said which it is.
            test::wait_until([&] { return bool(std::ifstream(started) >> worker); });
        }
        REQUIRE(worker > 0);
        return test::wait_until([&] { return ::kill(worker, 0) != 0; });
    };
    CHECK(gone("trap \"touch " + told.string() + "; exit\" TERM; "));
    // The shell tidies up beside the worker, which ends with its input.
    CHECK(test::wait_until([&] { return std::filesystem::exists(told); }));
    CHECK(gone("trap \"\" TERM; "));  // ignored by the worker too: SIGKILL, or the end of its input
}

TEST_CASE("A worker is replaced after its share of candidates") {
    Scene scene;
    ClientSettings settings = scene.settings();
    settings.recycle_after = 5;
    GpuClient client(settings, PrepareRequest{});
    for (int round = 0; round < 4; ++round) {
        REQUIRE(client.evaluate(Effort::Screen, Scene::image(-1), Scene::images(3), {}));
    }
    CHECK(client.workers_started() == 2);
}

TEST_CASE("The evaluator sends what a schedule's cubin differs in, and names its source") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    auto workload =
        required(Workload::load(std::filesystem::path(CUBINLAB_SAMPLES) / "bmm_mma.workload.json"));
    Schedule edited(kernel);
    ControlCode code = edited.control(5);
    code.stall = static_cast<decltype(code.stall)>(code.stall + 1);
    edited.set_control(5, code);
    auto writer = required(CubinWriter::create(kernel));
    Scene scene;
    scene.script["candidates"][hash_bytes(kernel->cubin().bytes()).hex()] = {{"do", "ok"},
                                                                             {"log_speedup", 0.01}};
    scene.script["candidates"][hash_bytes(writer->image(edited)).hex()] = {{"do", "wrong"}};
    scene.script["warning"] = "output params[2] is the same on all 5 input sets";
    GpuSettings settings;
    settings.worker_command = scene.settings().command;
    auto evaluator = required(make_gpu_evaluator(kernel, *workload, settings, {}));
    CHECK((*evaluator)->info().kind == EvaluatorKind::Gpu);
    CHECK((*evaluator)->info().unit == "us");
    CHECK(machine_warning((*evaluator)->info()) == "output params[2] is the same on all 5 input sets");
    const Schedule original(kernel);
    const std::vector<Schedule> batch{original, edited, original};
    auto outcomes = required((*evaluator)->evaluate(batch, original, Effort::Screen, {}));
    CHECK((*outcomes)[0].speedup.log == Approx(0.01));
    CHECK((*outcomes)[0].verdict == Verdict::Faster);
    CHECK((*outcomes)[1].kind == OutcomeKind::WrongResult);
    CHECK((*outcomes)[1].verdict == Verdict::Unclear);
    CHECK((*outcomes)[2].ok());

    Workload other = *workload;
    other.block = {64, 1, 1};
    auto refused = make_gpu_evaluator(kernel, other, settings, {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadInput);
    CHECK(refused.error().message().find("REQNTID") != std::string::npos);
}

TEST_CASE("Which GPU runs which cubin") {
    CHECK(cannot_run(90, Arch{90, true}).empty());
    CHECK(cannot_run(86, Arch{80, false}).empty());
    CHECK_FALSE(cannot_run(80, Arch{86, false}).empty());
    CHECK_FALSE(cannot_run(90, Arch{80, false}).empty());
    CHECK_FALSE(cannot_run(100, Arch{90, true}).empty());
}

TEST_CASE("Judged for both caches, one worker is asked, hot and cold, and what loses cold is no gain") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    auto workload = Workload::load(std::filesystem::path(CUBINLAB_SAMPLES) / "bmm_mma.workload.json");
    auto writer = CubinWriter::create(kernel);
    const Schedule original(kernel);
    Scene scene;
    scene.script["cold_bonus"] = -0.03;
    std::vector<Schedule> batch;
    for (const double gain : {0.02, 0.04, -0.02}) {
        Schedule edited = original;
        ControlCode code = edited.control(5);
        code.stall = static_cast<decltype(code.stall)>(code.stall + 1 + batch.size());
        edited.set_control(5, code);
        scene.script["candidates"][hash_bytes(writer->image(edited)).hex()] = {{"do", "ok"},
                                                                               {"log_speedup", gain}};
        batch.push_back(edited);
    }
    GpuSettings settings;
    settings.worker_command = scene.settings().command;
    settings.cache = Cache::Both;
    auto evaluator = required(make_gpu_evaluator(kernel, *workload, settings, {}));
    CHECK(cache_of((*evaluator)->info()) == Cache::Both);
    const auto screened = required((*evaluator)->evaluate(batch, original, Effort::Screen, {}));
    CHECK((*screened)[0].speedup.log == Approx(-0.01));  // +2 % hot, -1 % cold: SLOWER there
    CHECK((*screened)[0].verdict == Verdict::Slower);
    CHECK((*screened)[1].speedup.log == Approx(0.025));  // +4 %, +1 %
    CHECK((*screened)[1].verdict == Verdict::Faster);
    CHECK((*screened)[2].speedup.log == Approx(-0.02));
    // The last one was not tried cold: five evaluations by one worker.
    std::ifstream log(scene.folder / "state" / "log"), pids(scene.folder / "state" / "pids");
    int evaluated = 0, workers = 0;
    for (std::string line; std::getline(log, line);)
        ++evaluated;
    for (std::string line; std::getline(pids, line);)
        ++workers;
    CHECK(evaluated == 5);
    CHECK(workers == 1);
    // A confirmation of both has the error probability of one.
    const auto confirmed =
        required((*evaluator)->evaluate(std::span(batch).subspan(1, 1), original, Effort::Confirm, {}));
    CHECK((*confirmed)[0].alpha == Approx(confirmation_alpha(1) / 2));
}
