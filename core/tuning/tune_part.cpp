// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tune_part.h"

#include <utility>

#include "core/base/utc_text.h"
#include "core/base/version.h"
#include "core/store/kept_steps.h"

namespace cubinlab {
namespace {

// Begins the log with the first step: a run that never started leaves no trace.
class LazySink final : public RunSink {
  public:
    explicit LazySink(std::function<Result<std::unique_ptr<RunSink>>()> begin) : begin_(std::move(begin)) {}

    Status append(const StepRecord& record) override {
        if (!sink_) sink_ = TRY(begin_());
        return sink_->append(record);
    }
    Status metric(StepId step, const std::string& name, double value) override {
        return sink_ ? sink_->metric(step, name, value) : Status{};
    }
    Status flush() override { return sink_ ? sink_->flush() : Status{}; }
    Status finish(const RunSummary& summary) override { return sink_ ? sink_->finish(summary) : Status{}; }

  private:
    std::function<Result<std::unique_ptr<RunSink>>()> begin_;
    std::unique_ptr<RunSink> sink_;
};

}  // namespace

RunInfo new_run(const SearchContext& context, const RunSettings& settings, const EvaluatorInfo& evaluator) {
    RunInfo out;
    out.agent = settings.agent;
    out.agent_settings = settings.agent_settings;
    out.seed = settings.seed;
    out.budget = settings.budget.text();
    out.evaluator = evaluator;
    out.start_hash = context.start.hash();
    out.batch = static_cast<std::uint32_t>(settings.batch);
    out.locked = context.locked;
    out.started = utc_text();
    out.version = version_text();
    return out;
}

Result<EndedPart> run_part(TunePart part, const TuneResources& on, const std::stop_token& stop,
                           const PauseGate& gate) {
    EndedPart out{std::move(part.run), {}, part.context.start};
    LazySink sink([&]() -> Result<std::unique_ptr<RunSink>> {
        auto session = TRY(on.writer());
        auto log = TRY(out.run.id != 0 ? session->continue_run(out.run.id, on.evaluator.info())
                                       : session->begin_run(out.run, part.context.start, &out.run.id));
        on.observer.on_started(out.run);
        if (!part.starts) return log;
        return std::make_unique<StartSink>(std::move(log), session, out.run.id, *part.starts);
    });
    TuneRun tune(part.context, part.settings, std::move(part.searcher), on.evaluator, &sink, &on.observer);
    if (part.history) {
        on.observer.on_phase(RunPhase::Replaying);
        if (auto replayed = tune.resume_from(*part.history); !replayed)
            return fail(replayed.error().code, replayed.error().message(), on.session.string());
        part.history.reset();
    }
    auto summary = tune.run(stop, &gate);
    if (!summary) return fail(with_what_is_kept(summary.error(), on.session, out.run.id));
    out.summary = std::move(*summary);
    out.best = tune.best();
    return out;
}

}  // namespace cubinlab
