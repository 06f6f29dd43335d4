// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/evidence_bundle.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/utc_text.h"
#include "core/evidence/measured_shapes.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/result/measurement_json.h"
#include "core/result/outcome_json.h"
#include "core/store/measurement_row.h"

namespace cubinlab {
namespace {

using nlohmann::json;

constexpr const char* kFiles[] = {"original.cubin", "candidate.cubin", "workload.json",
                                  "candidate.cubin.provenance.json"};
// In the folder as long as the bundle is written: who was killed meanwhile finds it and begins again.
constexpr const char* kUnfinished = "UNFINISHED";

std::string dump(const json& value) {
    return value.dump(1, ' ', false, json::error_handler_t::replace);
}

// Over everything but the hash itself; json objects are sorted by key, so the text is canonical.
std::string document_hash(json document) {
    document.erase("document_hash");
    const std::string text = dump(document);
    return hash_bytes(text.data(), text.size()).hex();
}

json bundled(const Outcome& outcome, EvaluatorKind by = EvaluatorKind::Gpu) {
    json out = outcome_json(outcome, RawSamples::Included);
    out["verdict"] = verdict_text(by, outcome);
    return out;
}

json machine_json(const EvaluatorInfo& info) {
    return {{"device", info.device},
            {"evaluator", to_string(info.kind)},
            {"unit", info.unit},
            {"original_cost", info.original_cost},
            {"more", facts_json(info)}};
}

json measured_json(const ShapeMeasurement& measured, const EvaluatorInfo& machine) {
    json out = shape_json(measured);
    out["samples_by_load"] = measured.details.by_load;
    out.erase("by_load");
    out["states"] = flat(measured.outcome.states);
    out["alpha"] = alpha_of(measured.outcome);
    out["machine"] = machine_json(machine);
    return out;
}

// The first shape's; next to it, where there are several, the others' and the mean of all.
json measured_json(const ShapesComparison& all, Cache cache) {
    const Outcome& o = all.outcome;
    ShapeMeasurement first = measured_shape(all, 0, cache);
    if (!o.ok()) first.outcome = o;  // names the shape
    json out = measured_json(first, all.first().machine);
    if (!o.ok()) out["without_figure"] = all.without_figure();
    for (std::size_t k = o.ok() ? 1 : 0; all.several() && k < all.shapes.size(); ++k)
        out[o.ok() ? "shapes" : "by_shape"].push_back(
            measured_json(measured_shape(all, k, cache), all.shapes[k].machine));
    if (all.several() && o.ok())
        out["mean_of_shapes"] = {{"verdict", to_string(o.verdict)},
                                 {"log_speedup", o.speedup.log},
                                 {"low", o.speedup.low},
                                 {"high", o.speedup.high}};
    return out;
}

const char* format_of(EvaluatorKind judge, const ShapeFigures& shapes) {
    if (!shapes.empty()) return kShapesEvidence;
    return judge == EvaluatorKind::Model ? kModelledEvidence : kEvidence;
}

Status make_folder(const std::filesystem::path& folder) {
    TRY(check_bundle_folder(folder));
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail(ErrorCode::Io, "cannot be made: " + error.message(), folder.string());
    return {};
}

// A bundle that is not finished (a full disk, a kill) is no evidence. What has its names beside kUnfinished is ours: the
// folder was empty then.
class UnfinishedBundle {
  public:
    explicit UnfinishedBundle(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::error_code error;
        existed_ = std::filesystem::is_directory(folder_, error);
        if (std::filesystem::exists(folder_ / kUnfinished, error)) clear();
    }
    UnfinishedBundle(const UnfinishedBundle&) = delete;
    UnfinishedBundle& operator=(const UnfinishedBundle&) = delete;
    ~UnfinishedBundle() {
        if (finished_) return;
        std::error_code error;
        clear();
        std::filesystem::remove(folder_ / kUnfinished, error);
        if (!existed_) std::filesystem::remove(folder_, error);
    }
    Status begin() const {
        return write_text(
            folder_ / kUnfinished,
            "cubinlab is writing an evidence bundle here, or was stopped while it did; the same "
            "command makes it anew\n");
    }
    void finished() {
        std::error_code error;
        std::filesystem::remove(folder_ / kUnfinished, error);
        finished_ = true;
    }

  private:
    void clear() const {
        std::error_code error;
        for (const char* name : kFiles)
            std::filesystem::remove(folder_ / name, error);
        std::filesystem::remove(folder_ / "evidence.json", error);
        for (int i = 0; std::filesystem::remove(folder_ / fmt::format("input-{}.bin", i), error); ++i) {
        }
    }

    std::filesystem::path folder_;
    bool existed_ = false, finished_ = false;
};

// Nothing is copied that is not an input: each file has exactly its buffer's size.
Status inputs_fit(const Workload& workload) {
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const auto* buffer = std::get_if<BufferParam>(&workload.params[i]);
        const auto* file = buffer ? std::get_if<InitFile>(&buffer->init) : nullptr;
        if (!file) continue;
        std::error_code error;
        const auto size = std::filesystem::file_size(file->path, error);
        if (error)
            return fail(ErrorCode::NotFound, "cannot be read: " + error.message(), file->path.string());
        if (size != buffer->bytes())
            return fail(ErrorCode::BadInput,
                        fmt::format("has {} bytes, params[{}] needs {}", size, i, buffer->bytes()),
                        file->path.string());
    }
    for (const Workload& shape : workload.shapes)
        TRY(inputs_fit(shape));
    return {};
}

// Copies the input files that a workload's text names into the folder and makes the text name the copies.
// Returns their names.
Result<std::vector<std::string>> carry_inputs(std::string& text, const std::filesystem::path& folder) {
    std::vector<std::string> names;
    auto parsed = parse_json(text, JsonComments::Allowed);
    if (!parsed) return fail(ErrorCode::BadInput, "is not JSON: " + parsed.error().what, "workload");
    json root = std::move(*parsed);
    Status status;
    const auto carry = [&](json& params) {
        for (auto& param : params) {
            if (!status || !param.is_object() || !param.contains("buffer") ||
                !param["buffer"].contains("init") || !param["buffer"]["init"].contains("file"))
                continue;
            json& file = param["buffer"]["init"]["file"];
            auto bytes = read_file(file.get<std::string>(), Workload::kMaxBufferBytes);
            if (!bytes) {
                status = fail(bytes.error());
                continue;
            }
            names.push_back(fmt::format("input-{}.bin", names.size()));
            status = write_file(folder / names.back(), *bytes);
            file = names.back();
        }
    };
    try {
        if (root.contains("params")) carry(root["params"]);
        if (root.contains("shapes"))
            for (json& shape : root["shapes"])
                if (shape.contains("params")) carry(shape["params"]);
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("is not a workload: {}", message_of(error)), "workload");
    }
    if (!status) return fail(status.error());
    if (!names.empty()) text = root.dump(1);
    return names;
}

}  // namespace

Status check_bundle_folder(const std::filesystem::path& folder) {
    std::error_code error;
    const bool there = std::filesystem::exists(std::filesystem::symlink_status(folder, error));
    const bool taken =
        there && (!std::filesystem::is_directory(folder, error) || !std::filesystem::is_empty(folder, error));
    if (taken && !std::filesystem::exists(folder / kUnfinished, error))
        return fail(ErrorCode::BadUse, "exists and is not an empty folder; choose another name",
                    folder.string());
    return {};
}

Result<ExportReport> write_bundle(const Schedule& schedule, const std::filesystem::path& folder,
                                  const BundleRequest& request) {
    if (request.workload.empty())
        return fail(ErrorCode::BadInput,
                    "has no workload, so its measurements cannot be repeated: write one (`cubinlab workload init "
                    "FILE`) and tune "
                    "again",
                    request.session.string());
    auto workload = TRY(Workload::parse(request.workload));
    TRY(inputs_fit(workload));
    const bool measured = request.measured && request.measured->outcome.ok();
    if (measured && request.measured->names.size() != 1 + workload.shapes.size())
        return fail(ErrorCode::BadInput, "what was measured is not all shapes of the workload");
    Claim claim = request.claim;
    if (measured)
        claim = TRY(claim_of_comparison(schedule, *request.measured, request.claim));
    else if (request.measured)
        claim = claim_without_figure(schedule, *request.measured, request.claim);
    TRY(check_bundle_folder(folder));
    UnfinishedBundle bundle(folder);
    TRY(make_folder(folder));
    TRY(bundle.begin());
    std::string workload_text = request.workload;
    auto inputs = TRY(carry_inputs(workload_text, folder));
    auto report = TRY(export_cubin(schedule, folder / "candidate.cubin", claim));
    const auto original = schedule.kernel()->cubin().bytes();
    TRY(write_file(folder / "original.cubin", original));
    TRY(write_text(folder / "workload.json", workload_text));
    json files = json::object();
    std::vector<std::string> names(std::begin(kFiles), std::end(kFiles));
    names.insert(names.end(), inputs.begin(), inputs.end());
    for (const std::string& name : names) {
        auto bytes = TRY(read_file(folder / name));
        files[name] = hash_bytes(bytes).hex();
    }
    json measurements = json::array();
    for (const MeasurementRecord& m : request.measurements)
        measurements.push_back({{"purpose", m.purpose},
                                {"made", m.made},
                                {"result", bundled(m.outcome)},
                                {"more", measurement_json(m)}});
    const EvaluatorInfo& judge = evaluator_of(request.run, request.record.step);
    json document = {
        {"format", format_of(judge.kind, claim.parts().shapes)},
        {"made", utc_text()},
        {"version", request.version},
        {"kernel", schedule.kernel()->name()},
        {"files", files},
        {"original_code_hash", schedule.kernel()->hash().hex()},
        {"code_hash", schedule.hash().hex()},
        {"code", to_string(claim.code())},
        {"stamp", report.stamp},
        {"session",
         {{"file", request.session.filename().string()},
          {"run", request.run.id},
          {"step", request.record.step},
          {"agent", request.run.agent},
          {"start_run", request.run.start_run},
          {"seed", request.run.seed},
          {"version", request.run.version},
          {"started", request.run.started},
          {"derived", request.derived},
          {"edits", request.edits}}},
        {"recorded",
         {{"machine", machine_json(judge)},
          {"result", bundled(request.record.outcome, judge.kind)},
          {"unchecked", request.claim.parts().unchecked},
          {"measurements", measurements}}},
        {"measurement", request.measured ? measured_json(*request.measured, request.cache) : json(nullptr)}};
    document["document_hash"] = document_hash(document);
    TRY(write_text(folder / "evidence.json", dump(document) + "\n"));
    bundle.finished();
    return report;
}

namespace {

std::string contradiction_of(const ShapeFigure& said, const ShapeFigure& now, bool same_device) {
    const bool opposite = (said.verdict == Verdict::Faster && now.verdict == Verdict::Slower) ||
                          (said.verdict == Verdict::Slower && now.verdict == Verdict::Faster);
    if (opposite)
        return fmt::format("the bundle says {}, this GPU says {}", to_string(said.verdict),
                           to_string(now.verdict));
    const bool apart = now.speedup.low > said.speedup.high || now.speedup.high < said.speedup.low;
    return apart && same_device ? "the intervals do not overlap, on the same kind of GPU and driver" : "";
}

}  // namespace

std::string contradiction(const BundleCheck& bundle, const ShapesComparison& repeated) {
    const bool whole = repeated.outcome.ok();
    if (!whole && (!repeated.several() || seen_to_fail(repeated.outcome.kind)))
        return fmt::format("the candidate's outcome is {}: {}", to_string(repeated.outcome.kind),
                           repeated.outcome.detail);
    if (whole && !repeated.outputs_equal()) return "the outputs differ";
    if (!bundle.measured) return {};
    const bool same_device = bundle.device == repeated.first().machine.device;
    const ShapeFigure said{{}, bundle.verdict, bundle.speedup};
    std::string against;
    if (whole) against = contradiction_of(said, shape_figure({}, repeated.outcome), same_device);
    const std::size_t both = std::min(repeated.shapes.size(), bundle.shapes.size());
    for (std::size_t k = 0; against.empty() && k < both; ++k) {
        const Outcome& now = repeated.shapes[k].outcome;
        if (now.ok()) against = contradiction_of(bundle.shapes[k], shape_figure({}, now), same_device);
        if (!against.empty()) against = fmt::format("shape {}: {}", repeated.names[k], against);
    }
    return against;
}

std::string not_reproduced(const BundleCheck& bundle, const ShapesComparison& repeated) {
    const Verdict now = repeated.outcome.verdict;
    if (!bundle.measured || bundle.verdict != Verdict::Faster || now == Verdict::Faster) return {};
    const std::string without = repeated.without_figure();
    return fmt::format("the bundle says FASTER on {}, this run says {} on {}{}", bundle.device,
                       to_string(now), repeated.first().machine.device,
                       without.empty() ? "" : ", with no figure of " + without);
}

}  // namespace cubinlab
