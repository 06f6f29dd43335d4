// SPDX-License-Identifier: GPL-3.0-or-later
// The starts of a tuning as a table: how each was made, what its code needs, its gain, and how far it was tuned.
#pragma once
#include <optional>

#include "core/tuning/tuning_log.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

// "hot +28.8 %, cold +11.4 %": what fresh processes measured in each cache state; empty: nothing.
QString fresh_text(const TunedStart& start);
// "-O1, other name": of the compiler, without its version.
QString options_text(const TunedStart& start);
// "text" or "43 units moved": the order of the PTX.
QString order_text(const TunedStart& start);

class StartTable : public RowsModel<TunedStart> {
  public:
    enum Column {
        Name,
        Gain,
        Best,
        Fresh,
        Steps,
        Options,
        Order,
        Registers,
        Instructions,
        Local,
        Parent,
        Ptxas,
        ColumnCount
    };

    explicit StartTable(QObject* parent = nullptr);
    // `evaluator`: judged the starts; names the column of gains.
    void set_evaluator(const EvaluatorInfo& evaluator);

  protected:
    QVariant look(const TunedStart& start, int column, int role) const override;

  private:
    void describe();
    std::optional<EvaluatorInfo> evaluator_;
};

}  // namespace cubinlab::ui
