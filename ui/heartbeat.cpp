// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heartbeat.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab::ui {
namespace {
constexpr double kPeriodMs = 10;
}

Heartbeat::Heartbeat(QObject* parent) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(static_cast<int>(kPeriodMs));
    since_.start();
    clock_.start();
    connect(&timer_, &QTimer::timeout, this, [this] {
        const double passed = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
        clock_.start();
        late_ms_.push_back(static_cast<float>(std::max(0.0, passed - kPeriodMs)));
    });
    timer_.start();
}

HeartbeatSummary Heartbeat::summary() const {
    HeartbeatSummary s;
    s.ticks = late_ms_.size();
    s.seconds = static_cast<double>(since_.elapsed()) * 1e-3;
    if (late_ms_.empty()) return s;
    std::vector<float> sorted = late_ms_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double share) {
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    s.p50_ms = at(0.5);
    s.p99_ms = at(0.99);
    s.max_ms = sorted.back();
    s.over_50_ms =
        static_cast<std::size_t>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), 50.0f));
    return s;
}

std::string Heartbeat::json() const {
    const HeartbeatSummary s = summary();
    return fmt::format(
        "{{\"period_ms\": 10, \"seconds\": {:.1f}, \"ticks\": {}, \"late_p50_ms\": {:.2f}, \"late_p99_ms\": "
        "{:.2f}, "
        "\"late_max_ms\": {:.2f}, \"over_50_ms\": {}}}\n",
        s.seconds, s.ticks, s.p50_ms, s.p99_ms, s.max_ms, s.over_50_ms);
}

}  // namespace cubinlab::ui
