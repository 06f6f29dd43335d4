// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates every legal position of one instruction, on the GPU if it can run the kernel, else with the SM
// model. Runs in the GPU lane of the window's jobs; results arrive one by one.
#pragma once
#include <QObject>
#include <memory>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/evaluator.h"
#include "ui/document/document.h"
#include "ui/document/place_heat.h"

namespace cubinlab::ui {

class PlaceTrial : public QObject {
    Q_OBJECT

  public:
    explicit PlaceTrial(JobRunner& jobs, QObject* parent = nullptr);
    ~PlaceTrial() override;

    // Compares with `schedule`.
    void start(SchedulePtr schedule, CheckerPtr checker, InstrId id, std::optional<Workload> workload,
               EvaluatorPolicy policy, const GpuSettings& gpu);
    void cancel();  // keeps the results so far
    void clear();
    bool running() const { return heat_ && heat_->running; }
    bool busy() const;  // running, or a cancelled job has not ended yet
    const HeatPtr& heat() const { return heat_; }
    QString note() const { return note_; }  // why the model is used; empty: it is not, or was requested

  Q_SIGNALS:
    void changed();  // heat()
    void finished(bool cancelled);
    void failed(const cubinlab::Error& error);

  private:
    struct Setup;
    struct Progress;
    static Status work(const Setup& setup, const std::shared_ptr<Progress>& progress, std::stop_token stop);
    void take();

    JobRunner& jobs_;
    std::shared_ptr<Progress> progress_;
    HeatPtr heat_;
    QString note_;
};

}  // namespace cubinlab::ui
