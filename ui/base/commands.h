// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: what it is called, where it is found, when it cannot be done and why, and what it
// does are said where it is added, and nowhere else. Menus, tool bars, the command palette, shortcuts and the list of
// shortcuts in Help are made from that. Keys that the user has changed
// (ui/base/shortcut_book.h) are used instead of the ones given here, in all windows at once.
//
//   commands.add("edit.undo", tr("Undo"), "undo", QKeySequence::Undo, tr("Undoes an edit"),
//                {"edit/undo", "bar/edit"},
//                enabled_when([=] { return can_undo(); }, tr("There is no edit to undo.")), [=] { ... });
//   commands.fill(menu, {"edit/undo", "edit/move"});
//   commands.update();                                   // whenever something changed that a rule asks for
#pragma once
#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <vector>

class QMenu;
class QWidget;

namespace cubinlab::ui {

// Why something cannot be done now, in one sentence that says what to do; empty: it can.
using DisabledReason = std::function<QString()>;
DisabledReason enabled_when(std::function<bool()> can, const QString& why);
DisabledReason all_of(DisabledReason first,
                      DisabledReason then);  // `then` is asked where `first` has nothing against it

inline const DisabledReason kAlways;  // it can always be done
inline const QKeySequence kNoKey;

class Commands : public QObject {
    Q_OBJECT

  public:
    explicit Commands(QWidget* window);
    // `id`: "agent.start"; `text`: of the menu, with mnemonic; `icon`: of resources/icons, may be empty; `tip`: one
    // sentence, status bar and tooltip; `places`: sections of menus and bars, "file/export"; in a section they
    // stand as they were added.
    QAction* add(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                 const QString& tip, const QStringList& places, DisabledReason why_not,
                 std::function<void()> run);
    QAction* add_toggle(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                        const QString& tip, const QStringList& places, DisabledReason why_not, bool on,
                        std::function<void(bool)> run);
    QAction* operator[](const QString& id) const;  // asserts that it exists
    QAction* find(const QString& id) const;        // null: there is none
    const std::vector<QAction*>& all() const { return order_; }
    std::vector<QAction*> at(const QString& place) const;
    // Each section behind a separator, where it holds something and something stands before it.
    void fill(QMenu* menu, const QStringList& sections) const;
    void update();  // asks each command's rule
    QString shortcuts_as_markdown() const;

    static QString plain_text(const QAction* action);  // the text without its mnemonic and dots
    static QKeySequence default_key(const QAction* action);
    // Commands, other than `except`, that have this key; a key that is the beginning of another counts too.
    std::vector<QAction*> using_key(const QKeySequence& key, const QAction* except) const;
    QString why_disabled(const QAction* action) const;  // empty: it is on

  private:
    QAction* make(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                  const QString& tip, const QStringList& places, DisabledReason why_not);
    void refresh_icons();
    void refresh_keys();
    static void show_key(QAction* action);

    QWidget* window_;
    std::map<QString, QAction*> by_id_;
    std::vector<QAction*> order_;
    std::map<const QAction*, DisabledReason> rules_;
};

}  // namespace cubinlab::ui
