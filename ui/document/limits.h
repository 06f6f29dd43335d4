// SPDX-License-Identifier: GPL-3.0-or-later
// The bottleneck of the shown schedules: the SM model's explanation of both sides, and its text with a link
// for each instruction ("instr:N").
#pragma once
#include <QString>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/model/explanation.h"
#include "ui/document/document.h"

namespace cubinlab::ui {

struct Limits {
    KernelPtr kernel;
    SchedulePtr schedule;  // the right one; instructions are named by their positions in it
    QString left_title, right_title;
    std::shared_ptr<const Explanation> left, right;  // the same pointer if the schedules are equal
    int threads_per_block = 0;
    QString threads_from;
};
using LimitsPtr = std::shared_ptr<const Limits>;

// The explainer of the open kernel, created once. For use in one job at a time.
class KernelExplainer {
  public:
    const Explainer& of(const KernelPtr& kernel, const std::optional<Workload>& workload);
    int threads_per_block() const { return threads_; }
    const QString& threads_from() const { return threads_from_; }

  private:
    KernelPtr kernel_;
    std::string launch_;  // text of the workload
    int threads_ = 0;
    QString threads_from_;
    std::unique_ptr<Explainer> explainer_;
};

LimitsPtr make_limits(KernelExplainer& explainer, const SchedulePtr& left, const SchedulePtr& right,
                      const std::optional<Workload>& workload, std::stop_token stop);

// First instruction of the hot loop, by the model's trip counts; kNone: no loop with work in it.
InstrId hot_loop_start(const Kernel& kernel, const std::optional<Workload>& workload);
QString reason_name(WaitReason reason, int slot);  // "stall counts", "SB2"
// `narrow`: without bars.
QString limits_html(const Limits& limits, bool narrow);

}  // namespace cubinlab::ui
