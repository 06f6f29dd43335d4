// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands.h"

#include <QWidget>

#include "ui/icons.h"
#include "ui/theme.h"

namespace cubinlab::ui {

Commands::Commands(QWidget* window) : QObject(window), window_(window) {
    connect(&Theme::instance(), &Theme::changed, this, &Commands::refresh_icons);
}

QAction* Commands::make(const CommandText& command) {
    Q_ASSERT(by_id_.count(command.id) == 0);
    auto* action = new QAction(command.text, window_);
    action->setObjectName(command.id);
    action->setShortcut(command.key);
    action->setStatusTip(command.tip);
    QString tip = command.tip;
    if (!command.key.isEmpty())
        tip += QStringLiteral("  (%1)").arg(command.key.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    action->setProperty("icon_name", command.icon);
    if (!command.icon.isEmpty()) action->setIcon(themed_icon(command.icon));
    window_->addAction(action);  // the shortcut works without a menu too
    by_id_[command.id] = action;
    order_.push_back(action);
    return action;
}

QAction* Commands::add(const CommandText& command, std::function<void()> run) {
    QAction* action = make(command);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    return action;
}

QAction* Commands::add_toggle(const CommandText& command, bool on, std::function<void(bool)> run) {
    QAction* action = make(command);
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
    QString text = QStringLiteral("| key | command |\n|---|---|\n");
    for (const QAction* action : order_)
        if (!action->shortcut().isEmpty())
            text += QStringLiteral("| %1 | %2 |\n")
                        .arg(action->shortcut().toString(QKeySequence::NativeText),
                             action->text().remove(QLatin1Char('&')));
    return text;
}

}  // namespace cubinlab::ui
