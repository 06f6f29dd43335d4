// SPDX-License-Identifier: GPL-3.0-or-later
// How far the model may be trusted on the open kernel, told where the model speaks (the Kernel dock): the
// share of pairs of schedules that a GPU told apart in this session which the model has the same way round.
#pragma once
#include <QObject>
#include <QTimer>

#include "ui/base/job_runner.h"

namespace cubinlab::ui {

class Document;
class KernelInfoPanel;
class RunController;

class ModelTrust : public QObject {
    Q_OBJECT

  public:
    ModelTrust(Document* document, RunController* runs, KernelInfoPanel* panel, JobRunner* jobs,
               QObject* parent = nullptr);

  private:
    void look();

    Document* document_;
    RunController* runs_;
    KernelInfoPanel* panel_;
    QTimer later_;
    JobRunner slow_jobs_{1};
};

}  // namespace cubinlab::ui
