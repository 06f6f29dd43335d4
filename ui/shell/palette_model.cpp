// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_model.h"

#include <algorithm>

#include "ui/shell/fuzzy.h"

namespace cubinlab::ui {
namespace {

constexpr int kAlsoScore = 60;  // the beginning of a word ranks above scattered letters

bool is_also(const PaletteEntry& entry, const QString& pattern) {
    const QString typed = pattern.trimmed();
    return typed.size() > 1 &&
           (QLatin1Char(' ') + entry.also).contains(QLatin1Char(' ') + typed, Qt::CaseInsensitive);
}

}  // namespace

void PaletteModel::set_entries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    entries_ = std::move(entries);
    filter();
    endResetModel();
}

void PaletteModel::set_pattern(const QString& pattern) {
    beginResetModel();
    pattern_ = pattern;
    filter();
    endResetModel();
}

void PaletteModel::filter() {
    rows_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const PaletteEntry& entry = entries_[i];
        Row row{i, entry.bonus, {}};
        const auto match = fuzzy_match(pattern_, entry.name());
        if (match) {
            row.score += match->score;
            for (const int at : match->at)
                row.hits << at;
        }
        const bool known = is_also(entry, pattern_);
        if (known) row.score = std::max(row.score, entry.bonus + kAlsoScore);
        // An offset entry matches the typed text completely.
        if (!match && !known && entry.id != QLatin1String("offset")) continue;
        if (!entry.enabled) row.score -= 6;  // prefer enabled commands
        rows_.push_back(std::move(row));
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.score > b.score; });
}

const PaletteEntry* PaletteModel::entry(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return nullptr;
    return &entries_[rows_[static_cast<std::size_t>(row)].entry];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const PaletteEntry* e = index.isValid() ? entry(index.row()) : nullptr;
    if (e == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole:
            return e->text;
        case Qt::AccessibleTextRole: {
            QString text = e->name();
            if (!e->key.isEmpty()) text += QStringLiteral(", ") + e->key;
            if (!e->enabled) text += tr(", not available: %1").arg(e->detail);
            return text;
        }
        case Qt::ToolTipRole:
        case DetailRole:
            return e->detail;
        case GroupRole:
            return e->group;
        case KeyRole:
            return e->key;
        case EnabledRole:
            return e->enabled;
        case OnRole:
            return e->on;
        case HitsRole:
            return rows_[static_cast<std::size_t>(index.row())].hits;
        case IdRole:
            return e->id;
        default:
            return {};
    }
}

// Disabled rows can be selected as well, to show the reason.
Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace cubinlab::ui
