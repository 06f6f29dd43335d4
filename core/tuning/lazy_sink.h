// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/result/run_sink.h"

namespace cubinlab {

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

}  // namespace cubinlab
