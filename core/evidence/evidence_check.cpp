// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a bundle that came from anywhere: hashes, legality, and whether its figures follow from its
// samples.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/evidence/evidence_bundle.h"
#include "core/evidence/standalone_checks.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/insight/schedule_diff.h"
#include "core/legality/hazard_checker.h"
#include "core/model/model_version.h"
#include "core/result/measurement_json.h"
#include "core/result/outcome_json.h"
#include "core/schedule/file_comparison.h"

namespace cubinlab {
namespace {

using nlohmann::json;

void check_hashes(const json& document, const std::filesystem::path& folder, BundleCheck& out) {
    json rest = document;
    rest.erase("document_hash");
    const std::string text = rest.dump(1, ' ', false, json::error_handler_t::replace);
    if (hash_bytes(text.data(), text.size()).hex() != document.at("document_hash").get<std::string>())
        out.problems.push_back("evidence.json was changed after it was written");
    // What the evidence lists, the three that every bundle has among it.
    std::vector<std::string> names = {"original.cubin", "candidate.cubin", "workload.json"};
    for (const auto& [name, hash] : document.at("files").items()) {
        if (name.find('/') != std::string::npos || name.starts_with('.'))
            out.problems.push_back(fmt::format("'{}' lies outside the bundle", name));
        else if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    for (const std::string& name : names) {
        std::error_code ignored;
        if (std::filesystem::is_symlink(folder / name, ignored)) {
            out.problems.push_back(fmt::format("{} is a link; a bundle holds its files itself", name));
            continue;
        }
        auto bytes = read_file(folder / name);
        if (!bytes) {
            out.problems.push_back(bytes.error().message());
        } else if (hash_bytes(*bytes).hex() != document.at("files").at(name).get<std::string>()) {
            out.problems.push_back(
                fmt::format("{} is not the file that was bundled (its hash differs)", name));
        }
    }
}

// The candidate is a legal reschedule of the original, and both are what the evidence names.
Result<std::optional<Schedule>> check_legality(const json& document, const std::filesystem::path& folder,
                                               BundleCheck& out) {
    auto original = TRY(Cubin::open(folder / "original.cubin"));
    auto candidate = TRY(Cubin::open(folder / "candidate.cubin"));
    out.original.assign(original->bytes().begin(), original->bytes().end());
    out.candidate.assign(candidate->bytes().begin(), candidate->bytes().end());
    auto kernel = TRY(Kernel::load(original, out.kernel));
    auto info = TRY(candidate->kernel(out.kernel));
    if (kernel->hash().hex() != document.at("original_code_hash").get<std::string>())
        out.problems.push_back("the original's code is not the one that the evidence names");
    auto schedule = Schedule::match(kernel, candidate->code(*info));
    if (!schedule) {
        out.problems.push_back("the candidate is no reschedule of the original: " +
                               schedule.error().message());
        return std::optional<Schedule>{};
    }
    if (schedule->hash().hex() != document.at("code_hash").get<std::string>())
        out.problems.push_back("the candidate's code is not the one that the evidence names");
    out.code = code_kind_of(*kernel, *schedule);
    const std::string code = document.value("code", to_string(out.code));  // version 0.1 does not say
    if (parse_code_kind(code) != out.code)
        out.problems.push_back(
            fmt::format("the evidence describes '{}' code, the candidate is '{}'", code, to_string(out.code)));
    FileComparison file(*original, *candidate);
    file.accept_schedule(*schedule);
    if (const auto offset = file.difference())
        out.problems.push_back(fmt::format(
            "the candidate differs from the original in more than the schedule of {}, first at file offset "
            "0x{:x}",
            out.kernel, *offset));
    const Legality hazards = TRY(legality_of(*schedule));
    if (!hazards.empty()) out.problems.push_back("the candidate is illegal " + summary_of(hazards));
    const ScheduleDiff diff = diff_schedules(Schedule(kernel), *schedule);
    out.moved = diff.moved;
    out.control_changed = diff.control;
    return std::optional<Schedule>{std::move(*schedule)};
}

// What was made of a step is compared with the original.
RunId start_run_of(const json& document) {
    const json& session = document.at("session");
    return session.value("derived", std::string()).empty() ? whole_number<RunId>(session.at("start_run")) : 0;
}

// What a bundle cannot check, but its session can: a figure that is added to that of another step, or against another
// schedule than the original.
bool session_alone_knows(const RunInfo& run, const StepRecord& record) {
    if (run.evaluator.kind == EvaluatorKind::Gpu) return !is_confirmed(record.outcome);
    return run.start_run != 0;
}

// A confirmation that no measurement over fresh loads stands above is what the bundle claims. The mean of hot and cold
// is no figure that a repetition gives.
void take_confirmed(const RunInfo& run, const StepRecord& record, BundleCheck& out) {
    const std::optional<Cache> cache = cache_of(run.evaluator);
    if (run.evaluator.kind != EvaluatorKind::Gpu || run.start_run != 0 || !is_confirmed(record.outcome) ||
        cache == Cache::Both)
        return;
    out.measured = true;
    out.cache = cache.value_or(Cache::Hot);
    out.verdict = record.outcome.verdict;
    out.device = run.evaluator.device;
    out.speedup = record.outcome.speedup;
}

// Of a modelled step a bundle tells no verdict: the sign of its figure is one.
Outcome recorded_outcome(const json& result, EvaluatorKind by) {
    Outcome out = read_outcome(result);
    if (by == EvaluatorKind::Model && result.at("verdict").get<std::string>() == kModelledVerdict)
        out.verdict = Speedup::exactly(out.speedup.log).verdict(0);
    return out;
}

// What the session recorded of the step, made again: by the model, or from its samples. A screening is a sum
// with an earlier step's figure, which the bundle does not hold.
void check_recorded(const json& document, const Schedule& candidate, BundleCheck& out) {
    const json& recorded = document.at("recorded");
    const json& machine = recorded.at("machine");
    const json& result = recorded.at("result");
    const std::string outcome = result.at("outcome").get<std::string>();
    if (seen_to_fail(parse_outcome(outcome).value_or(OutcomeKind::Error)))
        out.problems.push_back("the session recorded of the candidate: " + outcome);
    if (outcome != to_string(OutcomeKind::Ok) || whole_number<StepId>(document.at("session").at("step")) == 0)
        return;
    RunInfo run;
    run.id = whole_number<RunId>(document.at("session").at("run"));
    run.evaluator.original_cost = machine.at("original_cost").get<double>();
    StepRecord record;
    record.step = whole_number<StepId>(document.at("session").at("step"));
    if (machine.at("evaluator").get<std::string>() == to_string(EvaluatorKind::Gpu))
        run.evaluator.kind = EvaluatorKind::Gpu;
    read_facts(machine.at("more"), run.evaluator);
    record.outcome = recorded_outcome(result, run.evaluator.kind);
    run.start_run = start_run_of(document);
    run.evaluator.device = machine.at("device").get<std::string>();
    if (document.at("measurement").is_null()) take_confirmed(run, record, out);
    const auto checked = check_lone_figure(candidate, run, record);
    if (!checked) {
        out.problems.push_back(checked.error().what);
        return;
    }
    if (checked->empty()) return;
    out.notes.push_back("the recorded figure is not checked: " + *checked);
    // An earlier version of the model was right when the bundle was made.
    if (model_version_of(run.evaluator) < kModelVersion && !modelled_by_another(run.evaluator).empty())
        return;
    if (session_alone_knows(run, record) || !recorded.value("unchecked", std::string()).empty()) return;
    out.problems.push_back("the evidence does not say that its figure is not checked: " + *checked);
}

ShapeFigure figure_in(const json& m) {
    const auto verdict = parse_verdict(m.at("verdict").get<std::string>());
    if (!verdict) throw std::runtime_error("verdict is none");
    return {m.value("name", std::string()), *verdict, m.at("log_speedup").get<double>(),
            m.at("low").get<double>(), m.at("high").get<double>()};
}

// One shape's measurement, of so many that share the error probability.
void check_figures(const json& m, std::size_t shapes, BundleCheck& out) {
    const json& more = m.at("machine").at("more");
    const json& calibration = more.at("calibration");
    const auto by_load = m.at("samples_by_load").get<std::vector<std::vector<float>>>();
    const ShapeFigure figure = figure_in(m);
    const LoadsFigure said{figure.verdict,
                           figure.speedup,
                           m.at("alpha").get<double>(),
                           calibration.at("pair_deviation").get<double>(),
                           calibration.at("load_deviation").get<double>(),
                           more.at("same_within").get<double>(),
                           shapes};
    if (auto follows = check_loads_figure(by_load, said); !follows)
        out.problems.push_back(follows.error().what);
    std::uint64_t samples = 0;
    for (const std::vector<float>& load : by_load)
        samples += load.size();
    if (const auto pairs = whole_number<std::uint64_t>(m.at("pairs")); pairs != samples)
        out.problems.push_back(
            fmt::format("the bundled measurement speaks of {} pairs and has samples of {}", pairs, samples));
}

// Whoever looked at the candidate says which code it had.
void check_code(const json& document, const json& result, const std::string& which, BundleCheck& out) {
    const std::string said = result.value("code_hash", std::string());
    if (!said.empty() && said != document.at("code_hash").get<std::string>())
        out.problems.push_back(fmt::format("{} is of code {}, which is not the candidate's", which, said));
}

void check_codes(const json& document, BundleCheck& out) {
    for (const json& m : document.at("recorded").value("measurements", json::array()))
        check_code(document, m.at("result"),
                   fmt::format("the recorded measurement of {}", m.value("made", std::string())), out);
    const json& measurement = document.at("measurement");
    if (measurement.is_null()) return;
    check_code(document, measurement, "the bundled measurement", out);
    for (const json& shape : measurement.value("shapes", json::array()))
        check_code(document, shape,
                   fmt::format("the bundled measurement of shape '{}'", shape.at("name").get<std::string>()),
                   out);
}

// Empty: the workload has one shape.
ShapeFigures shapes_in(const json& measurement) {
    if (!measurement.contains("shapes")) return {};
    ShapeFigures out{figure_in(measurement)};
    for (const json& shape : measurement.at("shapes"))
        out.push_back(figure_in(shape));
    return out;
}

// What the stamp says of a measurement that ran well: the mean, where there are several shapes.
const json& figure_of(const json& measurement) {
    return measurement.contains("shapes") ? measurement.at("mean_of_shapes") : measurement;
}

// The claim that the evidence's own figures make.
ClaimParts parts_from(const json& document) {
    const json& recorded = document.at("recorded");
    const json& result = recorded.at("result");
    RunInfo run;
    run.id = whole_number<RunId>(document.at("session").at("run"));
    if (recorded.at("machine").at("evaluator").get<std::string>() == to_string(EvaluatorKind::Gpu))
        run.evaluator.kind = EvaluatorKind::Gpu;
    run.evaluator.device = recorded.at("machine").at("device").get<std::string>();
    read_facts(recorded.at("machine").value("more", json()), run.evaluator);
    run.start_run = start_run_of(document);
    StepRecord record;
    record.step = whole_number<StepId>(document.at("session").at("step"));
    if (result.at("outcome").get<std::string>() == to_string(OutcomeKind::Ok))
        record.outcome.kind = OutcomeKind::Ok;
    record.outcome.alpha = result.value("alpha", 0.0);
    const auto samples = static_cast<std::uint32_t>(result.at("log_ratio_samples").size());
    record.outcome.pairs = result.contains("pairs") ? whole_number<std::uint32_t>(result["pairs"]) : samples;
    ClaimParts p = parts_of(run, record, document.at("session").at("file").get<std::string>());
    const json& m = document.at("measurement");
    const bool measured = !m.is_null() && m.at("outcome").get<std::string>() == to_string(OutcomeKind::Ok);
    if (measured) {
        p.evaluator = EvaluatorKind::Gpu;
        p.confirmed = true;
        p.against_start = false;
        p.assumed.clear();
        p.device = m.at("machine").at("device").get<std::string>();
        p.cache = parse_cache(m.at("cache").get<std::string>());
        p.shapes = shapes_in(m);
    } else {
        p.unchecked = recorded.value("unchecked", "");
    }
    const std::string without_figure =
        m.is_object() ? m.value("without_figure", std::string()) : std::string();
    const json& figure = measured ? figure_of(m) : result;
    p.speedup = {figure.at("log_speedup").get<double>(), figure.at("low").get<double>(),
                 figure.at("high").get<double>()};
    p.verdict = parse_verdict(figure.at("verdict").get<std::string>()).value_or(Verdict::Unclear);
    if (!without_figure.empty()) put_without_figure(p, without_figure);
    return p;
}

bool agrees(const json& beside, const json& expected) {
    for (const auto& [key, value] : beside.items())
        if (!expected.contains(key) || expected[key] != value) return false;
    return beside.contains("stamp") && beside.contains("code_hash");
}

void check_stamps(const json& document, const std::filesystem::path& folder,
                  const std::optional<Schedule>& candidate, BundleCheck& out) {
    const std::string stamp = document.at("stamp").get<std::string>();
    const ClaimParts claim = parts_from(document);
    const bool follows = stamp_of(claim) == stamp;
    if (!follows)
        out.problems.push_back(fmt::format(
            "the stamp '{}' does not follow from the evidence, which gives '{}'", stamp, stamp_of(claim)));
    const char* name = "candidate.cubin.provenance.json";
    auto text = read_text(folder / name);
    if (!text) {
        out.problems.push_back(text.error().message());
        return;
    }
    if (!candidate || !follows) return;
    const json beside = parse_json_or_discard(*text);
    const ExportReport report{{}, candidate->hash(), out.moved, out.control_changed, stamp};
    if (!beside.is_object() || !agrees(beside, provenance(*candidate, report, claim, out.candidate)))
        out.problems.push_back(fmt::format("{} does not say what the evidence says", name));
}

// Input files must be the bundle's own: no bundle makes us read other files of this machine.
std::optional<Workload> check_inputs(Workload workload, const std::vector<std::string>& files,
                                     BundleCheck& out) {
    std::vector<const Workload*> all{&workload};
    for (const Workload& shape : workload.shapes)
        all.push_back(&shape);
    for (const Workload* one : all)
        for (const Param& param : one->params) {
            const auto* buffer = std::get_if<BufferParam>(&param);
            const auto* file = buffer ? std::get_if<InitFile>(&buffer->init) : nullptr;
            if (!file) continue;
            const std::string name = file->path.filename().string();
            if (file->path.parent_path() != out.folder ||
                std::find(files.begin(), files.end(), name) == files.end()) {
                out.problems.push_back(fmt::format("workload.json reads {}, which is no file of the bundle",
                                                   file->path.string()));
                return std::nullopt;
            }
        }
    return workload;
}

void check_measurement(const json& document, BundleCheck& out) {
    const json& m = document.at("measurement");
    if (m.is_null()) {
        out.notes.push_back(
            "the bundle holds no measurement over fresh loads, only what the session recorded");
        return;
    }
    const std::string kind = m.at("outcome").get<std::string>();
    if (kind != to_string(OutcomeKind::Ok)) {
        out.problems.push_back(
            fmt::format("the bundled measurement failed: {} {}", kind, m.at("detail").get<std::string>()));
        return;
    }
    const ShapeFigure figure = figure_in(figure_of(m));
    out.measured = true;
    out.cache = parse_cache(m.at("cache").get<std::string>()).value_or(Cache::Hot);
    out.verdict = figure.verdict;
    out.device = m.at("machine").at("device").get<std::string>();
    out.speedup = figure.speedup;
    out.shapes = shapes_in(m);
    std::vector<const json*> all{&m};
    if (!out.shapes.empty())
        for (const json& shape : m.at("shapes"))
            all.push_back(&shape);
    for (const json* one : all) {
        if (!one->at("outputs_equal").get<bool>())
            out.problems.push_back("the bundled measurement says that the outputs differ");
        if (one->at("cache") != m.at("cache") || one->at("outcome") != to_string(OutcomeKind::Ok))
            out.problems.push_back("the bundled measurements of the shapes do not go together");
        check_figures(*one, all.size(), out);
    }
    if (out.shapes.empty()) return;
    const double same_within = m.at("machine").at("more").at("same_within").get<double>();
    if (auto mean = check_mean_of_shapes(out.shapes, figure, same_within); !mean)
        out.problems.push_back(mean.error().what);
}

// A shape that was left out may be the slower one.
void check_shape_names(const json& measurement, const Workload& workload, BundleCheck& out) {
    if (measurement.is_null() || (out.shapes.empty() && workload.shapes.empty())) return;
    std::vector<std::string> names;
    for (const ShapeFigure& shape : out.shapes)
        names.push_back(shape.name);
    if (names.empty()) names.push_back("first");
    if (names != shape_names(workload))
        out.problems.push_back(
            fmt::format("the bundled measurement is of the shapes {}, which are not those of workload.json",
                        names_in_short(names)));
}

}  // namespace

Result<BundleCheck> check_bundle(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "evidence.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return fail(ErrorCode::NotFound, "is not a folder that `export --bundle` wrote (no evidence.json in it)",
                    folder.string());
    auto text = TRY(read_text(file, 256u << 20));
    BundleCheck out;
    out.folder = file.parent_path();  // without a slash at its end
    std::vector<std::string> document_files;
    auto parsed = parse_json(text);
    if (!parsed)
        return fail(ErrorCode::BadInput, "is not an evidence file: " + parsed.error().what, file.string());
    const json document = std::move(*parsed);
    if (!document.is_object() || !document.contains("format"))
        return fail(ErrorCode::BadInput, "is not an evidence file: it says no format", file.string());
    try {
        if (const auto format = document.at("format").get<std::string>();
            format != kEvidence && format != kModelledEvidence && format != kShapesEvidence)
            return fail(ErrorCode::BadInput, "has a format that this version does not know", file.string());
        out.kernel = document.at("kernel").get<std::string>();
        check_hashes(document, folder, out);
        auto candidate = check_legality(document, folder, out);
        if (!candidate)
            out.problems.push_back(candidate.error().message());
        else if (*candidate)
            check_recorded(document, **candidate, out);
        check_measurement(document, out);
        check_codes(document, out);
        check_stamps(document, folder, candidate ? *candidate : std::nullopt, out);
        for (const auto& [name, hash] : document.at("files").items())
            document_files.push_back(name);
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("is not an evidence file: {}", message_of(error)),
                    file.string());
    }
    auto workload = Workload::load(folder / "workload.json");
    if (workload && out.measured) check_shape_names(document.at("measurement"), *workload, out);
    if (workload)
        out.workload = check_inputs(std::move(*workload), document_files, out);
    else
        out.problems.push_back(workload.error().message());
    return out;
}

}  // namespace cubinlab
