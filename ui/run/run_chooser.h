// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the open session, hand edits included. Choosing one shows its curves, log and steps.
#pragma once
#include "ui/base/eliding_combo.h"

namespace cubinlab::ui {

class RunController;

class RunChooser : public ElidingCombo {
    Q_OBJECT

  public:
    explicit RunChooser(RunController* runs, QWidget* parent = nullptr);

  Q_SIGNALS:
    void count_changed(int runs);

  private:
    void fill();
    void mark_shown();

    RunController* runs_;
};

}  // namespace cubinlab::ui
