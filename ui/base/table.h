// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables of the window have in common.
#pragma once
#include <QStandardItem>
#include <QTableView>
#include <vector>

namespace cubinlab::ui {

// Its rows are chosen, one at a time; Tab leaves it. `padding`: of a row, above and below its text together, whatever the
// size of the text; 0: as the style has it.
QTableView* new_table(QWidget* parent, const QString& accessible, QAbstractItemModel* model, int padding);

// Each column at least as wide as its head: a width that suits the values cuts longer words
// or larger text. Where the text grows or shrinks, so does the column.
void widen_to_heads(QTableView* table);

// The same, after the first columns got these widths: of the desktop's size of text.
void set_column_widths(QTableView* table, const std::vector<int>& pixels);

// It has what the others leave, but never less than its head and a few words: then those of the others that
// `may_be_cut` give way, down to their heads and a word, and only then the table scrolls sideways.
void stretch_column(QTableView* table, int column, const std::vector<int>& may_be_cut = {});

// Numbers and the like are seen whole, whatever stands in them now.
void fit_to_contents(QTableView* table, const std::vector<int>& columns);

QStandardItem* new_cell(const QString& text, bool number = false);  // its tip is its text

}  // namespace cubinlab::ui
