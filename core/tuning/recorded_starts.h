// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles the starts of a run and records each in the session before a step names it. Starts that the session has are read
// from it, so a run is replayed and resumed without the compiler.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/result/budget.h"
#include "core/search/starts/start_supply.h"
#include "core/start/start_maker.h"
#include "core/store/session.h"

namespace cubinlab {

class RecordedStarts final : public StartSupply {
  public:
    // `space`: of a run that is resumed, so that it proposes the same again. `maker` empty: there is no compiler or no PTX, and
    // only stored starts can be made.
    RecordedStarts(KernelPtr original, std::optional<StartMaker> maker, StartSpace space, CompilerSettings compiler,
                   std::stop_token stop);

    const StartSpace& space() const { return space_; }
    // Starts of this run are read from the session first.
    void read_from(std::shared_ptr<SessionReader> session, RunId run);

    std::vector<Result<KernelPtr>> make(std::span<const Start> starts) override;
    // Those made since the last call.
    std::vector<StartRecord> take_new();

  private:
    std::optional<StartRecord> stored(const Start& start) const;
    Result<KernelPtr> kernel_of(const Result<MadeStart>& made) const;

    KernelPtr original_;
    std::optional<StartMaker> maker_;
    StartSpace space_;
    Compiler compiler_;
    std::stop_token stop_;
    std::shared_ptr<SessionReader> session_;
    RunId run_ = 0;
    std::mutex mutex_;
    std::vector<StartRecord> new_;
};

// The settings of a run over starts, which resuming needs: the budget and the agent of the whole tuning, and the space.
struct StartSettings {
    Budget budget;
    std::string agent, agent_settings;
    StartSpace space;
};
std::string stored(const StartSettings& settings);  // JSON
// Errors: BadInput.
Result<StartSettings> start_settings_from(std::string_view json);

// The log of a run over starts.
class StartSink final : public RunSink {
  public:
    // `run`: that of `sink`.
    StartSink(std::unique_ptr<RunSink> sink, std::shared_ptr<SessionWriter> session, RunId run, RecordedStarts& starts)
        : sink_(std::move(sink)), session_(std::move(session)), run_(run), starts_(starts) {}
    Status append(const StepRecord& record) override;
    Status metric(StepId step, const std::string& name, double value) override { return sink_->metric(step, name, value); }
    Status flush() override { return sink_->flush(); }
    Status finish(const RunSummary& summary) override { return sink_->finish(summary); }

  private:
    std::unique_ptr<RunSink> sink_;
    std::shared_ptr<SessionWriter> session_;
    RunId run_;
    RecordedStarts& starts_;
};

}  // namespace cubinlab
