// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/recompiled_kernel.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/evidence/claim.h"
#include "core/legality/hazard_checker.h"
#include "core/result/claim_level.h"
#include "core/schedule/file_comparison.h"
#include "core/start/fit.h"
#include "core/store/session.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

struct Source {
    KernelPtr original, start;
    Start recipe;
    std::optional<Workload> workload;
    std::string from;
};

std::optional<Workload> workload_in(const std::string& json) {
    auto workload = Workload::parse(json);
    return workload ? std::optional(std::move(*workload)) : std::nullopt;
}

Result<Source> in_bundle(const fs::path& folder, const std::string& kernel) {
    const std::string text = TRY(read_text(folder / "evidence.json", 256u << 20));
    const auto evidence = parse_json_or_discard(text);
    Source out;
    auto original = TRY(Cubin::open(folder / "original.cubin"));
    auto start = TRY(Cubin::open(folder / "start.cubin"));
    out.original = TRY(Kernel::load(original, kernel));
    out.start = TRY(Kernel::load(start, kernel));
    out.recipe = TRY(start_from_json(json_or(evidence, "start", nlohmann::json())));
    if (const auto workload = read_text(folder / "workload.json", 256u << 20))
        out.workload = workload_in(*workload);
    out.from = folder.string();
    return out;
}

Result<Source> in_session(const fs::path& path, RunId run, StepId step) {
    auto reader = TRY(SessionReader::open(path));
    Source out;
    out.original = TRY(reader->kernel());
    const Schedule logged = TRY(reader->schedule_at(out.original, run, step));
    out.start = logged.kernel();
    out.recipe = TRY(start_of(*reader, out.original, out.start->hash()));
    out.workload = workload_in(TRY(reader->workload_json(run)));
    out.from = path.string();
    return out;
}

Result<Source> source_of(const nlohmann::json& stamp, const fs::path& cubin) {
    std::error_code error;
    const fs::path folder = cubin.parent_path();
    const std::string kernel = json_or(stamp, "kernel", "");
    if (fs::exists(folder / "start.cubin", error) && fs::exists(folder / "evidence.json", error))
        return in_bundle(folder, kernel);
    const fs::path session = fs::path(json_or(stamp, "session", "")).filename();
    for (const fs::path& at : {folder / session, session})
        if (!session.empty() && fs::exists(at, error))
            return in_session(at, json_or(stamp, "run", RunId{0}), json_or(stamp, "step", StepId{0}));
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "is recompiled code, which is proven against its start, and its session {} is neither next to it "
            "nor here; take the session along, or a bundle (`cubinlab export --bundle`)",
            session.string()),
        cubin.string());
}

Error refusal(std::string why, const fs::path& cubin) {
    return {ErrorCode::Refused, "is no proven recompilation of the original: " + std::move(why),
            cubin.string()};
}

}  // namespace

bool is_recompiled(const nlohmann::json& stamp) {
    return json_or(stamp, "code", "") == to_string(CodeKind::Recompiled);
}

Result<Schedule> prove_schedule_of_start(const Cubin& candidate, const KernelPtr& start,
                                         const Start& recipe) {
    if (recipe.cubin != start->cubin().file_hash())
        return fail(ErrorCode::Corrupt, "the start is not the cubin that its recipe names");
    const KernelInfo* const info = TRY(candidate.kernel(start->name()));
    auto schedule = TRY(Schedule::match(start, candidate.code(*info)));
    FileComparison file(start->cubin(), candidate);
    file.accept_schedule(schedule);
    if (const auto offset = file.difference())
        return fail(
            ErrorCode::Refused,
            fmt::format("it differs from its start in more than the schedule, first at byte {:#x}", *offset));
    if (schedule.hash() == start->hash()) return schedule;  // code of the compiler
    const Legality hazards = TRY(legality_of(schedule));
    if (hazards.empty()) return schedule;
    return fail(ErrorCode::Refused, "its schedule is illegal " + summary_of(hazards));
}

Status check_fits(const Kernel& original, const Kernel& start, const std::optional<Workload>& workload) {
    const auto launches = launches_of(original.arch(), original.info(), workload);
    const auto problem =
        fit_problem({original.cubin(), original.info()}, {start.cubin(), start.info()}, launches);
    if (!problem) return {};
    return fail(ErrorCode::Refused, "it does not fit the launches of the original: " + problem->text());
}

Result<RecompiledKernel> prove_recompiled(const Cubin& candidate, const nlohmann::json& stamp,
                                          const fs::path& cubin) {
    auto source = TRY(source_of(stamp, cubin));
    if (json_or(stamp, "file_hash", "") != candidate.file_hash().hex())
        return fail(refusal("it is not the file that its stamp describes", cubin));
    if (json_or(stamp, "original_code_hash", "") != source.original->hash().hex())
        return fail(refusal("its stamp names another original than " + source.from, cubin));
    const int compared = json_or(stamp, "compared_inputs", 0);
    if (json_or(stamp, "evaluator", "") != to_string(EvaluatorKind::Gpu) || compared <= 0)
        return fail(refusal(
            "no GPU compared its outputs with the original's; `cubinlab measure SESSION` does, and `cubinlab "
            "export` writes it again",
            cubin));
    auto schedule = prove_schedule_of_start(candidate, source.start, source.recipe);
    if (!schedule) return fail(refusal(schedule.error().message(), cubin));
    if (auto fits = check_fits(*source.original, *source.start, source.workload); !fits)
        return fail(refusal(fits.error().message(), cubin));
    return RecompiledKernel{source.original, std::move(source.recipe), std::move(*schedule),
                            compared,        std::move(source.from),   std::move(source.workload)};
}

}  // namespace cubinlab
