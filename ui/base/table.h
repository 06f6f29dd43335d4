// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables of the window have in common.
#pragma once
#include <QStandardItem>
#include <QTableView>
#include <vector>

class QLineEdit;

namespace cubinlab::ui {

// Selects single rows; Tab leaves the table. `padding`: pixels above and below the text of a row together, at
// any text size; 0: default of the style.
QTableView* new_table(QWidget* parent, const QString& accessible, QAbstractItemModel* model, int padding);

// Up, Down and the page keys pressed in `field`, a filter of the table, move the table's selection.
void give_arrows(QLineEdit* field, QTableView* table);

// Makes each column at least as wide as its header, and rescales it when the text size changes.
void widen_to_heads(QTableView* table);

// The same, with these initial widths at the desktop's text size.
void set_column_widths(QTableView* table, const std::vector<int>& pixels);

// This column gets the remaining width, at least its header and a few words. If that is not enough, the
// columns in `may_be_cut` shrink to their headers and one word; only then the table scrolls horizontally.
void stretch_column(QTableView* table, int column, const std::vector<int>& may_be_cut = {});

// Widens the columns so that their current values are not cut (numbers).
void fit_to_contents(QTableView* table, const std::vector<int>& columns);

QStandardItem* new_cell(const QString& text, bool number = false);  // the tooltip is the text

}  // namespace cubinlab::ui
