// SPDX-License-Identifier: GPL-3.0-or-later
// Edit patterns as a table (core/evidence/patterns.h).
#pragma once
#include <QCoreApplication>

#include "core/evidence/patterns.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

class PatternModel : public RowsModel<Pattern> {
    Q_DECLARE_TR_FUNCTIONS(cubinlab::ui::PatternModel)

  public:
    enum Column { Name, Steps, Each, Together, Best, Carrying, Runs, Kernels, kColumns };

    explicit PatternModel(QObject* parent = nullptr);
    // Over several runs each row names its evaluator, because the table mixes patterns of a GPU and of the
    // model.
    void set_patterns(std::vector<Pattern> patterns, PatternScope scope);

  protected:
    QVariant look(const Pattern& pattern, int column, int role) const override;

  private:
    void name_columns();

    PatternScope scope_ = PatternScope::Run;
    bool all_modelled_ = true;
};

}  // namespace cubinlab::ui
