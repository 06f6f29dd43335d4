// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/recorded_starts.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"

namespace cubinlab {

RecordedStarts::RecordedStarts(KernelPtr original, std::optional<StartMaker> maker, StartSpace space,
                               CompilerSettings compiler, std::stop_token stop)
    : original_(std::move(original)),
      maker_(std::move(maker)),
      space_(std::move(space)),
      compiler_(std::move(compiler)),
      stop_(std::move(stop)) {}

std::string stored(const StartSettings& settings) {
    nlohmann::json compilers = nlohmann::json::array();
    for (const Start& start : settings.space.compilers)
        compilers.push_back(to_json(start));
    return nlohmann::json{{"budget", settings.budget.text()},
                          {"agent", settings.agent},
                          {"agent_settings", settings.agent_settings},
                          {"units", settings.space.units},
                          {"compilers", std::move(compilers)}}
        .dump();
}

Result<StartSettings> start_settings_from(std::string_view json) {
    const auto document = parse_json_or_discard(json);
    StartSettings out;
    out.budget = TRY(Budget::parse(json_or(document, "budget", std::string())));
    out.agent = json_or(document, "agent", std::string());
    out.agent_settings = json_or(document, "agent_settings", std::string("{}"));
    out.space.units = json_or(document, "units", std::size_t{0});
    const auto compilers = document.is_object() ? document.find("compilers") : document.end();
    if (out.agent.empty() || compilers == document.end() || !compilers->is_array() || compilers->empty())
        return fail(ErrorCode::BadInput, "do not belong to a run over starts", "settings");
    for (const auto& compiler : *compilers) {
        auto start = TRY(start_from_json(compiler));
        out.space.compilers.push_back(std::move(start));
    }
    return out;
}

void RecordedStarts::read_from(std::shared_ptr<SessionReader> session, RunId run) {
    session_ = std::move(session);
    run_ = run;
}

std::optional<StartRecord> RecordedStarts::stored(const Start& start) const {
    if (!session_) return {};
    auto found = session_->start(original_, run_, name_of(start));
    return found ? std::move(*found) : std::nullopt;
}

Result<KernelPtr> RecordedStarts::kernel_of(const Result<MadeStart>& made) const {
    if (!made) return fail(made.error());
    if (made->problem) return fail(ErrorCode::Refused, made->problem->text());
    auto kernel = TRY(Kernel::load(made->cubin, original_->name()));
    return KernelPtr(std::move(kernel));
}

std::vector<Result<KernelPtr>> RecordedStarts::make(std::span<const Start> starts) {
    std::vector<Result<KernelPtr>> out(starts.size(), KernelPtr());
    std::vector<Start> missing;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        if (auto known = stored(starts[i])) {
            if (known->kernel)
                out[i] = std::move(known->kernel);
            else
                out[i] = fail(ErrorCode::Refused, known->problem);
        } else {
            missing.push_back(starts[i]);
            at.push_back(i);
        }
    }
    std::vector<Result<MadeStart>> made(
        missing.size(), fail(ErrorCode::Missing, "the session does not have it, and there is no compiler or no PTX"));
    if (maker_ && !missing.empty()) made = maker_->make(missing, compiler_, stop_);
    const std::scoped_lock guard(mutex_);
    for (std::size_t k = 0; k < made.size(); ++k) {
        Result<KernelPtr>& kernel = out[at[k]] = kernel_of(made[k]);
        // Neither a stop nor a compiler that is gone says anything of the start.
        if (!kernel && (kernel.error().code == ErrorCode::Cancelled || kernel.error().code == ErrorCode::Missing)) continue;
        const std::string recipe = to_json(made[k] ? made[k]->start : missing[k]).dump();
        const auto bytes = std::as_bytes(std::span(recipe));
        new_.push_back({name_of(missing[k]),
                        {bytes.begin(), bytes.end()},
                        kernel ? *kernel : nullptr,
                        kernel ? std::string() : kernel.error().message()});
    }
    return out;
}

std::vector<StartRecord> RecordedStarts::take_new() {
    const std::scoped_lock guard(mutex_);
    return std::exchange(new_, {});
}

Status StartSink::append(const StepRecord& record) {
    if (const std::vector<StartRecord> made = starts_.take_new(); !made.empty())
        TRY(session_->add_starts(run_, made));
    return sink_->append(record);
}

}  // namespace cubinlab
