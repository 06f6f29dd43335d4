// SPDX-License-Identifier: GPL-3.0-or-later
// Learned patterns as a table (core/claims/patterns.h). Sortable through Qt::UserRole.
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "core/claims/patterns.h"
#include "core/run/evaluator.h"

namespace cubinlab::ui {

class PatternModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, Steps, Each, Together, Best, Carrying, kColumns };
    static constexpr int SortRole = Qt::UserRole;

    explicit PatternModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind);
    const std::vector<Pattern>& patterns() const { return patterns_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    static int alignment(int column);
    QVariant text(const Pattern& pattern, int column) const;

    std::vector<Pattern> patterns_;
    EvaluatorKind kind_ = EvaluatorKind::Model;
};

}  // namespace cubinlab::ui
