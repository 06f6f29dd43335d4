// SPDX-License-Identifier: GPL-3.0-or-later
// The essential edits of a run, those that matter most first: what each is worth, and the gain of the first N together.
// Selecting a row selects its instruction; the first N edits can be shown as a schedule of their own and exported.
//
//    #  Edit                                        Own effect   Together
//    1  move LDGSTS 0x0a30 before HMMA 0x0980          +3.10 %    +3.10 %
//    2  LDSM 0x0b00: stall 4 -> 1                      +1.02 %    +4.15 %
#pragma once
#include <QWidget>
#include <optional>
#include <vector>

#include "core/search/moves/rank_edits.h"
#include "ui/base/rows_model.h"

class QLabel;
class QSpinBox;
class QTableView;
class QToolButton;

namespace cubinlab::ui {

class FittingLabel;

struct EditRow {
    int rank = 0;  // from 1
    InstrId instr = kNone;
    QString what;
    std::optional<Speedup> own, together;
};

class EditsModel : public RowsModel<EditRow> {
  public:
    enum Column { Rank, What, Own, Together, kColumns };

    explicit EditsModel(QObject* parent = nullptr);
    void set_ranking(const EditRanking& ranking, bool modelled);

  protected:
    QVariant look(const EditRow& row, int column, int role) const override;

  private:
    void name_columns(bool modelled);
};

class EditsPage : public QWidget {
    Q_OBJECT

  public:
    explicit EditsPage(QWidget* parent = nullptr);
    void set_ranking(EditRanking ranking, bool modelled);
    void set_message(const QString& message);  // instead of the table
    const std::optional<EditRanking>& ranking() const { return ranking_; }
    EditsModel* model() const { return model_; }
    QTableView* table() const { return table_; }
    QSpinBox* first() const { return first_; }

  Q_SIGNALS:
    void edit_chosen(quint32 instr);
    // The schedule with the first edits is to be shown on the right, or exported.
    void first_asked(int count, bool to_export);

  private:
    QWidget* build_row();
    void show_first();
    int smallest_with(double share) const;

    std::optional<EditRanking> ranking_;
    bool modelled_ = true;
    EditsModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* message_ = nullptr;
    QWidget* row_ = nullptr;
    QSpinBox* first_ = nullptr;
    FittingLabel* gain_ = nullptr;
    QToolButton* show_ = nullptr;
    QToolButton* export_ = nullptr;
};

}  // namespace cubinlab::ui
