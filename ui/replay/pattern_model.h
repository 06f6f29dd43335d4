// SPDX-License-Identifier: GPL-3.0-or-later
// Learned patterns as a table (core/claims/patterns.h).
#pragma once
#include <QCoreApplication>

#include "core/claims/patterns.h"
#include "core/run/evaluator.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

class PatternModel : public RowsModel<Pattern> {
    Q_DECLARE_TR_FUNCTIONS(cubinlab::ui::PatternModel)

  public:
    enum Column { Name, Steps, Each, Together, Best, Carrying, kColumns };

    explicit PatternModel(QObject* parent = nullptr);
    void set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind);

  protected:
    QVariant look(const Pattern& pattern, int column, int role) const override;

  private:
    void name_columns();

    EvaluatorKind kind_ = EvaluatorKind::Model;
};

}  // namespace cubinlab::ui
