// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the command palette: every entry, disabled ones included, best match first.
#pragma once
#include <QAbstractListModel>
#include <QString>
#include <functional>
#include <vector>

namespace cubinlab::ui {

struct PaletteEntry {
    QString id;      // "edit.undo"; entries that are not commands: "recent:/path", "offset"
    QString group;   // "Edit", "Open recent"
    QString text;    // "Undo"
    QString detail;  // description; if disabled, the reason
    QString key;     // shortcut, native text
    bool enabled = true;
    bool on = false;  // a toggle that is on
    std::function<void()> run;
    int bonus = 0;      // added to the score of a match: typed offsets, recently used commands
    QString also = {};  // synonyms

    QString name() const { return group + QStringLiteral(": ") + text; }
};

class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { GroupRole = Qt::UserRole + 1, DetailRole, KeyRole, EnabledRole, OnRole, HitsRole, IdRole };

    using QAbstractListModel::QAbstractListModel;
    void set_entries(std::vector<PaletteEntry> entries);
    void set_pattern(const QString& pattern);
    const PaletteEntry* entry(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  private:
    struct Row {
        std::size_t entry = 0;
        int score = 0;
        QVariantList hits;  // positions in name()
    };
    void filter();

    std::vector<PaletteEntry> entries_;
    std::vector<Row> rows_;
    QString pattern_;
};

}  // namespace cubinlab::ui
