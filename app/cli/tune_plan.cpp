// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/kernel_input.h"
#include "core/claims/own_outputs.h"
#include "core/claims/step_measurement.h"
#include "core/claims/stored_figures.h"
#include "core/measure/captured_launch.h"
#include "core/store/instruction_ranges.h"

namespace cubinlab::cli {
namespace {

// 0: the newest run of an agent that has steps; hand edits are no run that could go on by itself. A run that
// was interrupted before its first step begins at its start, if it is asked for by its number.
Result<RunInfo> run_to_resume(SessionReader& reader, const TuneOptions& options) {
    if (options.resume != 0) {
        auto run = reader.run(options.resume);
        if (run && run->agent == "hand")
            return fail(ErrorCode::BadUse,
                        fmt::format("run {} holds hand edits; only a run of an agent can go on", run->id),
                        options.session);
        return run;
    }
    auto runs = reader.runs();
    if (!runs) return fail(runs.error());
    for (auto run = runs->rbegin(); run != runs->rend(); ++run)
        if (run->agent != "hand" && run->steps > 0) return std::move(*run);
    return fail(ErrorCode::NotFound, "holds no run of an agent that could go on", options.session);
}

// Files that this run reads, or would without --workload.
std::vector<std::filesystem::path> files_read(const TuneOptions& options, const TuneInputs& in) {
    const std::filesystem::path opened =
        in.kernel->cubin().where();  // in the folder that may have been named
    std::vector<std::filesystem::path> files = {options.file, opened, options.workload};
    if (options.workload.empty()) {
        files.push_back(default_workload_path(opened));
        files.push_back(
            std::filesystem::path(opened).replace_extension(in.kernel->name() + ".workload.json"));
    }
    if (in.workload)
        for (const auto& [number, file] : files_read_by(*in.workload))
            files.push_back(file);
    return files;
}

}  // namespace

OutputFile cubin_to_write(const TuneOptions& options, const TuneInputs& in) {
    OutputFile out{options.out, files_read(options, in), {}, options.force};
    for (const char* side : {"", "-wal", "-shm"})
        out.inputs.emplace_back(options.session + side);
    out.bytes = in.kernel->cubin().bytes().size() + 4096;
    return out;
}

namespace {

// Where results go, asked before the search: it may take hours.
Status check_outputs(const TuneOptions& options, const TuneInputs& in) {
    for (const std::filesystem::path& input : files_read(options, in))
        if (same_file(options.session, input))
            return fail(ErrorCode::BadUse, "is an input, not a session; choose another --session",
                        options.session);
    if (options.out.empty()) return {};
    auto free = check_cubin_output(cubin_to_write(options, in), in.kernel->hash());
    if (!free) return fail(free.error());
    return {};
}

// "0x120-0x1f0,0x300": byte offsets in the file's code, both ends included.
Result<std::vector<InstrId>> locked_from(const std::string& text, const Kernel& kernel) {
    std::vector<InstrId> ids;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        const auto number = [&](std::string_view digits) -> std::optional<std::size_t> {
            if (digits.starts_with("0x")) digits.remove_prefix(2);
            std::size_t offset = 0;
            const char* end = digits.data() + digits.size();
            const auto [stopped, error] = std::from_chars(digits.data(), end, offset, 16);
            if (error != std::errc{} || stopped != end || offset % kWordBytes != 0) return {};
            return offset / kWordBytes;
        };
        const std::size_t dash = part.find('-');
        const auto first = number(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= kernel.size())
            return fail(ErrorCode::BadUse,
                        fmt::format("'{}' is no range of byte offsets of this kernel (0x0 to {:#x}); write "
                                    "0x120-0x1f0 or 0x300",
                                    part, (kernel.size() - 1) * kWordBytes),
                        "--lock");
        for (std::size_t id = *first; id <= *last; ++id)
            ids.push_back(static_cast<InstrId>(id));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

// The log of a run was made with its own start and locks, so it goes on with these and no others, and only
// from figures that follow from what they were made of: what it ends with is claimed anew.
Status plan_resumption(TunePlan& plan, const TuneOptions& options, const TuneInputs& in,
                       std::stop_token stop) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return fail(reader.error());
    auto info = run_to_resume(**reader, options);
    if (!info) return fail(info.error());
    if (!options.lock.empty() && plan.locked != info->locked)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was started with {} locked instructions ({}), not with these; leave "
                                "--lock out to go on with them, or start a new run",
                                info->id, info->locked.size(),
                                info->locked.empty() ? "none" : ranges_text(info->locked)),
                    options.session);
    auto start = (*reader)->schedule_at(in.kernel, info->id, 0);
    if (!start) return fail(start.error());
    auto figures = check_run_figures(**reader, in.kernel, *info, FiguresOf::BestSteps, stop);
    if (!figures) return fail(figures.error().code, figures.error().message(), options.session);
    if (figures->unchecked != 0 && info->evaluator.kind == EvaluatorKind::Model)
        return fail(ErrorCode::BadInput,
                    fmt::format("run {} cannot go on: {}; start a new run", info->id, figures->why),
                    options.session);
    auto steps = (*reader)->steps(info->id);
    if (!steps) return fail(steps.error());
    plan.locked = info->locked;
    plan.start = std::move(*start);
    plan.against_start = info->start_run != 0;
    plan.id = info->id;
    plan.judged_by = info->evaluator;
    plan.settings.agent = info->agent;
    plan.settings.agent_settings = info->agent_settings;
    plan.settings.seed = info->seed;
    plan.logged = std::move(*steps);
    if (!plan.logged.empty())
        plan.settings.first_step = static_cast<std::uint64_t>(plan.logged.back().step) + 1;
    return {};
}

}  // namespace

Result<TuneInputs> read_tune_inputs(const TuneOptions& options) {
    TuneInputs in;
    auto input = open_kernel(options.file, options);
    if (!input) return fail(input.error());
    if (auto linked = check_linked(*input->cubin); !linked) return fail(linked.error());
    auto kernel = Kernel::load(input->cubin, input->kernel);
    if (!kernel) return fail(kernel.error());
    in.kernel = *kernel;
    if (!in.kernel->arch().editable())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} cubins can be viewed, not tuned: it is not known which copy of their code runs",
                        in.kernel->arch().name()),
            options.file);
    if (auto free = check_outputs(options, in); !free) return fail(free.error());
    auto checker = HazardChecker::create(in.kernel);
    if (!checker) return fail(checker.error());
    in.checker = *checker;
    auto workload = find_workload(*in.kernel, options.workload);
    if (!workload) return fail(workload.error());
    in.workload = std::move(*workload);
    if (auto free = check_outputs(options, in); !free) return fail(free.error());  // its input files
    return in;
}

Result<TunePlan> plan_tune(const TuneOptions& options, const TuneInputs& in, const Budget& budget,
                           std::stop_token stop) {
    TunePlan plan{{}, 0, Schedule(in.kernel), false, {}, {}, {}};
    plan.settings.agent = options.agent;
    plan.settings.agent_settings = options.agent_settings;
    plan.settings.seed = options.seed;
    plan.settings.budget = budget;
    auto locked = locked_from(options.lock, *in.kernel);
    if (!locked) return fail(locked.error());
    plan.locked = std::move(*locked);
    if (options.resume >= 0)
        if (auto resumed = plan_resumption(plan, options, in, std::move(stop)); !resumed)
            return fail(resumed.error());
    return plan;
}

// How many confirmations the interrupted run had made: the error probability is spent over all of them.
Result<EvaluatorChoice> choose_for_tune(const TuneOptions& options, const TuneInputs& in,
                                        const TunePlan& plan, std::stop_token stop) {
    GpuSettings gpu = options.gpu.settings(options.seed);
    gpu.confirmations_before = confirmations_in(plan.logged);
    auto choice = choose_evaluator(in.kernel, in.workload, options.evaluator, gpu, std::move(stop));
    if (!choice) return choice;
    if (!plan.judged_by) return choice;
    const EvaluatorInfo now = choice->evaluator->info();
    const EvaluatorInfo& then = *plan.judged_by;
    if (then.kind != now.kind)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was evaluated on the {}; continue it with --evaluator {}", plan.id,
                                to_string(then.kind), to_string(then.kind)),
                    options.session);
    // Cycles of other launch settings are another unit.
    if (now.kind == EvaluatorKind::Model &&
        std::abs(now.original_cost - then.original_cost) > kFigureTolerance * now.original_cost)
        return fail(ErrorCode::BadUse,
                    fmt::format("in run {} the original costs {:.6g} {}, here {:.6g}: continue it with the "
                                "workload that it was started with",
                                plan.id, then.original_cost, now.unit, now.original_cost),
                    options.session);
    return choice;
}

}  // namespace cubinlab::cli
