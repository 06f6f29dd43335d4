// SPDX-License-Identifier: GPL-3.0-or-later
// A table of rows of one kind. A list of columns defines each column's title, cell text and sort key.
#pragma once
#include <QAbstractTableModel>
#include <functional>
#include <vector>

#include "ui/base/format.h"

namespace cubinlab::ui {

template <class Row>
struct RowsField {
    using Shown = std::function<QVariant(const Row&)>;
    // Sorted by text by default.
    RowsField(const QString& called, const QString& about, Qt::AlignmentFlag where, Shown shows)
        : RowsField(called, about, where, shows, shows) {}
    RowsField(const QString& called, const QString& about, Qt::AlignmentFlag where, Shown shows, Shown order)
        : name(called), tip(about), side(where), text(std::move(shows)), sort(std::move(order)) {}

    QString name, tip;
    Qt::AlignmentFlag side;  // of title and cells
    Shown text, sort;
};

template <class Row>
class RowsModel : public QAbstractTableModel {
  public:
    using Field = RowsField<Row>;
    static constexpr int kSortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    const std::vector<Row>& rows() const { return rows_; }
    const Row* row(int at) const {
        return at < 0 || at >= rowCount() ? nullptr : &rows_[static_cast<std::size_t>(at)];
    }
    // The selection stays if the rows are the same with other values.
    void set_rows(std::vector<Row> rows, bool same_ones = false) {
        if (!same_ones) beginResetModel();
        rows_ = std::move(rows);
        if (!same_ones)
            endResetModel();
        else if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(fields_.size());
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override {
        const Row* shown = index.isValid() ? row(index.row()) : nullptr;
        if (shown == nullptr || index.column() >= columnCount()) return {};
        const Field& field = fields_[static_cast<std::size_t>(index.column())];
        if (role == Qt::DisplayRole) return field.text(*shown);
        if (role == kSortRole) return field.sort(*shown);
        if (role == Qt::TextAlignmentRole) return side(field);
        return look(*shown, index.column(), role);
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
        const Field& field = fields_[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole) return field.name;
        if (role == Qt::ToolTipRole && !field.tip.isEmpty()) return field.tip;
        return role == Qt::TextAlignmentRole ? side(field) : QVariant();
    }

  protected:
    void set_fields(std::vector<Field> fields) { fields_ = std::move(fields); }
    // A column of counts.
    static Field count(const QString& name, const QString& tip, std::function<std::size_t(const Row&)> of) {
        return {name, tip, Qt::AlignRight,
                [of](const Row& row) { return grouped(static_cast<qint64>(of(row))); },
                [of](const Row& row) { return static_cast<qulonglong>(of(row)); }};
    }
    QVariant text(const Row& row, int column) const {
        return fields_[static_cast<std::size_t>(column)].text(row);
    }
    // Colour, font and tip of a cell.
    virtual QVariant look(const Row&, int, int) const { return {}; }

  private:
    static QVariant side(const Field& field) { return static_cast<int>(field.side | Qt::AlignVCenter); }

    std::vector<Field> fields_;
    std::vector<Row> rows_;
};

}  // namespace cubinlab::ui
