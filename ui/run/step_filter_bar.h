// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps are meant: kind, outcome, accepted, best, instruction. One strip for the log and for replay.
#pragma once
#include <QWidget>

#include "ui/run/step_index.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace cubinlab::ui {

class FlowLayout;
class MutationModel;

class StepFilterBar : public QWidget {
    Q_OBJECT

  public:
    // The model knows which instructions a text means.
    explicit StepFilterBar(const MutationModel* model, QWidget* parent = nullptr);
    StepFilter filter() const;
    bool filters() const;       // whether any step may be left out
    void clear();               // all steps are meant
    void add(QWidget* widget);  // at the end of the strip

  Q_SIGNALS:
    void changed();

  private:
    const MutationModel* model_;
    FlowLayout* row_ = nullptr;
    QComboBox* kind_ = nullptr;
    QComboBox* outcome_ = nullptr;
    QCheckBox* accepted_ = nullptr;
    QCheckBox* best_ = nullptr;
    QLineEdit* instr_ = nullptr;
};

}  // namespace cubinlab::ui
