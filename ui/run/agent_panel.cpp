// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/agent_panel.h"

#include <QVBoxLayout>

#include "ui/base/tab_order.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_strip.h"

namespace cubinlab::ui {

AgentPanel::AgentPanel(Document* document, RunController* runs, QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Agent"));
    strip_ = new RunStrip(runs);
    chart_ = new RewardChart(document, runs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip_);
    column->addWidget(chart_, 1);
    setFocusProxy(chart_);
    tab_as_laid_out(*this);  // the proxy put the curves before their tools
}

}  // namespace cubinlab::ui
