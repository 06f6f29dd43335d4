// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: menus, toolbars, the command palette, shortcuts and the list of
// shortcuts in Help take their text, icon and key from here. Keys that the user has changed
// (ui/base/shortcut_book.h) are used instead of the ones given here, in all windows at once.
//
//   commands.add({"edit.undo", tr("Undo"), "undo", QKeySequence::Undo, tr("Undoes an edit")}, [=] { ... });
//   menu->addAction(commands["edit.undo"]);
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

    static QString plain_text(const QAction* action);  // the text without its mnemonic and dots
    static QKeySequence default_key(const QAction* action);
    // Commands, other than `except`, that have this key; a key that is the beginning of another counts too.
    std::vector<QAction*> using_key(const QKeySequence& key, const QAction* except) const;
    // Why a command is off, said in the palette and in its tooltip. Empty: the window's general reason.
    void set_why_disabled(const QString& id, const QString& why);
    QString why_disabled(const QAction* action) const;  // empty: it is on, or nothing is known
    void set_general_why(std::function<QString(const QString& id)> why) { general_why_ = std::move(why); }

  private:
    QAction* make(const CommandText& command);
    void refresh_icons();
    void refresh_keys();
    static void show_key(QAction* action);

    QWidget* window_;
    std::map<QString, QAction*> by_id_;
    std::vector<QAction*> order_;
    std::function<QString(const QString&)> general_why_;
};

}  // namespace cubinlab::ui
