// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/evaluator_badge.h"

#include <cmath>

#include "ui/base/theme.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {

EvaluatorBadge::EvaluatorBadge(RunController* controller, QWidget* parent)
    : QLabel(parent), controller_(controller) {
    connect(controller, &RunController::evaluator_changed, this, &EvaluatorBadge::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &EvaluatorBadge::refresh);
    setTextFormat(Qt::PlainText);
    QFont bold = Theme::instance().ui_font();
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
    refresh();
}

void EvaluatorBadge::refresh() {
    const ThemeColors& c = Theme::instance().colors();
    QColor ink = c.text_dim, paper = c.raised;
    QString text, tip;
    if (const auto& used = controller_->evaluator()) {
        const bool gpu = used->kind == EvaluatorKind::Gpu;
        ink = gpu ? c.good : c.warn;
        paper = gpu ? c.good_soft : c.warn_soft;
        const QString device = QString::fromStdString(used->device);
        text = gpu ? tr("GPU  %1").arg(device) : tr("MODEL  %1, unmeasured").arg(device);
        tip = gpu ? tr("Measured on %1.\nTimer resolution %2 us, smallest effect that a promoted comparison "
                       "detects: %3 %.")
                        .arg(device, QString::number(used->timer_step_us, 'g', 3),
                             QString::number(100 * std::expm1(used->detectable), 'f', 2))
                  : tr("Cycles of a model of one SM sub-core. They explain and rank; they are not "
                       "measurements.");
    } else if (const auto& gpu = controller_->gpu()) {
        text = gpu->present ? tr("GPU found: %1").arg(QString::fromStdString(gpu->device))
                            : tr("No GPU: using SM model");
        tip = QString::fromStdString(gpu->present ? gpu->driver : gpu->reason);
    } else {
        text = tr("Looking for a GPU");
    }
    if (!controller_->evaluator_note().isEmpty()) tip += QStringLiteral("\n") + controller_->evaluator_note();
    setText(text);
    setMinimumWidth(fontMetrics().horizontalAdvance(text) + 24);
    setToolTip(tip);
    setAccessibleName(tr("Evaluator: %1").arg(text));
    setStyleSheet(
        QStringLiteral("QLabel { color: %1; background: %2; border-radius: 4px; padding: 2px 9px; }")
            .arg(ink.name(), paper.name()));
}

}  // namespace cubinlab::ui
