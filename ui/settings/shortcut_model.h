// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and their shortcuts as a table: command, shortcut, default, conflict.
#pragma once
#include <QAbstractTableModel>
#include <vector>

class QAction;

namespace cubinlab::ui {

class Commands;

class ShortcutModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { CommandColumn, KeyColumn, DefaultColumn, ClashColumn, ColumnCount };

    ShortcutModel(const Commands& commands, QObject* parent = nullptr);
    void set_filter(const QString& text);  // name, id or key
    QAction* action(int row) const;
    int row_of(const QString& id) const;  // -1: filtered out or unknown
    bool any_clash() const;               // two commands have the same shortcut

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void filter();
    QString clash(const QAction* action) const;

    const Commands& commands_;
    QString filter_;
    std::vector<QAction*> rows_;
};

}  // namespace cubinlab::ui
