// SPDX-License-Identifier: GPL-3.0-or-later
// The constructors that tie panels to the document, the selection and the runs. Nothing else in this folder
// knows them, so panels can be fed by a test or a bench without a kernel.
#include <QPointer>
#include <mutex>
#include <utility>

#include "core/search/engine/default_agent.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_strip.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {
namespace {

// Reads single steps back from the session file. One connection, used by one job at a time.
class StepReader {
  public:
    std::vector<StepRecord> read(const std::filesystem::path& path, RunId run,
                                 const std::vector<StepId>& wanted) {
        const std::lock_guard lock(mutex_);
        if (!reader_ || path != path_) {
            auto opened = SessionReader::open(path);
            if (!opened) return {};  // rows keep "..."; the run's messages report the error
            reader_ = *opened;
            path_ = path;
        }
        std::vector<StepRecord> out;
        for (std::size_t i = 0; i < wanted.size();) {
            std::size_t n = 1;  // also reads neighbouring steps
            while (i + n < wanted.size() && wanted[i + n] == wanted[i] + static_cast<StepId>(n))
                ++n;
            auto records = reader_->steps(run, wanted[i] - 1, n);
            i += n;
            if (!records) continue;
            for (StepRecord& r : *records)
                out.push_back(std::move(r));
        }
        return out;
    }

  private:
    std::mutex mutex_;
    std::filesystem::path path_;
    std::shared_ptr<SessionReader> reader_;
};

// The step that the chart and the log mark: the shown one, if a step is shown.
StepId step_in_view(const Document& document, const RunController& runs) {
    if (document.pair().right_slot() != ScheduleSlot::Viewed) return 0;
    const StepRef ref = document.pair().viewed_step();
    return runs.shown_run() && runs.shown_run()->id == ref.run ? ref.step : 0;
}

}  // namespace

RewardChart::RewardChart(Document* document, RunController* runs, QWidget* parent) : RewardChart(parent) {
    connect(runs, &RunController::run_reset, this, &RewardChart::begin_run);
    connect(document, &Document::leaving, this, [this, document] {
        if (!document->changes_start()) clear();
    });
    connect(runs, &RunController::state_changed, this,
            [this, runs] { set_preparing(runs->state() == RunState::Preparing); });
    connect(runs, &RunController::steps_added, this, &RewardChart::add_steps);
    connect(runs, &RunController::metrics_added, this, &RewardChart::add_metrics);
    connect(runs, &RunController::episodes_added, this, [this](const EpisodeBatch& b) {
        for (const EpisodePoint& p : b)
            add_episode(p.step, p.value);
    });
    connect(runs, &RunController::measurements_changed, this, &RewardChart::set_measurements);
    connect(this, &RewardChart::step_chosen, runs, qOverload<qint64, qint64>(&RunController::view_step));
    connect(&document->pair(), &ComparedPair::changed, this,
            [this, document, runs] { set_marked_step(step_in_view(*document, *runs)); });
}

RunStrip::RunStrip(RunController* runs, QWidget* parent) : RunStrip(parent) {
    connect(runs, &RunController::run_reset, this, [this](const RunInfo& run) { begin_run(run.steps); });
    connect(runs, &RunController::steps_added, this, &RunStrip::add_steps);
    connect(runs, &RunController::doing_changed, this, &RunStrip::set_doing);
    const auto budget = [this, runs] {
        const RunProgress& p = runs->progress();
        const bool preparing = runs->state() == RunState::Preparing;
        const bool active = preparing || runs->shows_live();
        if (!active) set_doing({});
        QString state = active ? title_of(runs->state()) : QString(), shorter;
        if (!active && runs->shown_run() && runs->shown_run()->id != 0) {
            const RunInfo& run = *runs->shown_run();
            state = tr("Run %1, %2").arg(run.id).arg(QString::fromStdString(run.agent));
            if (runs->goes_on_elsewhere(run)) {
                state += tr(", active in another process");
                if (p.seconds > 0)
                    shorter = std::exchange(state, state + tr(", %1 so far").arg(duration_text(p.seconds)));
            } else if (p.seconds > 0)
                state += tr(", took %1").arg(duration_text(p.seconds));
        }
        set_budget(state, preparing ? 0 : p.fraction,
                   preparing ? -1 : seconds_left(p.fraction, p.part_seconds), active);
        if (!shorter.isEmpty()) budget_->set_texts({state, shorter});
    };
    connect(runs, &RunController::progress_changed, this, budget);
    connect(runs, &RunController::state_changed, this, budget);
    connect(runs, &RunController::failed, this, [this, runs](const Error& error) {
        if (!runs->active() && runs->progress().steps == 0)
            set_budget(tr("No run: %1").arg(QString::fromStdString(error.message())), 0, -1, false);
    });
    const auto evaluator = [this, runs] {
        const auto& gpu = runs->gpu();
        set_evaluator(
            runs->evaluator(),
            !gpu ? QStringList{tr("Looking for a GPU")}
            : gpu->present
                ? QStringList{tr("GPU found: %1").arg(QString::fromStdString(gpu->device))}
                : QStringList{tr("No GPU: using SM model, unmeasured"), tr("No GPU: using SM model")});
    };
    connect(runs, &RunController::evaluator_changed, this, evaluator);
    budget();
    evaluator();
}

MutationLog::MutationLog(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
                         QWidget* parent)
    : QWidget(parent) {
    build();
    const auto take_texts = [this, document] {
        const KernelPtr kernel = document->kernel();
        if (!kernel) return;
        std::vector<QString> texts;
        texts.reserve(kernel->size());
        for (InstrId id = 0; id < kernel->size(); ++id)
            texts.push_back(document->text_of(id));
        model_->set_texts(std::move(texts),
                          [kernel](const Mutation& m) { return QString::fromStdString(m.text(*kernel)); });
    };
    connect(document, &Document::opened, this, take_texts);
    connect(document, &Document::leaving, this, [this, document] {
        if (!document->changes_start()) model_->begin_run({});
        model_->set_texts({}, {});
        set_current(0);
    });
    take_texts();
    connect(runs, &RunController::run_reset, this, [this](const RunInfo& run) {
        set_current(0);
        model_->begin_run(run);
    });
    connect(runs, &RunController::steps_added, model_, &MutationModel::append);
    connect(runs, &RunController::measurements_changed, model_, &MutationModel::set_measurements);
    connect(this, &MutationLog::step_chosen, runs, qOverload<qint64, qint64>(&RunController::view_step));
    connect(this, &MutationLog::instr_chosen, selection, &Selection::select);
    connect(&document->pair(), &ComparedPair::changed, this,
            [this, document, runs] { set_current(step_in_view(*document, *runs), false); });
    // Selected in a chart, on the timeline or elsewhere.
    connect(runs, &RunController::step_viewed, this, [this](qint64 run, qint64 step) {
        if (run == model_->run().id) show_step(step);
    });
    model_->set_fetcher([self = QPointer<MutationLog>(this), runs, jobs,
                         reader = std::make_shared<StepReader>()](std::vector<StepId> wanted) {
        const auto path = runs->session_path();
        const RunId run = self->model_->run().id;
        if (path.empty() || run == 0) return;
        jobs->run<std::vector<StepRecord>>(
            {},
            [reader, path, run, wanted = std::move(wanted)](std::stop_token stop) {
                return stop.stop_requested() ? std::vector<StepRecord>() : reader->read(path, run, wanted);
            },
            [self, run, runs, path](const std::vector<StepRecord>& records) {
                if (self && self->model_->run().id == run && runs->session_path() == path)
                    self->model_->deliver(records);
            },
            JobRunner::Scope::Window);
    });
}

QString start_name(StepId step) {
    return step == 0 ? StepPanel::tr("original") : StepPanel::tr("start %1").arg(step);
}

std::vector<ReplayPart> replay_parts(const RunController& runs) {
    std::vector<ReplayPart> out;
    if (!runs.shown_run()) return out;
    for (const RunInfo& run : runs.tuning_of(runs.shown_run()->id))
        out.push_back({run.id, run.agent == kStartsAgent ? StepPanel::tr("starts") : start_name(runs.start_of(run).step),
                       run.steps});
    return out;
}

StepPanel::StepPanel(Document* document, RunController* runs, MutationModel* model, QWidget* parent)
    : QWidget(parent), model_(model) {
    build();
    const auto show_parts = [this, runs] { set_parts(replay_parts(*runs)); };
    connect(runs, &RunController::runs_changed, this, show_parts);
    connect(runs, &RunController::run_reset, this, show_parts);
    connect(this, &StepPanel::run_asked, runs, &RunController::show_run);
    connect(this, &StepPanel::step_chosen, runs, qOverload<qint64, qint64>(&RunController::view_step));
    connect(&document->pair(), &ComparedPair::changed, this,
            [this, document, runs] { shown(step_in_view(*document, *runs)); });
}

}  // namespace cubinlab::ui
