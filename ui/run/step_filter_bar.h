// SPDX-License-Identifier: GPL-3.0-or-later
// A step filter: kind, outcome, accepted, best, instruction. Used by the log and by replay.
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
    // The model resolves a text to instructions.
    explicit StepFilterBar(const MutationModel* model, QWidget* parent = nullptr);
    StepFilter filter() const;
    bool filters() const;       // whether it can exclude a step
    void clear();               // matches all steps
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
