// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab bounds`: what a launch takes at least.
#include "app/lab/study/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/commands/study_kernel.h"
#include "core/base/file.h"
#include "core/measure/gpu_client.h"
#include "core/measure/statistics.h"

namespace cubinlab::cli {
namespace {

double clock_of(const BenchOutcome& outcome, const BenchFacts& facts) {
    std::vector<double> seen;
    for (const GpuReading& reading : outcome.states)
        if (reading.sm_clock_mhz > 0) seen.push_back(reading.sm_clock_mhz);
    return seen.empty() ? facts.clock_khz / 1000.0 : median(std::move(seen));
}

// A fresh worker for each cubin and size, since what it compares outputs with are those of the cubin itself.
Result<TimedLaunch> time_launch(const GpuSettings& settings, int loads, const std::string& kernel_name,
                                const std::vector<std::byte>& bytes, const std::vector<std::byte>* other,
                                const Workload& workload, const std::stop_token& stop) {
    auto cubin = Cubin::parse(bytes, "a part of the kernel");
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin, kernel_name);
    if (!kernel) return fail(kernel.error());
    auto client = make_gpu_client(**kernel, workload, settings);
    if (!client) return fail(client.error());
    if (auto ready = (*client)->ready(stop); !ready) return fail(ready.error());
    CompareRequest request;
    request.a = bytes;
    request.b = other ? *other : bytes;
    request.loads = loads;
    auto compared = (*client)->compare(request, stop);
    if (!compared) return fail(compared.error());
    const BenchOutcome& outcome = compared->outcome;
    if (!outcome.ok())
        return fail(ErrorCode::Worker, fmt::format("{}: {}", to_string(outcome.kind), outcome.detail));
    const BenchFacts& facts = (*client)->facts();
    return TimedLaunch{
        outcome.reference_us,
        outcome.cost,
        outcome.log_speedup,
        outcome.low,
        outcome.high,
        {facts.device, facts.driver, facts.multiprocessors, facts.l2_bytes, clock_of(outcome, facts)}};
}

Json to_json(const Line& line, const KernelBounds& b) {
    return {{"us_a_pass", line.slope},
            {"cycles_a_pass", b.cycles_of(line.slope)},
            {"us_beside", line.at_zero},
            {"largest_miss_us", line.miss}};
}

Json to_json(const KernelBounds& b) {
    Json parts = Json::array(), sizes = Json::array(), resources = Json::array();
    for (const PartTime& p : b.parts) {
        Json row = {{"part", name_of(p.part)}, {"kept", p.kept}, {"taken_away", p.taken_away}};
        if (p.failure.empty())
            row["us"] = p.us;
        else
            row["failure"] = p.failure;
        parts.push_back(std::move(row));
    }
    for (const SizeTime& s : b.sizes) {
        Json row = {{"size", s.size}, {"us", s.us}};
        if (s.winner_us > 0) row["winner_us"] = s.winner_us;
        sizes.push_back(std::move(row));
    }
    for (const ResourceTime& r : b.resources) {
        Json row = {{"resource", r.resource}, {"cycles_a_pass", r.cycles}, {"certain", r.certain}};
        if (r.at_most > 0) row["allows"] = r.at_most;
        resources.push_back(std::move(row));
    }
    Json out = {{"kernel", b.name},
                {"device", b.machine.device},
                {"driver", b.machine.driver},
                {"clock_mhz", b.machine.clock_mhz},
                {"multiprocessors", b.machine.multiprocessors},
                {"l2_bytes", b.machine.l2_bytes},
                {"blocks", b.blocks},
                {"buffer_bytes", b.buffer_bytes},
                {"warps_on_sub_core", b.warps_on_sub_core},
                {"us", b.us},
                {"parts", std::move(parts)},
                {"passes", b.passes},
                {"sizes", std::move(sizes)},
                {"resources", std::move(resources)}};
    if (b.winner_us > 0) {
        out["winner_us"] = b.winner_us;
        out["winner"] = {{"log_speedup", b.log_speedup}, {"low", b.low}, {"high", b.high}};
    }
    if (b.varied) out["varied"] = {{"param", b.varied->param}, {"step", b.varied->step}};
    if (b.line.slope > 0) out["line"] = to_json(b.line, b);
    if (b.winner_line.slope > 0) out["winner_line"] = to_json(b.winner_line, b);
    return out;
}

// The winner's cubin must be a legal schedule of the kernel: nothing else is measured against it.
Result<std::vector<std::byte>> read_winner(const std::string& path, const StudyKernel& of) {
    auto cubin = Cubin::open(path);
    if (!cubin) return fail(cubin.error());
    auto words = Kernel::load(*cubin, of.kernel->name());
    if (!words) return fail(words.error());
    std::vector<Word> code;
    for (const Instruction& instruction : (*words)->instructions())
        code.push_back(instruction.word);
    auto schedule = Schedule::match(of.kernel, code);
    if (!schedule) return fail(schedule.error());
    if (const Legality found = of.checker->check(*schedule); !found.empty())
        return fail(ErrorCode::Refused, "is no legal schedule of " + of.file, path);
    const auto bytes = (*cubin)->bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// --against names the kernels' winners, in their order, or one folder of NAME.cubin.
std::string winner_path(const BoundsOptions& options, std::size_t which, const std::string& file) {
    std::error_code ignored;
    if (options.against.size() == 1 && std::filesystem::is_directory(options.against[0], ignored)) {
        const auto there = std::filesystem::path(options.against[0]) / std::filesystem::path(file).filename();
        return std::filesystem::exists(there, ignored) ? there.string() : std::string();
    }
    return which < options.against.size() ? options.against[which] : std::string();
}

Result<std::vector<BoundsInput>> read_inputs(const BoundsOptions& options) {
    std::vector<NamedVaried> varied;
    for (const std::string& text : options.vary) {
        auto one = parse_varied(text);
        if (!one) return fail(one.error());
        varied.push_back(std::move(*one));
    }
    std::vector<BoundsInput> out;
    for (std::size_t i = 0; i < options.files.size(); ++i) {
        auto of = read_study_kernel(options.folder, options.files[i], options.kernel, "gpu");
        if (!of) return fail(of.error());
        BoundsInput input{std::filesystem::path(of->file).stem().string(), of->kernel, *of->workload, {}, {}};
        for (const NamedVaried& v : varied)
            if (v.kernel == input.name) input.varied = v.varied;
        if (input.varied)
            if (auto there = scalar_of(input.workload, input.varied->param); !there)
                return fail(ErrorCode::BadUse, there.error().what, "--vary " + input.name);
        if (const std::string path = winner_path(options, i, of->file); !path.empty()) {
            auto winner = read_winner(path, *of);
            if (!winner) return fail(winner.error());
            input.winner = std::move(*winner);
        }
        out.push_back(std::move(input));
    }
    for (const NamedVaried& v : varied)
        if (std::none_of(out.begin(), out.end(), [&](const BoundsInput& in) { return in.name == v.kernel; }))
            return fail(ErrorCode::BadUse, "--vary " + v.kernel + ": no kernel of that name is studied");
    return out;
}

// One kernel at a time on each GPU.
Result<std::vector<KernelBounds>> study_all(const BoundsOptions& options,
                                            const std::vector<BoundsInput>& inputs,
                                            const std::stop_token& stop) {
    std::vector<std::optional<KernelBounds>> done(inputs.size());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::optional<Error> failed;
    const auto work = [&](int device) {
        GpuSettings settings = options.gpu.settings(1);
        settings.device = device;
        settings.input_sets = 1;
        settings.ladder.extra_sets = 0;
        settings.ladder.warm_up_ms = options.warm_up_ms;
        for (std::size_t i = next++; i < inputs.size() && !stop.stop_requested(); i = next++) {
            const TimeLaunch time = [&](const std::vector<std::byte>& cubin,
                                        const std::vector<std::byte>* other, const Workload& workload) {
                return time_launch(settings, options.loads, inputs[i].kernel->name(), cubin, other, workload,
                                   stop);
            };
            auto bounds = study_bounds(inputs[i], time, stop);
            const std::scoped_lock lock(mutex);
            if (!bounds) {
                if (!failed) failed = Error{bounds.error().code, bounds.error().what, inputs[i].name};
                continue;
            }
            if (!options.json) print_progress(printable(inputs[i].name + " done"));
            done[i] = std::move(*bounds);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (const int device : options.devices)
            threads.emplace_back([&, device] { work(device); });
    }
    std::vector<KernelBounds> out;
    for (auto& one : done)
        if (one) out.push_back(std::move(*one));
    if (failed && out.empty()) return fail(*failed);
    if (failed) print_progress(printable("not studied: " + failed->message()));
    return out;
}

}  // namespace

int run_bounds(const BoundsOptions& options) {
    StopOnSignal stop;
    auto inputs = read_inputs(options);
    if (!inputs) return print_error(inputs.error(), options.json);
    auto all = study_all(options, *inputs, stop.token());
    if (!all) return print_error(all.error(), options.json);
    Json rows = Json::array();
    std::string text;
    for (const KernelBounds& b : *all) {
        rows.push_back(to_json(b));
        text += bounds_text(b) + "\n";
    }
    const std::string table = bounds_markdown(*all);
    const Json document = {{"cache", options.gpu.cold ? "cold" : "hot"},
                           {"loads", options.loads},
                           {"kernels", std::move(rows)},
                           {"markdown", table}};
    if (!options.out.empty()) {
        std::error_code ignored;
        std::filesystem::create_directories(options.out, ignored);
        const std::filesystem::path folder = options.out;
        for (const auto& [name, content] :
             {std::pair{"bounds.json", document.dump(1) + "\n"}, {"bounds.md", table}, {"bounds.txt", text}})
            if (auto ok = write_text(folder / name, content); !ok)
                return print_error(ok.error(), options.json);
    }
    const int code = all->size() == inputs->size() ? 0 : 1;
    if (options.json) return print_document(document, code);
    print_text(text + table);
    return code;
}

}  // namespace cubinlab::cli
