// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcut_model.h"

#include <QAction>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/shortcut_book.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString native(const QKeySequence& key) {
    return key.toString(QKeySequence::NativeText);
}

}  // namespace

ShortcutModel::ShortcutModel(const Commands& commands, QObject* parent)
    : QAbstractTableModel(parent), commands_(commands) {
    filter();
    connect(&ShortcutBook::instance(), &ShortcutBook::changed, this, [this] {
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, ColumnCount - 1));
    });
}

void ShortcutModel::set_filter(const QString& text) {
    beginResetModel();
    filter_ = text.trimmed();
    filter();
    endResetModel();
}

void ShortcutModel::filter() {
    rows_.clear();
    for (QAction* action : commands_.all()) {
        const QString text = Commands::plain_text(action) + QLatin1Char(' ') + action->objectName() +
                             QLatin1Char(' ') + native(action->shortcut());
        if (filter_.isEmpty() || text.contains(filter_, Qt::CaseInsensitive)) rows_.push_back(action);
    }
}

QAction* ShortcutModel::action(int row) const {
    return row < 0 || row >= static_cast<int>(rows_.size()) ? nullptr : rows_[static_cast<std::size_t>(row)];
}

int ShortcutModel::row_of(const QString& id) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const QAction* a) { return a->objectName() == id; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int ShortcutModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ShortcutModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString ShortcutModel::clash(const QAction* action) const {
    QStringList names;
    for (const QAction* other : commands_.using_key(action->shortcut(), action))
        names << Commands::plain_text(other);
    return names.isEmpty() ? QString() : tr("also: %1").arg(names.join(QStringLiteral(", ")));
}

bool ShortcutModel::any_clash() const {
    return std::any_of(rows_.begin(), rows_.end(), [this](const QAction* a) { return !clash(a).isEmpty(); });
}

QVariant ShortcutModel::data(const QModelIndex& index, int role) const {
    const QAction* a = index.isValid() ? action(index.row()) : nullptr;
    if (a == nullptr) return {};
    const bool changed = ShortcutBook::instance().changed_by_user(a->objectName());
    if (role == Qt::ToolTipRole) return QStringLiteral("%1\n%2").arg(a->statusTip(), a->objectName());
    if (role == Qt::FontRole && changed && index.column() == KeyColumn) {
        QFont font = Theme::instance().ui_font();
        font.setWeight(QFont::DemiBold);
        return font;
    }
    if (role == Qt::ForegroundRole) {
        const ThemeColors& c = Theme::instance().colors();
        if (index.column() == ClashColumn) return c.bad;
        if (index.column() == DefaultColumn) return c.text_dim;
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case CommandColumn:
            return Commands::plain_text(a);
        case KeyColumn:
            return native(a->shortcut()) + (changed ? tr("  (changed)") : QString());
        case DefaultColumn:
            return native(Commands::default_key(a));
        case ClashColumn:
            return clash(a);
        default:
            return {};
    }
}

QVariant ShortcutModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case CommandColumn:
            return tr("Command");
        case KeyColumn:
            return tr("Key");
        case DefaultColumn:
            return tr("Default");
        case ClashColumn:
            return tr("Conflict");
        default:
            return {};
    }
}

}  // namespace cubinlab::ui
