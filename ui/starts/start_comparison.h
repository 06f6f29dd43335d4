// SPDX-License-Identifier: GPL-3.0-or-later
// Two compilations side by side, aligned by what their instructions compute (core/insight/kernel_alignment.h).
#pragma once
#include <QTableView>
#include <memory>
#include <vector>

#include "core/insight/kernel_alignment.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

// A row of the comparison; a block of which nothing is on a side has no heading there.
struct ComparedRow {
    InstrId left = kNone, right = kNone;
    Computed computed = Computed::Alone;
    bool heading = false;
    QString left_text, right_text;
};

struct StartComparison {
    QString left, right;  // names
    KernelAlignment alignment;
    std::vector<ComparedRow> rows;
    QString summary() const;
};
// With the built-in text. Not on the GUI thread: some milliseconds for each thousand instructions.
StartComparison compare_starts(const KernelPtr& left, const QString& left_name, const KernelPtr& right,
                               const QString& right_name);

class ComparisonModel : public RowsModel<ComparedRow> {
  public:
    enum Column { LeftOffset, LeftText, Mark, RightOffset, RightText, ColumnCount };
    explicit ComparisonModel(QObject* parent = nullptr);
    void show(const StartComparison& comparison);

  protected:
    QVariant look(const ComparedRow& row, int column, int role) const override;

  private:
    void name_sides(const QString& left, const QString& right);
};

// Enter, or a double click, on an instruction that is elsewhere on the other side goes to it.
class ComparisonView : public QTableView {
    Q_OBJECT

  public:
    explicit ComparisonView(QWidget* parent = nullptr);
    void show(std::shared_ptr<const StartComparison> comparison);  // null: nothing
    const StartComparison* shown() const { return shown_.get(); }
    void go_to_difference(int direction);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void go_to_partner(const QModelIndex& at);
    void fit();

    ComparisonModel* model_;
    std::shared_ptr<const StartComparison> shown_;
};

}  // namespace cubinlab::ui
