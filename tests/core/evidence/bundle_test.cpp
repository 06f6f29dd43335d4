// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence bundles: what is written checks, what is changed afterwards does not.
#include <sys/resource.h>

#include <csignal>

#include "core/base/file.h"
#include "core/evidence/evidence_bundle.h"
#include "core/evidence/step_measurement.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/statistics.h"
#include "core/schedule/cubin_writer.h"
#include "tests/core/evidence/bundle_scene.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;

TEST_CASE("A bundle checks as it was written, with its figures") {
    BundleScene scene;
    scene.request.measured = measured_faster();
    scene.write();
    auto check = required(check_bundle(scene.bundle()));
    CHECK(scene.problems() == "");
    CHECK(check->measured);
    CHECK(check->verdict == Verdict::Faster);
    CHECK(check->speedup.log == Approx(0.02).margin(0.0002));
    CHECK(check->control_changed == 1);
    CHECK(check->moved == 0);
    CHECK(check->workload->kernel == scene.kernel->name());
    const json document = scene.evidence();
    CHECK(document["session"]["step"] == 7);
    CHECK(document["recorded"]["result"]["log_ratio_samples"].size() == 2);
    CHECK(document["measurement"]["samples_by_load"].size() == 10);
    CHECK_THAT(document["stamp"].get<std::string>(), contains_text("measured: 1.02"));
}

TEST_CASE("A candidate that is more than a schedule is found, whatever the hashes say") {
    BundleScene scene;
    scene.request.measured = measured_faster();
    scene.write();
    const auto candidate = scene.bundle() / "candidate.cubin";
    const auto written = read_file(candidate).value();
    const KernelInfo& info = scene.kernel->info();
    // A stale attribute, the ELF's flags, the last byte of the file, and one byte more than the original has.
    std::vector<std::size_t> places = {48, written.size() - 1, written.size()};
    for (const InfoAttribute& a : info.attributes)
        if (a.payload_size != 0) places.push_back(a.payload_offset);
    REQUIRE(places.size() > 4);
    for (const std::size_t place : places) {
        auto bytes = written;
        if (place == bytes.size()) bytes.push_back(std::byte{0});
        bytes[place] ^= std::byte{1};
        REQUIRE(write_file(candidate, bytes));
        scene.forge(scene.evidence());
        INFO("offset " << place << ": " << scene.problems());
        CHECK_FALSE(scene.problems().empty());
    }
    REQUIRE(write_file(candidate, written));
    scene.forge(scene.evidence());
    CHECK(scene.problems() == "");
}

TEST_CASE("A bundle without a measurement says so and claims nothing") {
    BundleScene scene;
    scene.write();
    auto check = required(check_bundle(scene.bundle()));
    CHECK(check->problems.empty());
    CHECK_FALSE(check->measured);
    REQUIRE(check->notes.size() == 2);
    CHECK_THAT(check->notes[0], contains_text("recorded figure is not checked"));  // made up by this test
    CHECK_THAT(check->notes[1], contains_text("no measurement"));
}

TEST_CASE("What is changed after writing is found") {
    BundleScene scene;
    scene.request.measured = measured_faster();
    scene.write();
    SECTION("a byte of any file") {
        for (const char* name :
             {"original.cubin", "candidate.cubin", "workload.json", "candidate.cubin.provenance.json"}) {
            auto bytes = read_file(scene.bundle() / name).value();
            const auto whole = bytes;
            bytes[bytes.size() / 2] ^= std::byte{1};
            REQUIRE(write_file(scene.bundle() / name, bytes));
            CHECK_THAT(scene.problems(),
                       contains_text(std::string(name) + " is not the file that was bundled"));
            REQUIRE(write_file(scene.bundle() / name, whole));
            CHECK(scene.problems() == "");
        }
    }
    SECTION("a figure, hashes left alone") {
        json document = scene.evidence();
        document["measurement"]["log_speedup"] = 0.08;
        REQUIRE(write_text(scene.bundle() / "evidence.json", document.dump(1)));
        CHECK_THAT(scene.problems(), contains_text("evidence.json was changed"));
    }
    SECTION("a figure, hashes made right") {
        for (const char* field : {"log_speedup", "low", "high"}) {
            json document = scene.evidence();
            const json whole = document;
            document["measurement"][field] = 0.08;
            scene.forge(document);
            CHECK_THAT(scene.problems(), contains_text("do not follow from the raw samples"));
            scene.forge(whole);
            CHECK(scene.problems() == "");
        }
        json document = scene.evidence();
        document["measurement"]["alpha"] = 0.5;
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("error probability"));
    }
    SECTION("a stamp, hashes made right") {
        json document = scene.evidence();
        const json whole = document;
        document["stamp"] = "measured: 1.6487x [1.6400, 1.6500] FASTER on Some GPU, driver 1";
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("does not follow from the evidence"));
        const auto beside = scene.bundle() / "candidate.cubin.provenance.json";
        json stamped = json::parse(read_text(beside).value());
        stamped["stamp"] = document["stamp"];
        REQUIRE(write_text(beside, stamped.dump()));
        scene.forge(whole);
        CHECK_THAT(scene.problems(), contains_text("does not say what the evidence says"));
    }
    SECTION("any field of the provenance beside the candidate, hashes made right") {
        const auto beside = scene.bundle() / "candidate.cubin.provenance.json";
        const json whole = json::parse(read_text(beside).value());
        REQUIRE(whole.size() >= 19);
        for (const auto& [key, value] : whole.items()) {
            json forged = whole;
            forged[key] = value.is_number() ? json(value.get<double>() + 1) : json("another");
            REQUIRE(write_text(beside, forged.dump()));
            scene.forge(scene.evidence());
            INFO(key << ": " << scene.problems());
            CHECK_THAT(scene.problems(), contains_text("does not say what the evidence says"));
        }
    }
    SECTION("pairs that nobody measured, hashes made right") {
        json document = scene.evidence();
        document["measurement"]["pairs"] = 1000;
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("speaks of 1000 pairs"));
    }
    SECTION("a step that the session saw fail, hashes made right") {
        json document = scene.evidence();
        document["recorded"]["result"]["outcome"] = "wrong-result";
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("recorded of the candidate: wrong-result"));
    }
    SECTION("an illegal candidate, hashes made right") {
        Schedule illegal(scene.kernel);
        auto checker = HazardChecker::create(scene.kernel).value();
        for (InstrId id = 0; id < illegal.size(); ++id) {
            ControlCode code = illegal.control(id);
            code.wait_mask = 0;
            if (checker->allows(illegal, Mutation::control(illegal, id, code))) continue;
            illegal.set_control(id, code);
            break;
        }
        auto writer = CubinWriter::create(scene.kernel).value();
        REQUIRE(write_file(scene.bundle() / "candidate.cubin", writer.image(illegal)));
        json document = scene.evidence();
        document["code_hash"] = illegal.hash().hex();
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("the candidate is illegal"));
    }
    SECTION("a missing or cut file") {
        std::filesystem::remove(scene.bundle() / "original.cubin");
        CHECK_THAT(scene.problems(), contains_text("original.cubin"));
        const std::string text = read_text(scene.bundle() / "evidence.json").value();
        for (std::size_t size : {std::size_t{0}, std::size_t{10}, text.size() / 2, text.size() - 3}) {
            REQUIRE(write_text(scene.bundle() / "evidence.json", text.substr(0, size)));
            auto check = check_bundle(scene.bundle());
            REQUIRE_FALSE(check);
            CHECK(check.error().code == ErrorCode::BadInput);
        }
        CHECK_FALSE(check_bundle(scene.folder / "nowhere"));
    }
    SECTION("any field of the evidence taken away or of another type: an answer, never a crash") {
        const json whole = scene.evidence();
        const auto visit = [&](const json::json_pointer& at) {
            json document = whole;
            document[at] = json::array({1, "x"});
            scene.forge(document);
            check_bundle(scene.bundle());
        };
        for (const auto& [key, value] : whole.items()) {
            if (key == "files") continue;
            visit(json::json_pointer("/" + key));
            if (!value.is_object()) continue;
            for (const auto& [inner, unused] : value.items())
                visit(json::json_pointer("/" + key + "/" + inner));
        }
    }
}

TEST_CASE("What cannot become a bundle is refused before anything is written") {
    BundleScene scene;
    std::filesystem::create_directories(scene.bundle());
    REQUIRE(write_text(scene.bundle() / "precious.txt", "mine"));
    auto used = write_bundle(scene.edited(), scene.bundle(), scene.request);
    REQUIRE_FALSE(used);
    CHECK(used.error().code == ErrorCode::BadUse);
    CHECK(read_text(scene.bundle() / "precious.txt").value() == "mine");
    scene.request.workload.clear();
    auto none = write_bundle(scene.edited(), scene.folder / "other", scene.request);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::BadInput);
    CHECK_FALSE(std::filesystem::exists(scene.folder / "other"));
}

TEST_CASE("Input files travel with a bundle, and a bundle reads no others") {
    BundleScene scene;
    json workload = json::parse(scene.request.workload, nullptr, true, true);
    std::size_t input = 0;
    while (!workload["params"][input].contains("buffer") ||
           workload["params"][input]["buffer"].value("output", false))
        ++input;
    json& buffer = workload["params"][input]["buffer"];
    const auto bytes =
        std::get<BufferParam>(Workload::parse(scene.request.workload).value().params[input]).bytes();
    REQUIRE(write_file(scene.folder / "in.bin", std::vector<std::byte>(bytes, std::byte{0x3c})));
    buffer["init"] = {{"file", "in.bin"}};
    // As a session keeps it: the path means the same wherever the program runs.
    auto parsed = required(Workload::parse(workload.dump(), scene.folder / "x.workload.json"));
    scene.request.workload = parsed->json;
    CHECK(json::parse(parsed->json)["params"][input]["buffer"]["init"]["file"] ==
          (scene.folder / "in.bin").string());
    scene.write();
    std::filesystem::remove(scene.folder / "in.bin");
    for (const std::string& folder : {scene.bundle().string(), scene.bundle().string() + "/"}) {
        auto check = required(check_bundle(folder));
        CHECK(check->problems.empty());
        REQUIRE(check->workload);
        const auto& init = std::get<BufferParam>(check->workload->params[input]).init;
        CHECK(std::get<InitFile>(init).path == scene.bundle() / "input-0.bin");
    }
    auto changed = read_file(scene.bundle() / "input-0.bin").value();
    changed[5] ^= std::byte{1};
    REQUIRE(write_file(scene.bundle() / "input-0.bin", changed));
    CHECK_THAT(scene.problems(), contains_text("input-0.bin is not the file that was bundled"));
    changed[5] ^= std::byte{1};
    REQUIRE(write_file(scene.bundle() / "input-0.bin", changed));
    buffer["init"] = {{"file", "/etc/passwd"}};
    REQUIRE(write_text(scene.bundle() / "workload.json", workload.dump()));
    scene.forge(scene.evidence());
    CHECK_THAT(scene.problems(), contains_text("no file of the bundle"));
    scene.request.workload = workload.dump();
    auto missing = write_bundle(scene.edited(), scene.folder / "other", scene.request);
    CHECK_FALSE(missing);  // /etc/passwd has the wrong size, or cannot be read: either way not silently
}

TEST_CASE("A schedule that is no logged step says what it was made from") {
    BundleScene scene;
    scene.request.derived = "minimal";
    scene.request.edits = {"stall of 0x0010: 1 -> 2"};
    scene.write();
    CHECK(scene.problems() == "");
    CHECK(scene.evidence()["session"]["derived"] == "minimal");
    CHECK(scene.evidence()["session"]["edits"].size() == 1);
}

TEST_CASE("The stamp of a bundle without a measurement follows from what the session recorded") {
    BundleScene scene;
    Outcome& recorded = scene.request.record.outcome;
    recorded.speedup = Speedup::exactly(0.03);
    for (const RunId start : {0, 4}) {
        scene.request.run.start_run = start;
        std::filesystem::remove_all(scene.bundle());
        scene.write();
        CHECK(scene.problems() == "");
        json document = scene.evidence();
        const std::string stamp = document["stamp"].get<std::string>();
        CHECK_THAT(stamp, contains_text("modelled, unmeasured (1.0305x"));
        CHECK_THAT(stamp, contains_text(start == 0 ? "modelled by another version of the model"
                                                   : "from a schedule that is not at hand"));
        document["recorded"]["result"]["log_speedup"] = 0.5;
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("does not follow from the evidence"));
    }
}

TEST_CASE("A recorded figure is no measured one without the samples that it is made of") {
    BundleScene scene;
    scene.request.record.outcome.samples.clear();
    scene.write();
    json document = scene.evidence();
    document["recorded"]["machine"]["evaluator"] = "gpu";
    document["recorded"]["machine"]["device"] = "Some GPU";
    document["recorded"]["unchecked"] = "";
    json& result = document["recorded"]["result"];
    result["log_speedup"] = result["low"] = result["high"] = 0.4;
    result["verdict"] = "FASTER";
    document["stamp"] = "measured: 1.4918x [1.4918, 1.4918] FASTER on Some GPU";
    for (const double alpha : {0.0, kConfirmAlpha, kScreenAlpha}) {
        result["alpha"] = alpha;
        result["log_ratio_samples"] = json::array();
        result["pairs"] = 0;
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("are not stored"));
        result["pairs"] = 1000;
        scene.forge(document);
        CHECK_THAT(scene.problems(), contains_text("1000 pairs, but 0 samples"));
    }
    // Without an error probability the interval cannot be recomputed.
    result["alpha"] = 0.0;
    result["log_ratio_samples"] = std::vector<double>(20, 0.4);
    result["pairs"] = 20;
    scene.forge(document);
    CHECK_THAT(scene.problems(), contains_text("does not say the error probability of its interval"));
}

TEST_CASE("A repetition contradicts what the session confirmed, too, where that is all the bundle claims") {
    BundleScene scene;
    const Comparison measured = measured_faster();
    Outcome& recorded = scene.request.record.outcome;
    recorded = measured.outcome;
    recorded.alpha = confirmation_alpha(1);  // the first of a run
    const LoadsVerdict judged = judge_loads(measured.details.by_load, 0.002, 0.0005, recorded.alpha);
    recorded.speedup.low = judged.interval.low;
    recorded.speedup.high = judged.interval.high;
    for (const auto& load : measured.details.by_load)
        recorded.samples.insert(recorded.samples.end(), load.begin(), load.end());
    recorded.states.resize(measured.details.by_load.size());
    scene.request.run.evaluator = measured.machine;
    scene.write();
    INFO(scene.problems());
    const auto check = required(check_bundle(scene.bundle()));
    CHECK(check->problems.empty());
    CHECK(check->measured);
    CHECK(check->verdict == Verdict::Faster);
    Comparison again = measured;
    again.outcome.verdict = Verdict::Slower;
    CHECK_THAT(contradiction(*check, again), contains_text("the bundle says FASTER, this GPU says SLOWER"));
    // With another calibration the figure does not follow.
    json document = scene.evidence();
    document["recorded"]["machine"]["more"]["calibration"]["pair_deviation"] = 0.02;
    scene.forge(document);
    CHECK_THAT(scene.problems(), contains_text("does not follow from the stored samples"));
    document["recorded"]["result"]["log_speedup"] = 0.021;
    scene.forge(document);
    CHECK_THAT(scene.problems(), contains_text("does not follow from the stored samples"));
}

TEST_CASE("A bundle's figures are of its candidate's code, wherever they say of which") {
    BundleScene scene;
    const Hash128 words = scene.edited().hash();
    Comparison measured = measured_faster();
    measured.outcome.code_hash = words;
    scene.request.record.outcome.code_hash = words;
    scene.request.measured = measured;
    scene.request.measurements = {measurement_record(measured, 1, 7, "measure", Cache::Hot)};
    scene.write();
    CHECK(scene.problems() == "");
    const json whole = scene.evidence();
    for (const char* place : {"/measurement/code_hash", "/recorded/result/code_hash",
                              "/recorded/measurements/0/result/code_hash"}) {
        json document = whole;
        REQUIRE(document.at(json::json_pointer(place)) == words.hex());
        document[json::json_pointer(place)] = scene.kernel->hash().hex();
        scene.forge(document);
        INFO(place << ": " << scene.problems());
        CHECK_THAT(scene.problems(), contains_text(scene.kernel->hash().hex()));
    }
    // What was measured of the original is no claim of the candidate.
    measured.outcome.code_hash = scene.kernel->hash();
    CHECK_FALSE(claim_of_comparison(scene.edited(), measured, scene.request.claim));
}

TEST_CASE("A stamp tells a confirmation from a screening") {
    BundleScene scene;
    RunInfo run;
    run.evaluator.kind = EvaluatorKind::Gpu;
    run.evaluator.device = "Some GPU";
    StepRecord record;
    record.step = 3;
    record.outcome.kind = OutcomeKind::Ok;
    record.outcome.verdict = Verdict::Faster;
    record.outcome.speedup.log = 0.02;
    const auto stamp = [&] { return stamp_of(parts_of(run, record, "s.db")); };
    for (const double alpha : {kScreenAlpha, kPromoteAlpha}) {
        record.outcome.alpha = alpha;
        CHECK_THAT(stamp(), contains_text("screened, not confirmed"));
    }
    record.outcome.alpha = kConfirmAlpha / 12;
    CHECK_THAT(stamp(), contains_text("measured: 1.0202x"));
    record.outcome.alpha = 0;  // a session of before: judged by its pairs
    record.outcome.pairs = 4;
    CHECK_THAT(stamp(), contains_text("screened, not confirmed"));
    record.outcome.kind = OutcomeKind::WrongResult;
    CHECK(stamp() == "unmeasured");
}

TEST_CASE("A stamp names the cache that its figure was made with") {
    RunInfo run;
    run.evaluator.kind = EvaluatorKind::Gpu;
    run.evaluator.device = "Some GPU";
    StepRecord record;
    record.step = 3;
    record.outcome.kind = OutcomeKind::Ok;
    record.outcome.alpha = kConfirmAlpha;
    const auto stamp = [&](std::optional<Cache> cache) {
        run.evaluator.gpu.cache = cache;
        return stamp_of(parts_of(run, record, "s.db"));
    };
    CHECK_THAT(stamp(Cache::Hot), contains_text("on Some GPU, hot cache"));
    CHECK_THAT(stamp(Cache::Cold), contains_text("on Some GPU, cold cache"));
    CHECK_THAT(stamp(Cache::Both), contains_text("on Some GPU, mean of hot and cold cache"));
    CHECK(stamp({}).ends_with("on Some GPU"));
}

TEST_CASE("Measurements of a step on one GPU are judged together, other GPUs apart") {
    std::vector<MeasurementRecord> records;
    const auto add = [&](double mean, const char* uuid, Cache cache) {
        Comparison c = measured_faster();
        for (auto& load : c.details.by_load)
            for (float& sample : load)
                sample += static_cast<float>(mean - 0.02);
        c.machine.gpu.seed = 1;
        c.machine.gpu.facts.emplace().uuid = uuid;
        records.push_back(measurement_record(c, 1, 7, "measure", cache));
    };
    add(0.0040, "a", Cache::Hot);
    const PooledMeasurement one = pool_measurements(records, 7).at(0);
    add(0.0044, "a", Cache::Hot);
    add(0.0042, "a", Cache::Hot);
    add(0.0300, "b", Cache::Hot);
    add(-0.010, "a", Cache::Cold);
    records.push_back(records.front());
    records.back().step = 8;
    records.push_back(records.front());
    records.back().details = {};
    const auto pooled = pool_measurements(records, 7);
    REQUIRE(pooled.size() == 3);
    CHECK(pooled[0].measurements == 3);
    CHECK(pooled[0].loads == 30);
    CHECK(pooled[0].pairs == 300);
    CHECK(pooled[0].speedup.log == Approx(0.0042).margin(1e-4));
    CHECK(pooled[0].speedup.high - pooled[0].speedup.low <
          0.8 * (one.speedup.high - one.speedup.low));  // more data, a narrower interval
    CHECK(pooled[1].measurements == 1);
    CHECK(pooled[1].verdict == Verdict::Faster);
    CHECK(pooled[2].cache == Cache::Cold);
    CHECK(pooled[2].verdict == Verdict::Slower);
}

TEST_CASE("When a repetition contradicts a bundle") {
    BundleCheck bundle;
    bundle.measured = true;
    bundle.verdict = Verdict::Faster;
    bundle.device = measured_faster().machine.device;
    bundle.speedup.low = 0.015;
    bundle.speedup.high = 0.025;
    Comparison again = measured_faster();
    CHECK(contradiction(bundle, again).empty());
    again.outcome.speedup.low = 0.001;
    again.outcome.speedup.high = 0.004;
    CHECK_FALSE(contradiction(bundle, again).empty());
    again.machine.device = "Another GPU";
    CHECK(contradiction(bundle, again).empty());  // another GPU may gain less
    // ... but what shows no speed-up is not passed over in silence, whatever GPU the bundle names.
    CHECK(not_reproduced(bundle, again).empty());
    again.outcome.verdict = Verdict::Same;
    CHECK_THAT(not_reproduced(bundle, again), contains_text("says SAME on Another GPU"));
    again.outcome.verdict = Verdict::Slower;
    CHECK_FALSE(contradiction(bundle, again).empty());
    again = measured_faster();
    again.outcome.kind = OutcomeKind::WrongResult;
    CHECK_FALSE(contradiction(bundle, again).empty());
}

TEST_CASE("a bundle that cannot be finished leaves nothing behind") {
    BundleScene scene;
    scene.request.claim =
        claim_of_outcome(*scene.edited().kernel(), scene.edited(), scene.request.run, scene.request.record, "some.db").value();
    const bool existed = GENERATE(false, true);
    if (existed) std::filesystem::create_directory(scene.bundle());
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit small{4096, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto report = write_bundle(scene.edited(), scene.bundle(), scene.request);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    REQUIRE_FALSE(report);
    CHECK(std::filesystem::exists(scene.bundle()) == existed);
    CHECK(check_bundle_folder(scene.bundle()));
}

TEST_CASE(
    "a bundle whose writer was killed is made anew by the same command, a folder of others is not touched") {
    BundleScene scene;
    scene.request.claim =
        claim_of_outcome(*scene.edited().kernel(), scene.edited(), scene.request.run, scene.request.record, "some.db").value();
    REQUIRE(write_bundle(scene.edited(), scene.bundle(), scene.request));
    // As a kill leaves it: no evidence yet, half of a file.
    std::filesystem::remove(scene.bundle() / "evidence.json");
    REQUIRE(write_text(scene.bundle() / "workload.json", "{\"ker"));
    CHECK(check_bundle_folder(scene.bundle()).error().code == ErrorCode::BadUse);
    CHECK_FALSE(write_bundle(scene.edited(), scene.bundle(), scene.request));
    CHECK(read_file(scene.bundle() / "workload.json")->size() == 5);
    REQUIRE(write_text(scene.bundle() / "UNFINISHED", "as the writer says"));
    CHECK(check_bundle_folder(scene.bundle()));
    REQUIRE(write_bundle(scene.edited(), scene.bundle(), scene.request));
    CHECK_FALSE(std::filesystem::exists(scene.bundle() / "UNFINISHED"));
    CHECK(std::filesystem::exists(scene.bundle() / "evidence.json"));
    CHECK(read_file(scene.bundle() / "workload.json")->size() > 5);
}
