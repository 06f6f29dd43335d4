// SPDX-License-Identifier: GPL-3.0-or-later
// Changes shortcuts: select a command, press the new keys. If another command has them, the page names it and
// reassigns them only on request.
#pragma once
#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace cubinlab::ui {

class Commands;
class ShortcutModel;

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
