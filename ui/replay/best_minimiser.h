// SPDX-License-Identifier: GPL-3.0-or-later
// The agent's best without neutral drift, also while it runs: where Head::Minimal is shown, each new best is
// minimised by the SM model (core/search/moves/minimise.h) on a thread of its own, the newest one first. The model
// judges whoever judged the run: a GPU that runs is the run's. The schedule stands in no log and nobody
// measured it.
#pragma once
#include <QObject>
#include <QTimer>

#include "ui/base/job_runner.h"
#include "ui/document/document.h"

namespace cubinlab::ui {

class BestMinimiser : public QObject {
    Q_OBJECT

  public:
    BestMinimiser(Document* document, JobRunner* jobs, QObject* parent = nullptr);

  private:
    void look();

    Document* document_;
    StepRef made_;  // the best that was minimised last, or is being minimised
    QTimer again_;
    JobRunner slow_jobs_{1};
};

}  // namespace cubinlab::ui
