// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/best_minimiser.h"

#include "core/tuning/evaluator_choice.h"
#include "core/search/moves/minimise.h"
#include "ui/base/format.h"

namespace cubinlab::ui {
namespace {

const auto kTag = QStringLiteral("minimise-best");
constexpr int kRestMs = 1000;  // between two: a run finds a better one many times a second

Result<Minimised> by_model(const CheckerPtr& checker, const SchedulePtr& best,
                           const std::optional<Workload>& workload, std::stop_token stop) {
    auto choice = TRY(choose_evaluator(best->kernel(), workload, "model", {}, stop));
    return minimise(checker, *choice.evaluator, *best, {}, stop);
}

}  // namespace

BestMinimiser::BestMinimiser(Document* document, JobRunner* jobs, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&slow_jobs_, &JobRunner::broke, jobs, &JobRunner::broke);
    again_.setSingleShot(true);
    connect(&again_, &QTimer::timeout, this, &BestMinimiser::look);
    connect(document, &Document::pair_changed, this, &BestMinimiser::look);
    connect(document, &Document::leaving, this, [this] {
        again_.stop();
        slow_jobs_.cancel(kTag);
        made_ = {};
    });
}

void BestMinimiser::look() {
    const StepRef best = document_->best_step();
    if (!document_->is_open() || !document_->shows(Head::Minimal) || best.step == 0 || best == made_) return;
    if (!document_->checker() || again_.isActive() || slow_jobs_.busy(kTag)) return;
    made_ = best;
    again_.start(kRestMs);  // and there may be a newer one by then
    slow_jobs_.run<Result<Minimised>>(
        kTag,
        [checker = document_->checker(), schedule = document_->head(Head::Best),
         workload = document_->workload()](std::stop_token stop) {
            return by_model(checker, schedule, workload, stop);
        },
        [this, kernel = document_->kernel()](Result<Minimised> made) {
            if (!document_->is_open() || document_->kernel() != kernel) return;
            if (made) {
                const QString edits =
                    tr("%1 of %2 edits").arg(made->edits.edits.size()).arg(made->edits_before);
                document_->set_minimal(
                    std::make_shared<const Schedule>(std::move(made->schedule)),
                    tr("%1, %2 in the model").arg(edits, percent_text(made->outcome.log_speedup)), edits);
            } else {
                document_->set_minimal(
                    nullptr, made.error().code == ErrorCode::Refused
                                 ? tr("The model sees no gain in the best, so it cannot tell its edits "
                                      "from drift; Replay > Minimise asks the run's own evaluator")
                                 : QString::fromStdString(made.error().message()));
            }
            if (!again_.isActive()) look();
        });
}

}  // namespace cubinlab::ui
