// SPDX-License-Identifier: GPL-3.0-or-later
// The hand edits as a list: one row per state in chronological order, with the result of the model or the
// GPU. Undone edits and other branches stay in it; a click goes to a state.
#pragma once
#include <QAbstractTableModel>
#include <QWidget>
#include <set>

#include "ui/document/document.h"

class QLabel;
class QTableView;

namespace cubinlab::ui {

class HistoryModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Number, Edit, Modelled, Measured, Columns };
    enum Role { StateRole = Qt::UserRole };  // "current", "done", "redo", "branch"

    explicit HistoryModel(Document* document, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void reload();
    void update();
    QString state_of(std::size_t node) const;
    QString text_of(std::size_t node) const;

    Document* document_;
    int rows_ = 0;
    std::set<std::size_t> done_, ahead_;
};

// "+1.20 % [0.80, 1.60] FASTER"
QString figure_text(const HandFigure& figure);

class HistoryPanel : public QWidget {
    Q_OBJECT

  public:
    HistoryPanel(Document* document, QWidget* parent = nullptr);
    QTableView* table() const { return table_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void update_texts();
    void fit_columns();

    Document* document_;
    HistoryModel* model_;
    QTableView* table_;
    QLabel* empty_;
};

}  // namespace cubinlab::ui
