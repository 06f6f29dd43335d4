// SPDX-License-Identifier: GPL-3.0-or-later
// What kinds of edits were worth, over many sessions (core/claims/tried_edits.h), as a table; with how many places of the
// schedule at hand each could be tried at.
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "core/claims/tried_edits.h"

namespace cubinlab::ui {

struct LearnedPattern {
    TriedPattern tried;
    std::vector<InstrId> places;  // in the schedule at hand
};

class LearnedModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, Effect, Interval, Tried, Gained, Best, Kernels, Here, kColumns };
    enum Role { SortRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;
    void set_patterns(std::vector<LearnedPattern> patterns);
    const std::vector<LearnedPattern>& patterns() const { return patterns_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    static QVariant text(const LearnedPattern& pattern, int column);
    static QVariant sort_value(const LearnedPattern& pattern, int column);

    std::vector<LearnedPattern> patterns_;
};

}  // namespace cubinlab::ui
