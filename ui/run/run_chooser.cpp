// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_chooser.h"

#include <QSignalBlocker>

#include "ui/run/run_controller.h"

namespace cubinlab::ui {

RunChooser::RunChooser(RunController* runs, QWidget* parent) : ElidingCombo(parent), runs_(runs) {
    setAccessibleName(tr("Run of the session"));
    setToolTip(tr("Runs of the session. The charts and the log show the selected one."));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setPlaceholderText(tr("no run"));
    connect(runs, &RunController::runs_changed, this, &RunChooser::fill);
    connect(runs, &RunController::run_reset, this, &RunChooser::mark_shown);
    connect(this, &QComboBox::activated, this,
            [this](int index) { runs_->show_run(itemData(index).toLongLong()); });
    fill();
}

void RunChooser::fill() {
    QSignalBlocker quiet(this);
    clear();
    for (const RunInfo& run : runs_->runs()) {
        addItem(tr("Run %1: %2").arg(run.id).arg(QString::fromStdString(run.agent)),
                static_cast<qlonglong>(run.id));
        setItemData(count() - 1,
                    tr("started %1, seed %2, on the %3")
                        .arg(QString::fromStdString(run.started), QString::number(run.seed),
                             run.evaluator.kind == EvaluatorKind::Gpu ? tr("GPU") : tr("model")),
                    Qt::ToolTipRole);
    }
    mark_shown();
    quiet.unblock();
    Q_EMIT count_changed(count());
}

void RunChooser::mark_shown() {
    const QSignalBlocker quiet(this);
    const auto& shown = runs_->shown_run();
    setCurrentIndex(shown ? findData(static_cast<qlonglong>(shown->id)) : -1);
}

}  // namespace cubinlab::ui
