// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/protocol.h"

#include <limits>
#include <random>

#include "core/gpu/client/worker_process.h"
#include "core/gpu/protocol/frame.h"
#include "tests/support/catch.h"
#include "tests/support/filled_outcome.h"

using namespace cubinlab;
using nlohmann::json;

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> random_bytes(std::mt19937& random, std::size_t size) {
    std::vector<std::byte> out(size);
    for (auto& b : out)
        b = static_cast<std::byte>(random());
    return out;
}

}  // namespace

TEST_CASE("Frames come through however the stream is cut") {
    std::mt19937 random(1);
    std::vector<std::byte> stream = bytes_of("Last login: today\nCUBINLAB-BEN no, not yet\n");
    const auto preamble = bytes_of(kPreamble);
    stream.insert(stream.end(), preamble.begin(), preamble.end());
    std::vector<json> sent;
    for (int i = 0; i < 20; ++i) {
        sent.push_back({{"type", "t"}, {"n", i}, {"blob", binary(random_bytes(random, random() % 3000))}});
        const auto frame = encode_frame(sent.back());
        stream.insert(stream.end(), frame.begin(), frame.end());
    }
    FrameParser parser(true);
    std::vector<json> seen;
    for (std::size_t at = 0; at < stream.size();) {
        const std::size_t size = std::min<std::size_t>(1 + random() % 700, stream.size() - at);
        parser.feed(std::span(stream).subspan(at, size));
        at += size;
        for (;;) {
            auto message = required(parser.next());
            if (!*message) break;
            seen.push_back(**message);
        }
    }
    CHECK(seen == sent);
    CHECK(parser.pending() == 0);
}

TEST_CASE("A frame that says it is larger than any is refused before it is waited for") {
    auto frame = encode_frame(json{{"type", "outcome"}});
    for (std::size_t i = 4; i < 8; ++i)
        frame[i] = std::byte{0xf0};  // 4 GB
    FrameParser parser(false);
    parser.feed(std::span(frame).first(16));  // nothing of it has come yet
    const auto message = parser.next();
    REQUIRE_FALSE(message);
    CHECK(message.error().what.find("over the limit") != std::string::npos);
}

TEST_CASE("A stream that never says the preamble is given up") {
    FrameParser parser(true);
    std::string noise(70000, 'x');
    parser.feed(std::as_bytes(std::span(noise)));
    auto message = parser.next();
    if (message && !*message) message = parser.next();
    REQUIRE_FALSE(message);
    CHECK(message.error().what.find("preamble") != std::string::npos);
}

TEST_CASE("Damaged streams are noticed, never misread") {
    std::mt19937 random(2);
    const json original = {{"type", "outcome"}, {"id", 7}, {"blob", binary(random_bytes(random, 500))}};
    const auto good = encode_frame(original);
    for (int i = 0; i < 2000; ++i) {
        auto bad = good;
        for (int edit = 0; edit < 1 + static_cast<int>(random() % 3); ++edit)
            bad[random() % bad.size()] ^= static_cast<std::byte>(1 + random() % 255);
        FrameParser parser(false);
        parser.feed(bad);
        auto message = parser.next();
        if (message && *message) CHECK(**message == original);  // the edits cancelled out
    }
}

TEST_CASE("Requests survive the way through bytes") {
    std::mt19937 random(3);
    PrepareRequest prepare;
    prepare.settings.seed = 0xffffffffffffffffull;
    prepare.settings.cache = Cache::Cold;
    prepare.workload = "{}";
    prepare.cubin = random_bytes(random, 1000);
    prepare.files[2] = random_bytes(random, 64);
    prepare.calibrations = {
        Calibration{0.032, 20.5, 0.004, 0.001, 0, 0.005, true, {12, 1, 0.0015}, {24, 2, 0.001}},
        Calibration{}};
    FrameParser parser(false);
    parser.feed(encode_frame(to_message(prepare)));
    auto read = required(prepare_request_from(**parser.next()));
    CHECK(read->settings.seed == prepare.settings.seed);
    CHECK(read->settings.cache == Cache::Cold);
    CHECK(read->cubin == prepare.cubin);
    CHECK(read->files == prepare.files);
    REQUIRE(read->calibrations.size() == 2);
    CHECK(read->calibrations[0].pair_deviation == 0.004);
    CHECK(read->calibrations[0].test_plan == SamplePlan{12, 1, 0.0015});
    CHECK(read->calibrations[0].refine_plan == SamplePlan{24, 2, 0.001});

    BenchOutcome outcome;
    outcome.kind = OutcomeKind::Ok;
    outcome.samples = {0.5f, -0.25f};
    outcome.speedup.low = -1e-3;
    auto back = required(outcome_from(to_message(outcome)));
    CHECK(back->samples == outcome.samples);
    CHECK(back->speedup.low == outcome.speedup.low);
    CHECK_FALSE(outcome_from(json{{"kind", 99}}));
    CHECK_FALSE(prepare_request_from(json::object()));
    CHECK_FALSE(evaluate_request_from(json{{"effort", 7}}));
}

TEST_CASE("Sampling and sample plans are in the messages, and impossible plans are refused") {
    EvaluateRequest asked;
    asked.sampling = {.pairs = 0, .loads = 4, .by_noise = true};
    auto read = required(evaluate_request_from(to_message(asked)));
    CHECK(read->sampling == asked.sampling);
    CHECK_FALSE(to_message(EvaluateRequest{}).contains("by_noise"));
    CHECK_FALSE(read->together);
    asked.together = true;
    CHECK(evaluate_request_from(to_message(asked))->together);
    CHECK(evaluate_request_from(to_message(asked))->together_at_most == kTogetherAtMost);
    asked.together_at_most = 3;
    CHECK(evaluate_request_from(to_message(asked))->together_at_most == 3);
    CHECK_FALSE(read->cache);
    asked.cache = Cache::Cold;
    CHECK(evaluate_request_from(to_message(asked))->cache == Cache::Cold);
    asked.cache = Cache::Both;  // a mean is no state
    CHECK_FALSE(evaluate_request_from(to_message(asked)));
    Calibration known{0.032, 20.5, 0.004, 0.001, 0, 0.005, true, {12, 1, 0.0015}, {24, 2, 0.001}};
    for (const auto& [field, wrong] : {std::pair("test_launches", json(-1)),
                                       {"test_launches", json(1 << 20)},
                                       {"closer_pairs", json(-2)},
                                       {"test_deviation", json(-0.1)}}) {
        json nonsense = to_message(known);
        nonsense[field] = wrong;
        CHECK_FALSE(calibrations_from(json::array({nonsense})));
    }
}

TEST_CASE("Every field of an outcome but the client's own travels") {
    BenchOutcome sent;
    static_cast<Outcome&>(sent) = test::filled_outcome();
    sent.reference_us = 21, sent.loads = 3, sent.fatal = true;
    auto back = required(outcome_from(to_message(sent)));
    CHECK(back->pairs == 0);
    CHECK(back->device == 0);
    CHECK(back->shape_count == 0);
    CHECK(back->slower_shapes == 0);
    back->pairs = sent.pairs, back->device = sent.device;
    back->shape_count = sent.shape_count, back->slower_shapes = sent.slower_shapes;
    CHECK(test::text_of(*back) == test::text_of(sent));
    CHECK(back->reference_us == 21);
    CHECK(back->loads == 3);
    CHECK(back->fatal);
    for (const char* said : {"kind", "verdict", "cost_us", "states", "reference_energy_mj"}) {
        json message = to_message(sent);
        message.erase(said);
        CHECK_FALSE(outcome_from(message));
    }
    json message = to_message(sent);
    message["states"] = binary(std::vector<std::byte>(20));
    CHECK_FALSE(outcome_from(message));
}

TEST_CASE("A difference rebuilds the wanted image, and a wrong base is noticed") {
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
        const auto base = random_bytes(random, 1 + random() % 4000);
        auto wanted = base;
        for (int edit = 0; edit < static_cast<int>(random() % 40); ++edit)
            wanted[random() % wanted.size()] = static_cast<std::byte>(random());
        const WireImage image = difference(base, wanted);
        auto built = required(build_image(base, image));
        CHECK(*built == wanted);
        auto other = base;
        other[0] ^= std::byte{1};
        if (image.patches.empty() || image.patches[0].at > 0) CHECK_FALSE(build_image(other, image));
    }
    const auto base = random_bytes(random, 100), other_size = random_bytes(random, 140);
    WireImage whole = difference(base, other_size);
    CHECK(*required(build_image(base, whole)) == other_size);
    whole.size = 150;
    CHECK_FALSE(build_image(base, whole));
    WireImage outside;
    outside.patches.push_back({~0ull, {std::byte{1}}});
    CHECK_FALSE(build_image(random_bytes(random, 10), outside));
}

TEST_CASE("Commands are split as a shell splits words") {
    CHECK(*split_command("ssh -T  -e none host 'my worker' \"a \\\"b\\\"\" c\\ d ''") ==
          std::vector<std::string>{"ssh", "-T", "-e", "none", "host", "my worker", "a \"b\"", "c d", ""});
    CHECK_FALSE(split_command("a 'b"));
    CHECK_FALSE(split_command("   "));
}

TEST_CASE("A worker of another protocol is named, a banner that mentions one is not taken for it") {
    const auto feed = [](FrameParser& parser, const std::string& text) {
        parser.feed(std::as_bytes(std::span(text)));
        return parser.next();
    };
    FrameParser old(true);
    auto said = feed(old, "Welcome.\nCUBINLAB-BENCH 1\n");
    REQUIRE_FALSE(said);
    CHECK(said.error().what.find("speaks protocol 1, this program 7") != std::string::npos);
    FrameParser half(true);
    auto waiting = required(feed(half, "CUBINLAB-BENCH"));
    CHECK_FALSE(*waiting);
    CHECK(feed(half, " 7\n").has_value());
    CHECK(half.preamble_seen());
    FrameParser chatty(true);
    CHECK(feed(chatty, "this host offers CUBINLAB-BENCH to all\n").has_value());
    CHECK(feed(chatty, kPreamble).has_value());
    CHECK(chatty.preamble_seen());
}

TEST_CASE("figures that nothing measured can have are nonsense, not results") {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    BenchOutcome sound;
    sound.kind = OutcomeKind::Ok;
    sound.verdict = Verdict::Faster;
    sound.speedup = {0.02, 0.01, 0.03}, sound.cost = 10;
    sound.samples = {0.01f, 0.03f};
    REQUIRE(outcome_from(to_message(sound)));
    const auto refused = [&](auto change) {
        BenchOutcome bad = sound;
        change(bad);
        const auto read = outcome_from(to_message(bad));
        return !read && read.error().code == ErrorCode::Worker &&
               read.error().what.find("nonsense") != std::string::npos;
    };
    for (const double value : {inf, -inf, nan, 1e300, 100.0})
        CHECK(refused([&](BenchOutcome& o) { o.speedup = Speedup::exactly(value); }));
    CHECK(refused([&](BenchOutcome& o) { o.speedup.high = inf; }));  // FASTER by an interval without an end
    CHECK(refused([&](BenchOutcome& o) { o.speedup.low = nan; }));
    CHECK(refused([](BenchOutcome& o) { o.speedup.low = 0.04; }));
    CHECK(refused([](BenchOutcome& o) { o.cost = -1; }));
    CHECK(refused([&](BenchOutcome& o) { o.reference_us = inf; }));
    CHECK(refused([](BenchOutcome& o) { o.verdict = static_cast<Verdict>(7); }));
    CHECK(refused([](BenchOutcome& o) { o.samples[1] = std::numeric_limits<float>::quiet_NaN(); }));
    // Too few samples for an interval: it has no ends, and the verdict is UNCLEAR.
    sound.verdict = Verdict::Unclear, sound.speedup.low = -inf, sound.speedup.high = inf;
    CHECK(outcome_from(to_message(sound)));

    nlohmann::json message = to_message(sound);
    message["loads"] = 5000000000;
    CHECK_FALSE(outcome_from(message));
    message["loads"] = -1;
    CHECK_FALSE(outcome_from(message));
    Calibration calibration;
    calibration.original_us = 1e300;
    CHECK_FALSE(calibrations_from(json::array({to_message(calibration)})));
}
