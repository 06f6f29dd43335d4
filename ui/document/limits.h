// SPDX-License-Identifier: GPL-3.0-or-later
// What limits the shown schedules, as the Kernel dock says it: the explanation of both sides by the SM model,
// and its text with a link for each line that it names ("instr:N").
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
    SchedulePtr schedule;  // the right one: instructions are named by their places there
    QString left_title, right_title;
    std::shared_ptr<const Explanation> left, right;  // the same one where the schedules are equal
    int threads_per_block = 0;
    QString threads_from;
};
using LimitsPtr = std::shared_ptr<const Limits>;

// The explainer of the open kernel, made once for it. For jobs, one at a time.
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

QString reason_name(WaitReason reason, int slot);  // "stall counts", "SB2"
// `narrow`: without the bars, for a dock that has no room for them next to the names.
QString limits_html(const Limits& limits, bool narrow);

}  // namespace cubinlab::ui
