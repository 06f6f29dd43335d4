// SPDX-License-Identifier: GPL-3.0-or-later
// Changes shortcuts: select a command, press the new keys. If another command has them, the page names it and
// reassigns them only on request.
#pragma once
#include <QAbstractTableModel>
#include <QWidget>
#include <vector>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace cubinlab::ui {

class Commands;

// Commands and their shortcuts as a table: command, shortcut, default, conflict.
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

class ShortcutPage : public QWidget {
    Q_OBJECT

  public:
    explicit ShortcutPage(const Commands& commands, QWidget* parent = nullptr);
    void choose(const QString& id);  // selects a command

  private:
    void selection_changed();
    void key_typed();
    void set_key(const QKeySequence& key);
    void take_key();
    void say(const QString& text, bool bad);

    const Commands& commands_;
    ShortcutModel* model_;
    QTableView* table_;
    QLineEdit* filter_;
    QKeySequenceEdit* edit_;
    QLabel* note_;
    QPushButton* take_;
    QPushButton* clear_;
    QPushButton* reset_;
    QKeySequence wanted_;  // typed, but in use elsewhere
};

}  // namespace cubinlab::ui
