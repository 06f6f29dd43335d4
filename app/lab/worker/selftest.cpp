// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/worker/selftest.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

#include "app/lab/study/stopwatch.h"
#include "core/base/file.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/protocol/protocol.h"
#include "core/gpu/worker/device_report.h"
#include "core/gpu/worker/gpu_bench.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

int report(const Error& error) {
    fmt::print(stderr, "cubinlab-lab-worker: {}\n", error.message());
    return exit_code(error.code);
}

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
    T value{};
    if (offset + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// File offset and size of section ".text.KERNEL" (ELF64, little-endian); {0, 0} if there is none.
std::pair<std::size_t, std::size_t> text_section(const std::vector<std::byte>& elf,
                                                 const std::string& kernel) {
    const std::string wanted = ".text." + kernel;
    const auto table = static_cast<std::size_t>(at<std::uint64_t>(elf, 40));
    const std::size_t entry = at<std::uint16_t>(elf, 58), count = at<std::uint16_t>(elf, 60),
                      names = at<std::uint16_t>(elf, 62);
    const auto name_base = static_cast<std::size_t>(at<std::uint64_t>(elf, table + names * entry + 24));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t header = table + i * entry;
        const std::size_t name = name_base + at<std::uint32_t>(elf, header);
        if (name + wanted.size() < elf.size() &&
            std::memcmp(elf.data() + name, wanted.c_str(), wanted.size() + 1) == 0)
            return {static_cast<std::size_t>(at<std::uint64_t>(elf, header + 24)),
                    static_cast<std::size_t>(at<std::uint64_t>(elf, header + 32))};
    }
    return {0, 0};
}

// Raises the stall count (bits 105 to 108 of the word) of `edits` instructions by one, where it is 1 to 10:
// slower or the same, and always legal.
std::vector<std::byte> pad_stalls(std::vector<std::byte> image, std::pair<std::size_t, std::size_t> text,
                                  int edits, std::mt19937_64& random) {
    const std::size_t words = text.second / 16;
    for (int i = 0; i < edits && words > 0;) {
        const std::size_t high = text.first + random() % words * 16 + 8;
        auto value = at<std::uint64_t>(image, high);
        const unsigned stall = (value >> 41) & 15;
        ++i;
        if (stall < 1 || stall > 10) continue;
        value += 1ull << 41;
        std::memcpy(image.data() + high, &value, sizeof value);
    }
    return image;
}

struct Opened {
    std::unique_ptr<GpuDevice> device;
    std::unique_ptr<GpuBench> bench;
};

// Ends the process where the GPU does not answer: there is no client here to do it.
void start_watchdog(WorkerHeartbeat& heartbeat) {
    std::thread([&heartbeat] {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            const std::int64_t since = heartbeat.gpu_since_ns.load();
            const auto now =
                std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
            if (since != 0 && now - since > 20'000'000'000) {
                fmt::print(stderr, "the GPU has not answered for 20 s\n");
                ::_exit(4);
            }
        }
    }).detach();
}

Result<Opened> open_bench(const std::filesystem::path& cubin, int device_index, WorkerHeartbeat& heartbeat) {
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    auto image = read_file(cubin);
    if (!image) return fail(image.error());
    auto workload = Workload::load(default_workload_path(cubin));
    if (!workload) return fail(workload.error());
    const auto start = Clock::now();
    auto device = GpuDevice::open(device_index, heartbeat);
    if (!device) return fail(device.error());
    const double opened = seconds_since(start);
    BenchSettings settings;
    settings.device = device_index;
    const auto prepare_start = Clock::now();
    auto bench = GpuBench::prepare(**device, *workload, *image, {}, settings, {});
    if (!bench) return fail(bench.error());
    fmt::print(
        "start: driver and context {:.3f} s, prepare (inputs, expected digests, calibration) {:.3f} s\n",
        opened, seconds_since(prepare_start));
    fmt::print("facts {}\n", to_message((*bench)->facts()).dump());
    fmt::print("calibration {}\n", to_message((*bench)->calibration()).dump());
    return Opened{std::move(*device), std::move(*bench)};
}

struct Tally {
    int verdicts[4] = {}, kinds[8] = {};
    double sum = 0, squares = 0;
    std::uint64_t pairs = 0;
    void add(const BenchOutcome& o) {
        ++kinds[static_cast<int>(o.kind)];
        if (o.kind != OutcomeKind::Ok) return;
        ++verdicts[static_cast<std::size_t>(o.verdict)];
        sum += o.speedup.log;
        squares += o.speedup.log * o.speedup.log;
        pairs += o.samples.size();
    }
};

// Returns false after a fatal outcome.
bool run_batch(GpuBench& bench, const char* title, int count, Effort effort, int edits,
               std::pair<std::size_t, std::size_t> text) {
    std::mt19937_64 random(7);
    Tally tally;
    const PhaseTimes before = bench.times();
    const auto start = Clock::now();
    int done = 0;
    bool usable = true;
    for (; done < count && usable; ++done) {
        const auto image = edits > 0 ? pad_stalls(bench.original(), text, edits, random) : bench.original();
        const BenchOutcome outcome = bench.evaluate(image, bench.original(), effort);
        tally.add(outcome);
        if (outcome.kind != OutcomeKind::Ok)
            fmt::print("  {}: outcome {} {}\n", title, static_cast<int>(outcome.kind), outcome.detail);
        usable = !outcome.fatal;
    }
    const double took = seconds_since(start);
    const PhaseTimes& now = bench.times();
    const double n = std::max(1, done), ok = std::max(1, tally.kinds[0]), mean = tally.sum / ok;
    fmt::print(
        "{}: {} in {:.3f} s = {:.1f}/s; per candidate us: load {:.0f} check {:.0f} timing {:.0f} unload "
        "{:.0f} other {:.0f}; pairs {:.1f}\n",
        title, done, took, n / took, (now.load - before.load) / n * 1e6, (now.check - before.check) / n * 1e6,
        (now.timing - before.timing) / n * 1e6, (now.unload - before.unload) / n * 1e6,
        (took - (now.load - before.load) - (now.check - before.check) - (now.timing - before.timing) -
         (now.unload - before.unload)) /
            n * 1e6,
        static_cast<double>(tally.pairs) / ok);
    fmt::print(
        "{}: ok {} failed {}; faster {} same {} slower {} unclear {}; mean log speed-up {:+.5f}, deviation "
        "{:.5f}\n",
        title, tally.kinds[0], done - tally.kinds[0], tally.verdicts[0], tally.verdicts[1], tally.verdicts[2],
        tally.verdicts[3], mean, std::sqrt(std::max(0.0, tally.squares / ok - mean * mean)));
    std::fflush(stdout);
    return usable;
}

// The whole road of a candidate but for the pipe: encode, parse, patch, hash.
void time_protocol(const GpuBench& bench, std::pair<std::size_t, std::size_t> text) {
    std::mt19937_64 random(11);
    const auto image = pad_stalls(bench.original(), text, 8, random);
    const auto start = Clock::now();
    constexpr int kRounds = 2000;
    for (int i = 0; i < kRounds; ++i) {
        EvaluateRequest request;
        request.reference = difference(bench.original(), bench.original());
        request.candidates.push_back(difference(bench.original(), image));
        FrameParser parser(false);
        parser.feed(encode_frame(to_message(request)));
        auto message = parser.next();
        if (!message || !*message) return;
        auto read = evaluate_request_from(**message);
        if (!read || !build_image(bench.original(), read->candidates[0])) return;
    }
    fmt::print("protocol: {:.1f} us a candidate (encode, parse, patch, hash)\n",
               seconds_since(start) / kRounds * 1e6);
}

void print_comparison(const BenchComparison& result, double took) {
    const BenchOutcome& o = result.outcome;
    if (o.kind != OutcomeKind::Ok) {
        fmt::print("compare: outcome {}: {}\n", static_cast<int>(o.kind), o.detail);
        return;
    }
    fmt::print(
        "compare: {} {:+.4f} [{:+.4f}, {:+.4f}], A {:.2f} us, B {:.2f} us, {} loads, outputs equal {} on {} "
        "sets, {:.1f} s {}\n",
        to_string(o.verdict), o.speedup.log, o.speedup.low, o.speedup.high, o.reference_us, o.cost, o.loads,
        result.details.outputs_equal, result.details.input_sets, took, o.detail);
}

}  // namespace

int run_selftest(const std::filesystem::path& cubin, int candidates, int device_index) {
    static WorkerHeartbeat heartbeat;
    start_watchdog(heartbeat);
    if (const int status = print_device(device_index, "cubinlab-lab-worker"); status != 0) return status;
    auto opened = open_bench(cubin, device_index, heartbeat);
    if (!opened) return report(opened.error());
    GpuBench& bench = *opened->bench;
    auto workload = Workload::load(default_workload_path(cubin));
    const auto text = text_section(bench.original(), workload ? workload->kernel : "");
    fmt::print("kernel code: {} words\n", text.second / 16);
    time_protocol(bench, text);
    bool usable = run_batch(bench, "screen, same bytes", candidates, Effort::Screen, 0, text);
    usable = usable && run_batch(bench, "screen, 8 stalls raised", candidates, Effort::Screen, 8, text);
    usable = usable &&
             run_batch(bench, "promote, same bytes", std::max(2, candidates / 20), Effort::Refine, 0, text);
    usable = usable &&
             run_batch(bench, "confirm, same bytes", std::max(2, candidates / 40), Effort::Confirm, 0, text);
    if (usable) {
        const auto start = Clock::now();
        print_comparison(bench.compare({bench.original(), bench.original(), 20}, {}), seconds_since(start));
    }
    return usable ? 0 : 1;
}

int run_compare(const std::filesystem::path& a, const std::filesystem::path& b, int loads, int device_index) {
    static WorkerHeartbeat heartbeat;
    start_watchdog(heartbeat);
    auto other = read_file(b);
    if (!other) return report(other.error());
    auto opened = open_bench(a, device_index, heartbeat);
    if (!opened) return report(opened.error());
    const auto start = Clock::now();
    const BenchComparison result = opened->bench->compare({opened->bench->original(), *other, loads}, {});
    print_comparison(result, seconds_since(start));
    return result.outcome.kind == OutcomeKind::Ok ? 0 : 1;
}

}  // namespace cubinlab
