// SPDX-License-Identifier: GPL-3.0-or-later
// Adds a run to the session with its first step, so that a session contains no run without a step.
#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "core/search/engine/tune_run.h"

namespace cubinlab::cli {

class LazySink : public RunSink {
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

}  // namespace cubinlab::cli
