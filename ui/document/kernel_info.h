// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of the open kernel: architecture, resources, parameters, instruction mix, where occupancy steps, and
// what the shown schedules cost in stall counts.
#pragma once
#include <QTextBrowser>
#include <optional>

#include "ui/document/kernel_facts.h"

namespace cubinlab::ui {

class KernelInfoPanel : public QTextBrowser {
    Q_OBJECT

  public:
    explicit KernelInfoPanel(Document* document, QWidget* parent = nullptr);
    explicit KernelInfoPanel(QWidget* parent = nullptr);
    void set_facts(const std::optional<KernelFacts>& facts);

    QSize sizeHint() const override { return {340, 420}; }

  private:
    void build();
    std::optional<KernelFacts> facts_;
};

}  // namespace cubinlab::ui
