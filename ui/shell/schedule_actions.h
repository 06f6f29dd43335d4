// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a schedule as a whole: write it as a cubin, measure it against the original. Both off
// the GUI thread, both told in the message bar, both honest about what was not measured.
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/run_sink.h"
#include "ui/base/message_bar.h"
#include "ui/document/document.h"
#include "ui/run/output_gate.h"

class QWidget;

namespace cubinlab {
struct MeasuredAgain;
}

namespace cubinlab::ui {

class JobRunner;
class RunController;
class Settings;

inline constexpr QLatin1String kOfRun{"run"};  // Message::about of a run that is over

class ScheduleActions : public QObject {
    Q_OBJECT

  public:
    static constexpr QLatin1String kOfMeasuring{
        "measuring"};  // the message of what is under way, with its Stop

    ScheduleActions(Document& document, RunController& controller, JobRunner& jobs, MessageBar& messages,
                    Settings& settings, QWidget* window);
    ~ScheduleActions() override;

    void ask_and_export(Head head);
    // Its claim by claim_of (core/evidence/claim.h), its place by ui/run/output_gate.h.
    void export_to(Head head, const QString& path, Replace replace = Replace::OwnOnly);
    void measure(Head head);  // against the original
    // The best of a run that has just ended, in fresh processes, where the run gives reason to and the user has not
    // switched it off. Told, published and stopped like any measurement.
    void measure_again(const RunSummary& summary);
    bool will_measure_again(const RunSummary& summary) const;
    // "Show the best" and "Export...", for a message on a run that has ended.
    std::vector<MessageAction> of_best();
    bool measuring() const { return measuring_; }
    void stop_measuring();         // its result, if it still comes, is dropped
    bool outlives_kernel() const;  // a measurement on a GPU is under way, whatever kernel is opened next
    bool busy() const;             // measuring, or a stopped measurement has not ended yet

  Q_SIGNALS:
    void exported(const QString& path, const QString& stamp);
    void export_failed(const QString& why);
    void measuring_changed();
    void compared();  // a measurement, or the model's comparison in its place, was told

  private:
    void write(SchedulePtr schedule, const OutputFile& file, const Claim& claim);
    void find_logged(Head head, std::function<void(StepRef)> done);
    void export_logged(const SchedulePtr& schedule, const OutputFile& file, StepRef step);
    void take_gpu(const QString& title, const QString& text);
    void release_gpu();
    void start_again(const SchedulePtr& best, StepRef logged, const std::string& cache);
    void measured_again(const SchedulePtr& best, const std::vector<MeasuredAgain>& again);
    void measure_on_gpu(const SchedulePtr& candidate, const QString& name, Head head);
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
