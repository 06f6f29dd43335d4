// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/shortcut_book.h"

#include "ui/base/settings.h"

namespace cubinlab::ui {

ShortcutBook& ShortcutBook::instance() {
    static ShortcutBook book;
    return book;
}

void ShortcutBook::load() {
    keys_.clear();
    const QVariantMap stored = Settings().shortcuts();
    for (auto it = stored.begin(); it != stored.end(); ++it)
        keys_[it.key()] = QKeySequence(it.value().toString(), QKeySequence::PortableText);
    Q_EMIT changed();
}

void ShortcutBook::store() const {
    QVariantMap map;
    for (const auto& [command, key] : keys_)
        map[command] = key.toString(QKeySequence::PortableText);
    Settings().set_shortcuts(map);
}

QKeySequence ShortcutBook::key_of(const QString& command, const QKeySequence& otherwise) const {
    const auto found = keys_.find(command);
    return found == keys_.end() ? otherwise : found->second;
}

void ShortcutBook::set(const QString& command, const QKeySequence& key) {
    keys_[command] = key;
    store();
    Q_EMIT changed();
}

void ShortcutBook::reset(const QString& command) {
    if (keys_.erase(command) == 0) return;
    store();
    Q_EMIT changed();
}

void ShortcutBook::reset_all() {
    if (keys_.empty()) return;
    keys_.clear();
    store();
    Q_EMIT changed();
}

}  // namespace cubinlab::ui
