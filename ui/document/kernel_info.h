// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernel dock: the bottleneck of the shown schedules (limits.h), with links to the instructions, then the
// facts of the kernel: architecture, resources, parameters, instruction mix, occupancy steps, stall counts.
#pragma once
#include <QTextBrowser>
#include <QTimer>
#include <optional>

#include "ui/document/kernel_facts.h"
#include "ui/document/limits.h"

namespace cubinlab::ui {

class JobRunner;
class Selection;

class KernelInfoPanel : public QTextBrowser {
    Q_OBJECT

  public:
    KernelInfoPanel(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);
    explicit KernelInfoPanel(QWidget* parent = nullptr);
    void set_facts(const std::optional<KernelFacts>& facts);
    void set_limits(LimitsPtr limits);
    const LimitsPtr& limits() const { return limits_; }

    QSize sizeHint() const override { return {340, 420}; }

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void show_all();
    void facts_stale();
    void gather();
    void limits_stale();
    void request_limits();
    std::optional<KernelFacts> facts_;
    Document* document_ = nullptr;
    JobRunner* jobs_ = nullptr;
    LimitsPtr limits_;
    std::shared_ptr<KernelExplainer> explainer_;
    QTimer facts_timer_, limits_timer_;
    bool facts_wanted_ = false, limits_wanted_ = false;
    bool narrow_ = false;
};

}  // namespace cubinlab::ui
