// SPDX-License-Identifier: GPL-3.0-or-later
// What kinds of edits were worth, over many sessions (core/claims/tried_edits.h), as a table; with how many places of the
// schedule at hand each could be tried at.
#pragma once
#include <QCoreApplication>

#include "core/claims/tried_edits.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

struct LearnedPattern {
    TriedPattern tried;
    std::vector<InstrId> places;  // in the schedule at hand
};

class LearnedModel : public RowsModel<LearnedPattern> {
    Q_DECLARE_TR_FUNCTIONS(cubinlab::ui::LearnedModel)

  public:
    enum Column { Name, Effect, Interval, Tried, Gained, Best, Kernels, Here, kColumns };

    explicit LearnedModel(QObject* parent = nullptr);

  protected:
    QVariant look(const LearnedPattern& pattern, int column, int role) const override;
};

}  // namespace cubinlab::ui
