// SPDX-License-Identifier: GPL-3.0-or-later
// A worker with no GPU that does as its script says: fake_bench_worker SCRIPT.json [STATE_FOLDER]
//
//   {"default": {"do": "ok", "log_speedup": 0.0},
//    "candidates": {"<hash of the image>": {"do": "cut", "times": 1}, ...},
//    "refuse": "text",                       answer 'prepare' with this error
//    "device": "Scripted GPU", "uuid": "", "sm": 90,   the GPU it pretends to be
//    "devices": 1,                           how many that machine has
//    "bad_starts": [2, 4],                   the 2nd to 4th start of a worker end at once
//    "confirm_bonus": 0.01,                  log speed-up that this GPU shows on top in confirmations
//    "cold_bonus": -0.05,                    log speed-up on top where L2 is flushed before each launch
//    "shapes": {"short": {"bonus": -0.05, "compare": {...}}},   of workloads of that name: log speed-up on top, and
//                                            what a comparison does there
//    "compare": {"do": "ok", "log_speedup": 0.02, "times": 1},   what a comparison of two cubins does
//    "compared": {"<hash of the image>": {...}, ...},            the same, where B is that image
//    "start_ms": 800,                        a start takes that long
//    "die_after": 5}                         gone without a word after so many candidates, every time
//
// STATE_FOLDER also gets: `pids` (one line a worker), `starts` (a dot each), `log` (one line a candidate:
// effort and hash of the image).
//
// do: ok wrong wild fault (reported, then gone)   exit (gone without a word)   hang (silent for ever)
//     stuck (heartbeats without progress)   reported-hang   garbage   cut (half a frame, then gone)   slow
//     (ok, after "ms")   hashed (log_speedup follows from the image's hash; with "hostile_every": N one in N
//     images is wrong, wild, faults or hangs instead, again by its hash; "ms" as for slow)
// "times": how often it happens, counted over all workers in STATE_FOLDER; afterwards the candidate is ok.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/file.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/protocol/protocol.h"
#include "core/gpu/protocol/statistics.h"
#include "tests/support/edit_trial.h"

using namespace cubinlab;
using nlohmann::json;

namespace {

json script;
std::filesystem::path state;
double alpha_asked = 0;
bool cold = false;
std::vector<Cache> states = {Cache::Hot};
json shape = json::object();  // what the script says of the workload's shape

void send(const json& message) {
    if (!write_all(1, encode_frame(message))) ::_exit(0);
}

[[noreturn]] void sleep_for_ever() {
    for (;;)
        ::sleep(1);
}

void note(const char* file, const std::string& text) {
    if (!state.empty()) std::ofstream(state / file, std::ios::app) << text;
}

// What "hashed" says of an image: a function of its hash alone, the same in every worker.
json hashed_rule(json rule, const Hash128& hash) {
    const auto every = rule.value("hostile_every", std::uint64_t{0});
    static const char* hostile[] = {"wrong", "wild", "fault", "reported-hang"};
    if (every != 0 && hash.hi % every == 0) {
        rule["do"] = hostile[hash.lo % 4];
        return rule;
    }
    rule["do"] = rule.contains("ms") ? "slow" : "ok";
    rule["log_speedup"] = (static_cast<double>(hash.lo % 2000) - 1600) / 10000;  // -16 % to +4 %
    return rule;
}

// After "times" times the rule is ok; `name`: of what counts it.
json used_up(json rule, const std::string& name) {
    if (!rule.contains("times") || state.empty()) return rule;
    const auto counter = state / name;
    std::error_code none;
    const auto done = std::filesystem::exists(counter) ? std::filesystem::file_size(counter, none) : 0;
    if (done >= rule["times"].get<std::uintmax_t>()) {
        rule["do"] = "ok";
    } else {
        std::ofstream(counter, std::ios::app) << '.';
    }
    return rule;
}

json rule_for(const std::string& hash) {
    const json candidates = script.value("candidates", json::object());
    if (!candidates.contains(hash)) return script.value("default", json::object());
    return used_up(candidates[hash], hash);
}

OutcomeKind kind_of(const std::string& what) {
    return what == "wrong"   ? OutcomeKind::WrongResult
           : what == "wild"  ? OutcomeKind::OutOfBoundsStore
           : what == "fault" ? OutcomeKind::Fault
                             : OutcomeKind::Ok;
}

// exit, hang, stuck and reported-hang, which end the worker or its life.
void misbehave(const std::string& what, const json& of) {
    if (what == "exit") ::_exit(9);
    if (what == "hang") sleep_for_ever();
    if (what == "stuck")
        for (;;) {
            send({{"type", "heartbeat"}, {"progress", 1}});
            ::usleep(20000);
        }
    if (what == "reported-hang") {
        json message = of;
        message["type"] = "hang";
        send(message);
        ::_exit(4);
    }
}

// Loads with known samples around the figure, judged as a worker judges them.
void compare(std::int64_t id, const CompareRequest& request) {
    const json everywhere = script.value("compared", json::object())
                                .value(hash_bytes(request.b).hex(), script.value("compare", json::object()));
    const json rule = used_up(shape.value("compare", everywhere), "comparisons");
    const std::string what = rule.value("do", "ok");
    note("log", "compare " + hash_bytes(request.b).hex() + "\n");
    misbehave(what, {{"id", id}});
    if (what == "slow") ::usleep(static_cast<useconds_t>(rule.value("ms", 100)) * 1000);
    BenchComparison out;
    BenchOutcome& o = out.outcome;
    o.kind = kind_of(what);
    o.fatal = o.kind != OutcomeKind::Ok;
    if (o.fatal) {
        o.detail = "scripted " + what;
    } else {
        // Loads differ a little, and so do the workers that make one load each.
        std::error_code none;
        const auto worker =
            state.empty() ? 0 : static_cast<int>(std::filesystem::file_size(state / "starts", none));
        const double figure = rule.value("log_speedup", 0.0) + shape.value("bonus", 0.0);
        for (int load = 0; load < request.loads; ++load) {
            const double mean = figure + ((load + worker) % 2 == 0 ? 0.0004 : -0.0004);
            out.details.by_load.push_back(
                {static_cast<float>(mean - 0.0005), static_cast<float>(mean + 0.0005)});
        }
        o.alpha = request.alpha > 0 ? request.alpha : kConfirmAlpha;
        const LoadsVerdict judged = judge_loads(out.details.by_load, 0, 0, o.alpha);
        o.speedup = judged.speedup();
        o.verdict = o.speedup.verdict(0.002);
        o.reference_us = 20;
        o.cost = 20 * std::exp(-figure);
        o.loads = static_cast<std::uint64_t>(request.loads);
        out.details.outputs_equal = true;
        out.details.input_sets = 8;
    }
    json message = to_message(out);
    message["type"] = "comparison";
    message["id"] = id;
    send(message);
    if (o.fatal) ::_exit(5);
}

int answered = 0;

// Clock, temperature, power and reasons of being slowed down: a GPU that gets warm, and now and then too
// warm.
GpuReading reading() {
    const auto blocks = static_cast<float>(answered);
    const float celsius = 66 - 28 * std::exp(-blocks / 60) + static_cast<float>(answered % 5) / 4;
    const bool slowed = answered % 50 >= 46;
    return {slowed ? 1410.0F : 1755.0F - static_cast<float>(answered % 3) * 15, celsius,
            430 + 3 * celsius + static_cast<float>(answered % 7) * 6, slowed ? 4.0F : 0.0F};
}

void answer(std::int64_t id, std::size_t index, const WireImage& image, Effort effort) {
    json rule = rule_for(image.hash.hex());
    if (rule.value("do", "ok") == "hashed") rule = hashed_rule(std::move(rule), image.hash);
    note("log", std::to_string(static_cast<int>(effort)) + " " + image.hash.hex() + "\n");
    ++answered;
    if (script.contains("die_after") && answered > script["die_after"].get<int>()) ::_exit(9);
    const std::string what = rule.value("do", "ok");
    misbehave(what, {{"id", id}, {"index", index}});
    if (what == "garbage") {
        write_all(1, std::as_bytes(std::span("this is not a frame, but a printf of the kernel\n")));
        sleep_for_ever();
    }
    if (what == "slow") ::usleep(static_cast<useconds_t>(rule.value("ms", 100)) * 1000);
    BenchOutcome outcome;
    outcome.kind = kind_of(what);
    outcome.fatal = outcome.kind != OutcomeKind::Ok;
    if (outcome.kind == OutcomeKind::Ok) {
        outcome.speedup.log = rule.value("log_speedup", 0.0);
        if (effort == Effort::Confirm) outcome.speedup.log += script.value("confirm_bonus", 0.0);
        outcome.speedup.log += shape.value("bonus", 0.0);
        if (cold) outcome.speedup.log += script.value("cold_bonus", 0.0);
        outcome.speedup.low = outcome.speedup.log - 0.001;
        outcome.speedup.high = outcome.speedup.log + 0.001;
        outcome.verdict = outcome.speedup.low > 0.002     ? Verdict::Faster
                          : outcome.speedup.high < -0.002 ? Verdict::Slower
                                                          : Verdict::Same;
        outcome.cost = 20 * std::exp(-outcome.speedup.log);
        outcome.samples = {static_cast<float>(outcome.speedup.log)};
        outcome.alpha = effort == Effort::Screen ? kScreenAlpha : alpha_asked;
        if (script.contains("readings")) outcome.states = {reading()};
    } else {
        outcome.detail = "scripted " + what;
    }
    json message = to_message(outcome);
    message["type"] = "outcome";
    message["id"] = id;
    message["index"] = index;
    if (what == "cut") {
        const auto frame = encode_frame(message);
        write_all(1, std::span(frame).first(frame.size() / 2));
        ::_exit(9);
    }
    send(message);
    if (outcome.fatal) ::_exit(5);
}

void handle(const json& message) {
    const std::int64_t id = integer_of(message, "id", 0);
    const std::string type = type_of(message);
    if (type == "probe") {
        send({{"type", "probe"},
              {"id", id},
              {"present", true},
              {"device", script.value("device", "Scripted GPU")},
              {"uuid", script.value("uuid", "")},
              {"devices", script.value("devices", 1)},
              {"driver", script.value("driver", "0")},
              {"sm", script.value("sm", 90)},
              {"reason", ""}});
    } else if (type == "prepare") {
        const auto request = prepare_request_from(message);
        states = request ? measured_states(request->settings.cache) : std::vector<Cache>{Cache::Hot};
        const json workload = request ? json::parse(request->workload, nullptr, false, true) : json();
        const std::string name = workload.is_object() ? workload.value("name", "first") : "first";
        shape = script.value("shapes", json::object()).value(name, json::object());
        BenchFacts facts;
        facts.device = script.value("device", "Scripted GPU");
        facts.driver = script.value("driver", "");
        facts.uuid = script.value("uuid", "");
        facts.warning = script.value("warning", "");
        json out = {{"type", "prepared"},
                    {"id", id},
                    {"facts", to_message(facts)},
                    {"calibrations", json::array()},
                    {"seconds", to_message(StartTimes{})}};
        for (std::size_t i = 0; i < states.size(); ++i)
            out["calibrations"].push_back(to_message(Calibration{}));
        ::usleep(script.value("start_ms", 0U) * 1000);
        if (script.contains("refuse")) {
            out = to_message(Error{ErrorCode::BadInput, script["refuse"].get<std::string>(), "workload"});
            out["id"] = id;
        }
        send(out);
    } else if (type == "evaluate") {
        auto request = evaluate_request_from(message);
        if (!request) ::_exit(2);
        alpha_asked = request->alpha;
        cold = request->cache.value_or(states.front()) == Cache::Cold;
        for (std::size_t i = 0; i < request->candidates.size(); ++i)
            answer(id, i, request->candidates[i], request->effort);
        send({{"type", "done"}, {"id", id}, {"times", to_message(PhaseTimes{})}});
    } else if (type == "compare") {
        auto request = compare_request_from(message);
        if (!request) ::_exit(2);
        compare(id, *request);
    } else if (type == "trial") {
        const auto& cubin = message["cubin"].get_binary();
        const auto rule = test::ScriptedTrial::from(script.value("trial", json::object()));
        const auto words =
            test::ran_trial(std::as_bytes(std::span(cubin)), message["kernel"].get<std::string>(),
                            message["number"].get<std::uint32_t>(), rule);
        json out = words.empty()
                       ? to_message(Error{ErrorCode::Worker, "CUDA_ERROR_INVALID_IMAGE", "scripted"})
                       : json{{"type", "trial"}, {"words", words}};
        out["id"] = id;
        send(out);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    auto text = read_text(argv[1]);
    if (!text) return 2;
    script = json::parse(*text);
    if (argc > 2) state = argv[2];
    note("pids", std::to_string(::getpid()) + "\n");
    note("starts", ".");
    if (script.contains("bad_starts")) {
        std::error_code none;
        const auto start = std::filesystem::file_size(state / "starts", none);
        if (start >= script["bad_starts"][0].get<std::uintmax_t>() &&
            start <= script["bad_starts"][1].get<std::uintmax_t>())
            ::_exit(9);
    }
    const std::string banner = "Welcome to the cluster.\nUnauthorised use is forbidden.\n";
    write_all(1, std::as_bytes(std::span(banner)));
    write_all(1, std::as_bytes(std::span(kPreamble, sizeof kPreamble - 1)));
    FrameParser parser(false);
    std::vector<std::byte> chunk(1 << 16);
    for (;;) {
        const ssize_t n = ::read(0, chunk.data(), chunk.size());
        if (n <= 0) return 0;
        parser.feed(std::span(chunk).first(static_cast<std::size_t>(n)));
        for (auto message = parser.next(); message && *message; message = parser.next())
            handle(**message);
    }
}
