// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/cli/kernel/kernel_input.h"
#include "core/base/bounded_json.h"
#include "core/base/parse_number.h"
#include "core/evidence/output_provenance.h"
#include "core/gpu/protocol/captured_launch.h"
#include "core/store/instruction_ranges.h"

namespace cubinlab::cli {
namespace {

// Files that this run reads, or would read without --workload.
std::vector<std::filesystem::path> files_read(const TuneOptions& options, const TuneInputs& in) {
    const std::filesystem::path opened = in.kernel->cubin().where();  // FILE may be a folder that contains it
    std::vector<std::filesystem::path> files = {options.file, opened, options.workload};
    if (options.workload.empty()) {
        files.push_back(default_workload_path(opened));
        files.push_back(default_workload_path(opened, in.kernel->name()));
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
    for (const std::string& start : options.warm_starts)
        out.inputs.emplace_back(start);
    out.bytes = in.kernel->cubin().bytes().size() + 4096;
    return out;
}

namespace {

// Checks the outputs before a search that may take hours.
Status check_outputs(const TuneOptions& options, const TuneInputs& in) {
    for (const std::filesystem::path& input : files_read(options, in))
        if (same_file(options.session, input))
            return fail(ErrorCode::BadUse, "is an input, not a session; choose another --session",
                        options.session);
    if (options.out.empty()) return {};
    TRY(check_cubin_output(cubin_to_write(options, in), in.kernel->hash()));
    return {};
}

// Parses "0x120-0x1f0,0x300": byte offsets in the kernel's code, both ends included.
Result<std::vector<InstrId>> locked_from(const std::string& text, const Kernel& kernel) {
    std::vector<InstrId> ids;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        const auto number = [&](std::string_view digits) -> std::optional<std::size_t> {
            if (digits.starts_with("0x")) digits.remove_prefix(2);
            const auto offset = parse_number<std::size_t>(digits, 16);
            if (!offset || *offset % kWordBytes != 0) return {};
            return *offset / kWordBytes;
        };
        const std::size_t dash = part.find('-');
        const auto first = number(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= kernel.size())
            return fail(
                ErrorCode::BadUse,
                fmt::format("'{}' is not a range of byte offsets of this kernel (0x0 to {:#x}); write "
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

// Whether the settings of the run contain all given ones.
bool holds(const std::string& settings, const std::string& given) {
    const auto own = parse_json_or_discard(settings), other = parse_json_or_discard(given);
    if (!own.is_object() || !other.is_object()) return false;
    return std::ranges::all_of(other.items(), [&](const auto& item) {
        const auto found = own.find(item.key());
        return found != own.end() && *found == item.value();
    });
}

Status same_agent(const RunInfo& run, const TuneOptions& options) {
    const auto differs = [&](const std::string& with, const char* option) {
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was started with {}; omit {} to resume it, or start a new run",
                                run.id, with, option),
                    options.session);
    };
    if (options.given.agent && options.agent != run.agent)
        return differs("the agent " + run.agent, "--agent");
    if (options.given.seed && options.seed != run.seed)
        return differs(fmt::format("the seed {}", run.seed), "--seed");
    if (options.given.settings && !holds(run.agent_settings, options.agent_settings))
        return differs("the settings " + run.agent_settings, "--agent-settings");
    return {};
}

// A run resumes only with its own start, locks and batch, which its log depends on.
Status plan_resumption(TunePlan& plan, const TuneOptions& options, const TuneInputs& in, const Budget& more,
                       std::shared_ptr<SessionReader> log, std::stop_token stop) {
    auto resumed = TRY(
        log ? open_resumed_run(std::move(log), options.session, in.kernel, options.resume, std::move(stop))
            : open_resumed_run(options.session, in.kernel, options.resume, std::move(stop)));
    const RunInfo& run = resumed.run;
    TRY(same_agent(run, options));
    if (!options.lock.empty() && plan.locked != run.locked)
        return fail(
            ErrorCode::BadUse,
            fmt::format("run {} was started with {} locked instructions ({}), not with these; omit --lock "
                        "to resume it, or start a new run",
                        run.id, run.locked.size(), run.locked.empty() ? "none" : ranges_text(run.locked)),
            options.session);
    plan.settings = resumed.settings(more);
    if (options.batch != 0 && options.batch != plan.settings.batch)
        return fail(
            ErrorCode::BadUse,
            fmt::format("run {} was started with {} proposals in flight; omit --batch to resume it, or "
                        "start a new run",
                        run.id, plan.settings.batch),
            options.session);
    plan.locked = run.locked;
    plan.start = resumed.start;
    plan.against_start = run.start_run != 0;
    plan.id = run.id;
    plan.resumed = std::move(resumed);
    return {};
}

Error view_only(const std::string& archs, const std::string& file) {
    return {ErrorCode::Unsupported,
            fmt::format("{} cubins can be viewed, not tuned: it is not known which copy of their code runs",
                        archs),
            file};
}

// Why no kernel was chosen; if none of the candidates can be tuned, that is the error.
Error not_chosen(Error why, const TuneOptions& options) {
    if (why.code != ErrorCode::BadUse && why.code != ErrorCode::NotFound) return why;
    const auto container = Container::open(options.file);
    const auto arch = queried_arch(options.arch);
    if (!container || !arch) return why;
    std::set<std::string> archs;
    for (const Image& image : (*container)->images()) {
        if (!matches_image(image, options.image)) continue;
        const ImageContents contents = contents_of(**container, image);
        if (contents.kernels.empty() || !contents.arch || (*arch && !(*contents.arch == **arch))) continue;
        if (contents.arch->editable()) return why;
        archs.insert(contents.arch->name());
    }
    return archs.empty() ? why : view_only(fmt::format("{}", fmt::join(archs, ", ")), options.file);
}

}  // namespace

Result<TuneInputs> read_tune_inputs(const TuneOptions& options) {
    TuneInputs in;
    auto input = open_kernel(options.file, options);
    if (!input) return fail(not_chosen(input.error(), options));
    TRY(check_linked(*input->cubin));
    auto kernel = TRY(Kernel::load(input->cubin, input->kernel));
    in.kernel = kernel;
    if (!in.kernel->arch().editable()) return fail(view_only(in.kernel->arch().name(), options.file));
    TRY(check_outputs(options, in));
    in.checker = TRY(HazardChecker::create(in.kernel));
    in.workload = TRY(find_workload(*in.kernel, options.workload));
    TRY(check_outputs(options, in));  // its input files
    return in;
}

namespace {

Status plan_starts(TunePlan& plan, const TuneOptions& options, const TuneInputs& in, std::stop_token stop) {
    if (options.warm_starts.empty()) return {};
    if (options.resume >= 0)
        return fail(ErrorCode::BadUse, "a resumed run keeps the starts that it began with; omit this option",
                    "--warm-start");
    const SearchContext context{in.kernel,   in.checker, plan.settings.seed, plan.settings.agent_settings,
                                plan.locked, {},         plan.start};
    auto starts =
        TRY(race_from_earlier(context, {}, {options.warm_starts.begin(), options.warm_starts.end()}, stop));
    plan.settings.agent_settings = starts.settings_json;
    plan.starts = std::move(starts);
    return {};
}

}  // namespace

Result<TunePlan> plan_tune(const TuneOptions& options, const TuneInputs& in, const Budget& budget,
                           std::shared_ptr<SessionReader> log, std::stop_token stop) {
    TunePlan plan{RunSettings{}, 0, Schedule(in.kernel), false, {}, std::nullopt};
    plan.settings.agent = options.agent;
    plan.settings.agent_settings = options.agent_settings;
    plan.settings.seed = options.seed;
    plan.settings.budget = budget;
    plan.locked = TRY(locked_from(options.lock, *in.kernel));
    TRY(plan_starts(plan, options, in, stop));
    if (options.resume >= 0) TRY(plan_resumption(plan, options, in, budget, std::move(log), std::move(stop)));
    return plan;
}

GpuSettings gpu_for_tune(const TuneOptions& options, const TunePlan& plan) {
    const GpuSettings given = options.gpu.settings(options.seed);
    GpuSettings settings = plan.resumed ? plan.resumed->gpu(given) : given;
    // The evaluator of the run; another is refused.
    if (options.gpu.cold || !options.gpu.cache.empty()) {
        settings.flush_l2 = given.flush_l2;
        settings.both_caches = given.both_caches;
    }
    return settings;
}

Result<EvaluatorChoice> choose_for_tune(const TuneOptions& options, const TuneInputs& in,
                                        const TunePlan& plan, std::stop_token stop) {
    const GpuSettings settings = gpu_for_tune(options, plan);
    auto choice = choose_evaluator(in.kernel, in.workload, options.evaluator, settings, std::move(stop));
    if (choice && choice->evaluator->info().kind == EvaluatorKind::Model &&
        (options.gpu.cold || !options.gpu.cache.empty()))
        choice->note +=
            std::string(choice->note.empty() ? "" : "; ") + "the model has no cache: --cache is ignored";
    // `auto` has tried to find a GPU there.
    if (choice && options.evaluator == "model" && options.gpu.names_a_gpu())
        choice->note += std::string(choice->note.empty() ? "" : "; ") +
                        "the model runs here: --worker, --workers and --device are ignored";
    if (!choice || !plan.resumed) return choice;
    if (auto same = plan.resumed->judged_alike(choice->evaluator->info(), in.workload); !same)
        return fail(same.error().code, same.error().what, options.session);
    return choice;
}

}  // namespace cubinlab::cli
