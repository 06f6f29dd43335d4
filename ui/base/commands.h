// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of the window's commands. Each command is added once, with its text, sections, enabling rule
// and action. Menus, tool bars, the command palette and the list of shortcuts are built from it. Shortcuts
// changed by the user (ShortcutBook) replace the ones given here, in all windows.
//
//   commands.add("edit.undo", tr("Undo"), "undo", QKeySequence::Undo, tr("Undo the last edit"),
//                {"edit/undo", "bar/edit"},
//                enabled_when([=] { return can_undo(); }, tr("There is no edit to undo.")), [=] { ... });
//   commands.fill(menu, {"edit/undo", "edit/move"});
//   commands.update();                                   // after any change that affects a rule
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

// The shortcuts that differ from the defaults, stored in the preferences and shared by all windows. A command
// without an entry has its default; an empty entry removes the shortcut.
class ShortcutBook : public QObject {
    Q_OBJECT

  public:
    static ShortcutBook& instance();

    QKeySequence key_of(const QString& command, const QKeySequence& otherwise) const;
    bool changed_by_user(const QString& command) const { return keys_.count(command) != 0; }
    bool empty() const { return keys_.empty(); }
    void set(const QString& command, const QKeySequence& key);
    void reset(const QString& command);
    void reset_all();
    void load();  // from the settings; done at the first use

  Q_SIGNALS:
    void changed();

  private:
    ShortcutBook() { load(); }
    void store() const;

    std::map<QString, QKeySequence> keys_;
};

// Returns why a command is disabled, as one sentence with what to do; empty: the command is enabled.
using DisabledReason = std::function<QString()>;
DisabledReason enabled_when(std::function<bool()> can, const QString& why);
DisabledReason all_of(DisabledReason first,
                      DisabledReason then);  // `then` is called only if `first` is empty

inline const DisabledReason kAlways;  // always enabled
inline const QKeySequence kNoKey;

class Commands : public QObject {
    Q_OBJECT

  public:
    explicit Commands(QWidget* window);
    // `id`: "agent.start". `text`: menu text with mnemonic. `icon`: name in resources/icons, may be empty. `tip`: one
    // sentence for status bar and tooltip. `places`: sections of menus and bars ("file/export"); a section keeps
    // the order of the add() calls.
    QAction* add(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                 const QString& tip, const QStringList& places, DisabledReason why_not,
                 std::function<void()> run);
    QAction* add_toggle(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                        const QString& tip, const QStringList& places, DisabledReason why_not, bool on,
                        std::function<void(bool)> run);
    QAction* operator[](const QString& id) const;  // asserts that it exists
    QAction* find(const QString& id) const;        // null if it does not exist
    const std::vector<QAction*>& all() const { return order_; }
    std::vector<QAction*> at(const QString& place) const;
    // Puts a separator between non-empty sections.
    void fill(QMenu* menu, const QStringList& sections) const;
    void update();  // evaluates the rule of each command
    QString shortcuts_as_markdown() const;

    static QString plain_text(const QAction* action);  // the text without its mnemonic and dots
    static QKeySequence default_key(const QAction* action);
    // Commands other than `except` whose shortcut equals `key`, is a prefix of it, or starts with it.
    std::vector<QAction*> using_key(const QKeySequence& key, const QAction* except) const;
    QString why_disabled(const QAction* action) const;  // empty: it is enabled

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
