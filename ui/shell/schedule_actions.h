// SPDX-License-Identifier: GPL-3.0-or-later
// Actions on a whole schedule: export as a cubin, measure against the original. Both run off the GUI thread,
// report in the message bar and say what was not measured.
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "core/evidence/claim.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/cache.h"
#include "core/result/run_sink.h"
#include "ui/base/message_bar.h"
#include "ui/document/document.h"
#include "ui/run/output_gate.h"

class QWidget;

namespace cubinlab {
struct Measured;
struct ShapesComparison;
}  // namespace cubinlab

namespace cubinlab::ui {

class JobRunner;
class RunController;
class Settings;

inline constexpr QLatin1String kOfRun{"run"};  // Message::about of a finished run

class ScheduleActions : public QObject {
    Q_OBJECT

  public:
    static constexpr QLatin1String kOfMeasuring{
        "measuring"};  // the message of an active measurement, with its Stop

    ScheduleActions(Document& document, RunController& controller, JobRunner& jobs, MessageBar& messages,
                    Settings& settings, QWidget* window);
    ~ScheduleActions() override;

    void ask_and_export(ScheduleSlot slot);
    // The claim is that of claim_of (core/evidence/claim.h); the path is checked by ui/run/output_gate.h.
    void export_to(ScheduleSlot slot, const QString& path, Replace replace = Replace::OwnOnly);
    void measure(ScheduleSlot slot);  // against the original
    // Re-measures the best of a finished run in fresh processes, if the run calls for it and the setting is
    // on. Reported, published and stopped like any measurement.
    void measure_again(const RunSummary& summary);
    bool will_measure_again(const RunSummary& summary) const;
    // "Show best" and "Export...", for the message of a finished run.
    std::vector<MessageAction> of_best();
    bool measuring() const { return measuring_; }
    void stop_measuring();         // drops a result that still arrives
    bool outlives_kernel() const;  // a GPU measurement is active; it continues when another kernel opens
    bool busy() const;             // measuring, or a stopped measurement has not ended yet

  Q_SIGNALS:
    void exported(const QString& path, const QString& stamp);
    void export_failed(const QString& why);
    void measuring_changed();
    void compared();  // a measurement, or a comparison by the model instead, was reported

  private:
    bool recompiled(const Schedule& schedule) const;  // of another compilation than the original
    void write(SchedulePtr schedule, const OutputFile& file, const Claim& claim);
    void find_logged(ScheduleSlot slot, std::function<void(StepRef)> done);
    void export_logged(const SchedulePtr& schedule, const OutputFile& file, StepRef step);
    void take_gpu(const QString& title, const QString& text);
    void release_gpu();
    void start_again(const SchedulePtr& best, StepRef logged, std::optional<Cache> cache);
    void measured_again(const SchedulePtr& best, const std::vector<Measured>& again);
    void measure_on_gpu(const SchedulePtr& candidate, const QString& name, ScheduleSlot slot);
    void measured(const ShapesComparison& comparison, const QString& name, const SchedulePtr& candidate);
    void start_measuring(const SchedulePtr& candidate, const QString& name, StepRef logged);
    void not_exported(const Error& error);
    void not_measured(const Error& error);
    void compare_by_model(const SchedulePtr& candidate, const QString& name, const QString& why);

    Document& document_;
    RunController& controller_;
    JobRunner& jobs_;
    MessageBar& messages_;
    Settings& settings_;
    QWidget* window_;
    bool measuring_ = false;
};

}  // namespace cubinlab::ui
