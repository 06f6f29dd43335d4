// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: menus, toolbars, shortcuts and the list of shortcuts in Help take their
// text, icon and key from here.
//
//   commands.add({"edit.undo", tr("Undo"), "undo", QKeySequence::Undo, tr("Takes the last hand edit back")},
//   [=] { ... }); menu->addAction(commands["edit.undo"]);
#pragma once
#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <vector>

class QWidget;

namespace cubinlab::ui {

struct CommandText {
    QString id;    // "agent.start"
    QString text;  // of the menu, with mnemonic
    QString icon;  // of resources/icons; may be empty
    QKeySequence key;
    QString tip;  // one sentence: status bar and tooltip
    bool checkable = false;
};

class Commands : public QObject {
    Q_OBJECT

  public:
    explicit Commands(QWidget* window);
    QAction* add(const CommandText& command, std::function<void()> run);
    QAction* add_toggle(const CommandText& command, bool on, std::function<void(bool)> run);
    QAction* operator[](const QString& id) const;  // asserts that it exists
    QAction* find(const QString& id) const;        // null: there is none
    const std::vector<QAction*>& all() const { return order_; }
    QString shortcuts_as_markdown() const;

  private:
    QAction* make(const CommandText& command);
    void refresh_icons();

    QWidget* window_;
    std::map<QString, QAction*> by_id_;
    std::vector<QAction*> order_;
};

}  // namespace cubinlab::ui
