// SPDX-License-Identifier: GPL-3.0-or-later
// verify BUNDLE: checks that it is intact and legal, that its samples give its figures, and measures it here.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/shape_lines.h"
#include "core/binary/cubin.h"
#include "core/evidence/evidence_bundle.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/tuning/measure.h"

namespace cubinlab::cli {

struct VerifyOptions : Common {
    std::string bundle;
    GpuOptions gpu;
    int loads = 12;
    std::uint64_t seed = 2;
};

namespace {

std::string figures(const std::string& verdict, const Speedup& speedup, const std::string& device,
                    Cache cache) {
    return fmt::format("{} {} on {}{}", verdict, percent_text(speedup), device, cache_words(cache));
}

Json document_of(const VerifyOptions& options, const BundleCheck& bundle) {
    Json out = {{"bundle", options.bundle},
                {"kernel", bundle.kernel},
                {"intact_and_legal", bundle.problems.empty()},
                {"problems", bundle.problems},
                {"code", to_string(bundle.code)},
                {"moved", bundle.moved},
                {"control_changed", bundle.control_changed},
                {"bundled", nullptr},
                {"repeated", nullptr}};
    if (bundle.measured)
        out["bundled"] = {{"verdict", to_string(bundle.verdict)},
                          {"log_speedup", bundle.speedup.log},
                          {"low", bundle.speedup.low},
                          {"high", bundle.speedup.high},
                          {"cache", to_string(bundle.cache)},
                          {"device", bundle.device},
                          {"shapes", shapes_document(bundle.shapes)}};
    return out;
}

// `repeated`: null if the measurement was not repeated.
int finish(const VerifyOptions& options, const BundleCheck& bundle, Json document,
           const std::vector<std::string>& notes, int code, const ShapesComparison* repeated = nullptr) {
    document["notes"] = notes;
    if (options.json) return print_document(document, code);
    for (const std::string& problem : bundle.problems)
        print_line("PROBLEM: " + problem);
    if (bundle.problems.empty())
        print_line(fmt::format(
            "{}: intact; the candidate is a legal reschedule{} ({} moved, {} control codes changed)",
            bundle.kernel, bundle.code == CodeKind::Recompiled ? " of a compilation of the same PTX, which it holds" : "",
            bundle.moved, bundle.control_changed));
    if (bundle.measured) {
        print_line(
            "bundled:  " + figures(to_string(bundle.verdict), bundle.speedup, bundle.device, bundle.cache) +
            over_words(bundle.shapes));
        for (const std::string& line : shape_lines(bundle.shapes, bundle.speedup.log))
            print_line(line);
    }
    const Json& r = document["repeated"];
    if (r.is_object() && r["outcome"] == to_string(OutcomeKind::Ok))
        print_line("repeated: " +
                   figures(r["verdict"], {r["log_speedup"], r["low"], r["high"]}, document["device"],
                           parse_cache(document.value("cache", std::string())).value_or(Cache::Hot)) +
                   (repeated ? over_words(repeated->figures()) : ""));
    if (repeated && !repeated->outcome.ok()) print_line("repeated: " + no_figure_line(*repeated));
    if (repeated)
        for (const std::string& line : shape_lines(*repeated))
            print_line(line);
    for (const std::string& note : notes)
        print_line(note);
    return code;
}

}  // namespace

Result<int> run_verify(const VerifyOptions& options) {
    StopOnSignal stop;
    auto bundle = TRY(check_bundle(options.bundle));
    Json document = document_of(options, bundle);
    std::vector<std::string> notes = bundle.notes;
    if (!bundle.problems.empty() || !bundle.workload) {
        notes.push_back("not run: only an intact and legal bundle runs on a GPU");
        return finish(options, bundle, std::move(document), notes, 1);
    }
    GpuSettings settings = options.gpu.settings(options.seed);
    // Figures of different cache states do not contradict each other.
    if (bundle.measured) settings.cache = bundle.cache;
    settings.cache_given = settings.cache_given || bundle.measured;
    settings.cache = measured_states(with_cache_for(settings, *bundle.workload).cache).front();
    auto cubin = TRY(Cubin::parse(bundle.original, "original.cubin"));
    auto measured = measure_cubins(bundle.original, bundle.candidate, cubin->arch(), *bundle.workload,
                                   {.gpu = settings, .loads = options.loads}, stop.token());
    if (!measured && measured.error().code == ErrorCode::NoGpu) {
        notes.push_back("not repeated: " + measured.error().message());
        return finish(options, bundle, std::move(document), notes, exit_code(ErrorCode::NoGpu));
    }
    if (!measured) return fail(measured.error());
    const ShapesComparison* const repeated = &measured->front().comparison;
    document["repeated"] = to_json(repeated->outcome, EvaluatorKind::Gpu);
    document["device"] = repeated->first().machine.device;
    document["cache"] = to_string(settings.cache);
    document["shapes"] = shapes_document(*repeated);
    document["machine"] = to_json(repeated->first().machine);
    document["log_ratio_samples_by_load"] = repeated->first().details.by_load;
    const std::string against = contradiction(bundle, *repeated);
    const std::string missing = not_reproduced(bundle, *repeated);
    if (!against.empty())
        notes.push_back("CONTRADICTED: " + against);
    else if (!missing.empty())
        notes.push_back("NOT REPRODUCED: " + missing + "; no speed-up is shown here");
    const bool whole = against.empty() && repeated->outcome.ok();
    return finish(options, bundle, std::move(document), notes, whole ? 0 : 1, repeated);
}

void add_verify(CommandTable& table) {
    auto [sub, options] =
        table.add("verify", "check an evidence bundle and repeat its measurement on this GPU", run_verify);
    sub->add_option("BUNDLE", options.bundle, "folder that export --bundle wrote")->required();
    sub->add_option("--loads", options.loads, "fresh module loads of each")->check(whole(2, 1000));
    sub->add_option("--seed", options.seed, "seed of inputs and order; not that of measure by default")
        ->check(whole(0, kAny));
    add_gpu(sub, options.gpu);
    add_cache(sub, options.gpu, kLastState);
    add_common(sub, options, false);
}

}  // namespace cubinlab::cli
