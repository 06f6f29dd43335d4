// SPDX-License-Identifier: GPL-3.0-or-later
// The shortcuts that differ from the defaults, stored in the preferences and shared by all windows. A command
// without an entry has its default; an empty entry removes the shortcut.
#pragma once
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <map>

namespace cubinlab::ui {

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

}  // namespace cubinlab::ui
