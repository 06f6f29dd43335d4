// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heartbeat.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace cubinlab::ui {
namespace {
constexpr double kPeriodMs = 10;
constexpr qint64 kMinuteMs = 60000;

double resident_mb() {
    std::ifstream statm("/proc/self/statm");
    double pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

Heartbeat::Heartbeat(QObject* parent) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(static_cast<int>(kPeriodMs));
    since_.start();
    rss_start_mb_ = resident_mb();
    clock_.start();
    connect(&timer_, &QTimer::timeout, this, [this] {
        const double passed = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
        clock_.start();
        if (rss_minute_mb_ == 0 && since_.elapsed() > kMinuteMs) rss_minute_mb_ = resident_mb();
        late_ms_.push_back(static_cast<float>(std::max(0.0, passed - kPeriodMs)));
    });
    timer_.start();
}

HeartbeatSummary Heartbeat::summary() const {
    HeartbeatSummary s;
    s.ticks = late_ms_.size();
    s.seconds = static_cast<double>(since_.elapsed()) * 1e-3;
    s.rss_start_mb = rss_start_mb_;
    s.rss_minute_mb = rss_minute_mb_;
    s.rss_end_mb = resident_mb();
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
        "\"late_max_ms\": {:.2f}, \"over_50_ms\": {}, \"rss_start_mb\": {:.1f}, \"rss_minute_mb\": {:.1f}, "
        "\"rss_end_mb\": {:.1f}}}\n",
        s.seconds, s.ticks, s.p50_ms, s.p99_ms, s.max_ms, s.over_50_ms, s.rss_start_mb, s.rss_minute_mb,
        s.rss_end_mb);
}

}  // namespace cubinlab::ui
