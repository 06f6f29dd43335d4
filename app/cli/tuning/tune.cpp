// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "app/cli/parts/tune_report.h"
#include "core/base/parse_number.h"
#include "core/evidence/output_provenance.h"
#include "core/gpu/protocol/captured_launch.h"
#include "core/tuning/tune_session.h"

namespace cubinlab::cli {
namespace {

struct TuneInputs {
    KernelPtr kernel;
    std::optional<Workload> workload;
    std::optional<PtxSource> ptx;
};

// Files that this run reads, or would without --workload.
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

OutputFile cubin_to_write(const TuneOptions& options, const TuneInputs& in) {
    OutputFile out{options.out, files_read(options, in), {}, options.force};
    for (const char* side : {"", "-wal", "-shm"})
        out.inputs.emplace_back(options.session + side);
    for (const std::string& start : options.from_schedules)
        out.inputs.emplace_back(start);
    out.bytes = in.kernel->cubin().bytes().size() + 4096;
    return out;
}

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

// `archs`: names and the reason of each.
Error view_only(const std::map<std::string, std::string>& archs, const std::string& file) {
    std::string text;
    for (const auto& [name, reason] : archs)
        text += fmt::format("{}{} cubins can be viewed, not tuned: {}", text.empty() ? "" : "; ", name, reason);
    return {ErrorCode::Unsupported, text, file};
}

// Why no kernel was chosen; if none of the candidates can be tuned, that is the error.
Error not_chosen(Error why, const TuneOptions& options) {
    if (why.code != ErrorCode::BadUse && why.code != ErrorCode::NotFound) return why;
    const auto container = Container::open(options.file);
    const auto arch = queried_arch(options.arch);
    if (!container || !arch) return why;
    std::map<std::string, std::string> archs;
    for (const Image& image : (*container)->images()) {
        if (!matches_image(image, options.image)) continue;
        const ImageContents contents = contents_of(**container, image);
        if (contents.kernels.empty() || !contents.arch || (*arch && !(*contents.arch == **arch))) continue;
        if (contents.arch->editable()) return why;
        archs.emplace(contents.arch->name(), contents.arch->why_view_only());
    }
    return archs.empty() ? why : view_only(archs, options.file);
}

// Other compilations are searched by `auto`, from the original, with every instruction free.
bool searches_starts(const TuneOptions& options) {
    return options.agent == kDefaultAgent && !options.only_reschedules && options.lock.empty() &&
           options.from_schedules.empty();
}

Result<TuneInputs> read_inputs(const TuneOptions& options) {
    TuneInputs in;
    auto opened = open_file_kernel(options.file, options);
    if (!opened) return fail(not_chosen(opened.error(), options));
    const KernelChoice& input = opened->choice;
    TRY(check_linked(*input.cubin));
    auto kernel = TRY(Kernel::load(input.cubin, input.kernel));
    in.kernel = kernel;
    if (searches_starts(options)) in.ptx = TRY(find_ptx(*opened->container, input, options.ptx));
    const Arch& arch = in.kernel->arch();
    if (!arch.editable() && !in.ptx) return fail(view_only({{arch.name(), arch.why_view_only()}}, options.file));
    TRY(check_outputs(options, in));
    in.workload = TRY(find_workload(*in.kernel, options.workload));
    TRY(check_outputs(options, in));  // its input files
    return in;
}

bool names_cache(const GpuOptions& gpu) {
    return !gpu.cache.empty();
}

// A resumed run keeps its own agent, seed and settings unless others are given, which is an error.
void add_search(TuneRequest& request, const TuneOptions& options) {
    const bool resumes = options.resume >= 0;
    if (resumes) request.resume = options.resume;
    if (!resumes || options.given.agent) request.agent = options.agent;
    if (!resumes || options.given.settings) request.agent_settings = options.agent_settings;
    if (!resumes || options.given.seed) request.seed = options.seed;
    request.batch = options.batch;
    request.cache_given = names_cache(options.gpu);
    if (!options.from_schedules.empty())
        request.earlier = EarlierSources{{}, {options.from_schedules.begin(), options.from_schedules.end()}};
}

// Empty: unreadable.
std::string kernel_of_session(const std::string& session) {
    const auto reader = SessionReader::open(session);
    if (!reader) return {};
    const auto kernel = (*reader)->kernel();
    return kernel ? (*kernel)->name() : std::string();
}

// Completes `options`: the name of the session, and the kernel of a resumed session. Errors: of the inputs; BadUse
// (an output that must not be written); Unsupported (a view-only architecture).
Result<TuneRequest> tune_request(TuneOptions& options) {
    const auto budget = TRY(Budget::parse(options.budget));
    if (options.final_processes == 1)
        return fail(ErrorCode::BadUse, "one process cannot show how processes differ: use 0 or at least 2",
                    "--final-processes");
    if (options.session.empty()) {
        if (options.resume >= 0) return fail(ErrorCode::BadUse, "--resume needs --session");
        options.session = std::filesystem::path(options.file).stem().string() + ".cubinlab.db";
    }
    auto in = read_inputs(options);
    if (!in && options.resume >= 0 && options.kernel.empty()) {
        // Of several kernels in the file, the one of the session.
        options.kernel = kernel_of_session(options.session);
        if (!options.kernel.empty()) in = read_inputs(options);
    }
    if (!in) return fail(in.error());
    TuneRequest request{.kernel = in->kernel,
                        .workload = in->workload,
                        .evaluator = *parse_evaluator_policy(options.evaluator),
                        .gpu = options.gpu.settings(options.seed),
                        .budget = budget,
                        .session = options.session,
                        .final_processes = options.final_processes};
    request.ptx = std::move(in->ptx);
    add_search(request, options);
    if (!options.lock.empty()) request.locked = TRY(locked_from(options.lock, *in->kernel));
    if (!options.out.empty()) request.out = cubin_to_write(options, *in);
    return request;
}

// The note on the evaluator, and the options that it does not use. Mostly empty.
std::string evaluator_note(const TuneOptions& options, const TunePlan& plan) {
    std::string note = plan.note;
    const auto add = [&](const char* text) { note += (note.empty() ? "" : "; ") + std::string(text); };
    if (!plan.starts_note.empty()) add(plan.starts_note.c_str());
    if (plan.ptx.empty() && options.resume < 0 && searches_starts(options)) add(kWithoutPtx);
    if (plan.evaluator.kind == EvaluatorKind::Model && names_cache(options.gpu))
        add("the model knows no cache: --cache is ignored");
    // `auto` has looked there for a GPU.
    if (parse_evaluator_policy(options.evaluator) == EvaluatorPolicy::Model && options.gpu.names_a_gpu())
        add("the model runs here: --worker, --workers and --device are ignored");
    return note;
}

// Another file took the place meanwhile, or the disk is full.
Error with_way_out(Error error, const TuneOptions& options, RunId run) {
    error.what += fmt::format(
        "; nothing is lost: `cubinlab export {} --run {} --out OTHER.cubin` writes the best of the run",
        options.session, run);
    return error;
}

void explain_stop(TuneResult& result, const TunePlan& plan, const TuneOptions& options) {
    const RunSummary& summary = result.summary;
    if (plan.evaluator.kind == EvaluatorKind::Gpu && summary.best_step != 0 && summary.end == RunEnd::Stopped)
        result.final_problem =
            fmt::format("the run was stopped; `cubinlab measure {}` does", options.session);
}

}  // namespace

Result<int> run_tune(const TuneOptions& given) {
    StopOnSignal stop;
    TuneOptions options = given;
    const auto began = std::chrono::steady_clock::now();
    auto request = TRY(tune_request(options));
    request.began = began;
    const KernelPtr kernel = request.kernel;
    ProgressStream progress(options.progress, options.json);  // outlives the session
    auto session = TRY(TuneSession::prepare(std::move(request), progress, stop.token()));
    const TunePlan& plan = session.plan();
    const std::string note = evaluator_note(options, plan);
    const std::size_t own = note_self_check(kernel);
    if (!options.json && !options.progress) print_start(options, *kernel, plan, note);
    auto result = TRY(session.run(progress, stop.token(), PauseGate()));
    explain_stop(result, plan, options);
    if (result.session_removed) options.session.clear();
    if (result.not_exported) {
        if (!options.json) print_summary(options, plan, result);
        return fail(with_way_out(*result.not_exported, options, result.run));
    }
    const bool unwritten = !options.out.empty() && result.run == 0;
    const int code = result.summary.end == RunEnd::EvaluatorLost || unwritten ? 1 : 0;
    if (options.json) {
        Json document = tune_document(options, *kernel, plan, result, note);
        document["original_findings"] = own;
        return print_document(document, code);
    }
    print_summary(options, plan, result);
    return code;
}

void add_tune(CommandTable& table) {
    auto [sub, options] = table.add("tune", "search for a faster schedule and log every step", run_tune);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--workload", options.workload, "default: NAME.workload.json next to the cubin");
    const auto notes = [](bool& given) { return [&given](const std::string&) { given = true; }; };
    sub->add_option("--agent", options.agent, agent_names())
        ->check(known_agent())
        ->each(notes(options.given.agent));
    sub->add_option("--agent-settings", options.agent_settings, "the agent's own settings, a JSON object")
        ->each(notes(options.given.settings));
    sub->add_option("--from-schedules", options.from_schedules,
                    "further starting schedules for auto: a session, a cubin or a folder of "
                    "them; may be repeated")
        ->allow_extra_args(false);
    sub->add_option("--ptx", options.ptx,
                    "the kernel's PTX, for other compilations of it; default: searched in FILE and next to it");
    add_only_reschedules(sub, options.only_reschedules);
    sub->add_option("--evaluator", options.evaluator, "auto, gpu or model")
        ->check(one_of({"auto", "gpu", "model"}));
    sub->add_option("--budget", options.budget, "60s, 5m or 5000steps");
    sub->add_option("--seed", options.seed, "same seed and step budget: same run")
        ->check(whole(0, kAny))
        ->each(notes(options.given.seed));
    sub->add_option("--session", options.session, "session file; default: NAME.cubinlab.db");
    sub->add_option("--resume", options.resume, "continue this run of the session (0: the newest)")
        ->check(whole(0, kAnyId))
        ->default_str("");
    sub->add_option("--lock", options.lock,
                    "byte offsets that the agent neither moves nor edits: 0x120-0x1f0,0x300");
    sub->add_option("--batch", options.batch, "proposals in flight; default 1 on the model, 16 for each GPU")
        ->check(whole(1, kMostBatch))
        ->default_str("");
    sub->add_option("--final-processes", options.final_processes,
                    "fresh processes that measure the best schedule after a run on a GPU; 0: none")
        ->check(whole(0, 1000));
    sub->add_option("--out", options.out, "write the best schedule here");
    add_force(sub, options.force);
    sub->add_flag("--progress", options.progress, "one JSON line per step on standard error");
    add_gpu(sub, options.gpu);
    add_cache(sub, options.gpu);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
