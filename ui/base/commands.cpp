// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/commands.h"

#include <QDebug>
#include <QMenu>
#include <QWidget>

#include "ui/base/settings.h"
#include "ui/base/theme.h"

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

DisabledReason enabled_when(std::function<bool()> can, const QString& why) {
    return [can = std::move(can), why] { return can() ? QString() : why; };
}

DisabledReason all_of(DisabledReason first, DisabledReason then) {
    return [first = std::move(first), then = std::move(then)] {
        const QString why = first();
        return why.isEmpty() ? then() : why;
    };
}

Commands::Commands(QWidget* window) : QObject(window), window_(window) {
    connect(&Theme::instance(), &Theme::changed, this, &Commands::refresh_icons);
    connect(&ShortcutBook::instance(), &ShortcutBook::changed, this, &Commands::refresh_keys);
}

QAction* Commands::make(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                        const QString& tip, const QStringList& places, DisabledReason why_not) {
    if (by_id_.count(id) > 0) qWarning() << Q_FUNC_INFO << id;  // taken already
    auto* action = new QAction(text, window_);
    action->setObjectName(id);
    action->setProperty("default_key", QVariant::fromValue(key));
    action->setShortcut(ShortcutBook::instance().key_of(id, key));
    action->setStatusTip(tip);
    action->setWhatsThis(tip);
    show_key(action);
    action->setProperty("icon_name", icon);
    action->setProperty("places", places);
    if (why_not) rules_[action] = std::move(why_not);
    if (!icon.isEmpty()) action->setIcon(themed_icon(icon));
    window_->addAction(action);  // the shortcut works without a menu too
    by_id_[id] = action;
    order_.push_back(action);
    return action;
}

void Commands::show_key(QAction* action) {
    QString tip = action->statusTip();
    if (!action->shortcut().isEmpty())
        tip += QStringLiteral("  (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
}

void Commands::refresh_keys() {
    for (QAction* action : order_) {
        const QKeySequence key = ShortcutBook::instance().key_of(action->objectName(), default_key(action));
        if (key == action->shortcut()) continue;
        action->setShortcut(key);
        show_key(action);
    }
}

QString Commands::plain_text(const QAction* action) {
    QString text = action->text();
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01")).remove(QLatin1Char('&'));
    text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
    while (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

QKeySequence Commands::default_key(const QAction* action) {
    return action->property("default_key").value<QKeySequence>();
}

std::vector<QAction*> Commands::using_key(const QKeySequence& key, const QAction* except) const {
    std::vector<QAction*> users;
    if (key.isEmpty()) return users;
    for (QAction* action : order_) {
        const QKeySequence other = action->shortcut();
        if (action == except || other.isEmpty()) continue;
        if (key.matches(other) != QKeySequence::NoMatch || other.matches(key) != QKeySequence::NoMatch)
            users.push_back(action);
    }
    return users;
}

QString Commands::why_disabled(const QAction* action) const {
    return action->isEnabled() ? QString() : action->property("why_disabled").toString();
}

void Commands::update() {
    for (QAction* action : order_) {
        const auto rule = rules_.find(action);
        if (rule == rules_.end()) continue;
        const QString why = rule->second();
        action->setProperty("why_disabled", why);
        action->setEnabled(why.isEmpty());
    }
}

std::vector<QAction*> Commands::at(const QString& place) const {
    std::vector<QAction*> out;
    for (QAction* action : order_)
        if (action->property("places").toStringList().contains(place)) out.push_back(action);
    return out;
}

void Commands::fill(QMenu* menu, const QStringList& sections) const {
    for (const QString& section : sections) {
        const std::vector<QAction*> actions = at(section);
        if (!actions.empty() && !menu->isEmpty()) menu->addSeparator();
        for (QAction* action : actions)
            menu->addAction(action);
    }
}

QAction* Commands::add(const QString& id, const QString& text, const QString& icon, const QKeySequence& key,
                       const QString& tip, const QStringList& places, DisabledReason why_not,
                       std::function<void()> run) {
    QAction* action = make(id, text, icon, key, tip, places, std::move(why_not));
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    return action;
}

QAction* Commands::add_toggle(const QString& id, const QString& text, const QString& icon,
                              const QKeySequence& key, const QString& tip, const QStringList& places,
                              DisabledReason why_not, bool on, std::function<void(bool)> run) {
    QAction* action = make(id, text, icon, key, tip, places, std::move(why_not));
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::toggled, this, [run = std::move(run)](bool now) { run(now); });
    return action;
}

QAction* Commands::operator[](const QString& id) const {
    const auto found = by_id_.find(id);
    Q_ASSERT_X(found != by_id_.end(), "Commands", qPrintable(id));
    return found->second;
}

QAction* Commands::find(const QString& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

void Commands::refresh_icons() {
    for (QAction* action : order_)
        if (const QString name = action->property("icon_name").toString(); !name.isEmpty())
            action->setIcon(themed_icon(name));
}

QString Commands::shortcuts_as_markdown() const {
    QString text = QStringLiteral("| %1 | %2 |\n|---|---|\n").arg(tr("key"), tr("command"));
    for (const QAction* action : order_)
        if (!action->shortcut().isEmpty())
            text += QStringLiteral("| %1 | %2 |\n")
                        .arg(action->shortcut().toString(QKeySequence::NativeText), plain_text(action));
    return text;
}

}  // namespace cubinlab::ui
