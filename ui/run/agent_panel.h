// SPDX-License-Identifier: GPL-3.0-or-later
// The agent dock: the state of the shown run above its curves.
#pragma once
#include <QWidget>

namespace cubinlab::ui {

class Document;
class RewardChart;
class RunController;
class RunStrip;

class AgentPanel : public QWidget {
    Q_OBJECT

  public:
    AgentPanel(Document* document, RunController* runs, QWidget* parent = nullptr);
    RewardChart* chart() const { return chart_; }
    RunStrip* strip() const { return strip_; }
    QSize sizeHint() const override { return {640, 420}; }

  private:
    RunStrip* strip_ = nullptr;
    RewardChart* chart_ = nullptr;
};

}  // namespace cubinlab::ui
