// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/model_trust.h"

#include <algorithm>

#include "core/claims/rank_agreement.h"
#include "core/jobs/evaluator_choice.h"
#include "core/jobs/explain_settings.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/kernel_info.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

constexpr int kPatienceMs = 400;
constexpr std::size_t kLeastPairs = 30;

QString unknown() {
    return QCoreApplication::translate(
        "cubinlab::ui::ModelTrust",
        "How well the model ranks schedules of this kernel is not known: in this session no GPU has told "
        "enough of "
        "them apart.");
}

QString text_of(const RankAgreement& found) {
    if (found.pairs < kLeastPairs) return unknown();
    return ModelTrust::tr(
               "How far to trust it on this kernel: of %1 pairs of schedules that the GPU told apart in this "
               "session, "
               "the model has %2 % the same way round and %3 % the other way (tau %4); its ensemble has tau "
               "%5.")
        .arg(grouped(static_cast<qint64>(found.pairs)))
        .arg(100.0 * static_cast<double>(found.agree) / static_cast<double>(found.pairs), 0, 'f', 0)
        .arg(100.0 * static_cast<double>(found.disagree) / static_cast<double>(found.pairs), 0, 'f', 0)
        .arg(found.tau(), 0, 'f', 2)
        .arg(found.ensemble_tau(), 0, 'f', 2);
}

}  // namespace

ModelTrust::ModelTrust(Document* document, RunController* runs, KernelInfoPanel* panel, JobRunner* jobs,
                       QObject* parent)
    : QObject(parent), document_(document), runs_(runs), panel_(panel) {
    connect(&slow_jobs_, &JobRunner::broke, jobs, &JobRunner::broke);
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, &ModelTrust::look);
    const auto again = [this] { later_.start(kPatienceMs); };
    connect(document, &Document::opened, this, [this, again] {
        panel_->set_trust(unknown());
        again();
    });
    connect(runs, &RunController::runs_changed, this, again);
    connect(runs, &RunController::state_changed, this, again);
    connect(document, &Document::leaving, this, [this] {
        later_.stop();
        slow_jobs_.cancel(QStringLiteral("model-trust"));
    });
}

void ModelTrust::look() {
    const auto session = runs_->session();
    if (!document_->is_open() || !session || runs_->active()) return;  // the end of a run asks again
    const auto on_gpu = [](const RunInfo& run) { return run.evaluator.kind == EvaluatorKind::Gpu; };
    if (std::none_of(runs_->runs().begin(), runs_->runs().end(), on_gpu)) return panel_->set_trust(unknown());
    // A connection of its own: the run may be long, and the views go on reading meanwhile.
    slow_jobs_.run<Result<RankAgreement>>(
        QStringLiteral("model-trust"),
        [path = session->path(), kernel = document_->kernel(),
         workload = document_->workload()](std::stop_token stop) -> Result<RankAgreement> {
            auto reader = TRY(SessionReader::open(path));
            const std::vector<int> trips =
                trips_by_header(*kernel, trip_counts(*kernel, launch_values(*kernel, workload)));
            return rank_agreement(*reader, kernel, model_settings(*kernel, workload), trips, stop);
        },
        [this, kernel = document_->kernel()](const Result<RankAgreement>& found) {
            if (found && document_->is_open() && document_->kernel() == kernel)
                panel_->set_trust(text_of(*found));
        });
}

}  // namespace cubinlab::ui
