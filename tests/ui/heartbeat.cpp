// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/heartbeat.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace cubinlab::ui {
namespace {
constexpr double kPeriodMs = 10;
constexpr qint64 kMinuteMs = 60000;
}  // namespace

double ms_since_process_start() {
    std::ifstream stat("/proc/self/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 2)));
    std::string skipped;
    double ticks = 0;  // since boot
    for (int i = 3; i < 22; ++i)
        fields >> skipped;
    fields >> ticks;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6 -
           ticks * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double resident_mb() {
    std::ifstream statm("/proc/self/statm");
    double pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

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

void Heartbeat::restart() {
    late_ms_.clear();
    since_.start();
    clock_.start();
    rss_start_mb_ = resident_mb();
    rss_minute_mb_ = 0;
}

void Heartbeat::note(const std::string& name) {
    marks_.emplace(name, ms_since_process_start());
}

void Heartbeat::watch_paint(QWidget* widget, const std::string& name) {
    watched_[widget] = name;
    widget->installEventFilter(this);
}

bool Heartbeat::eventFilter(QObject* watched, QEvent* event) {
    const auto found = event->type() == QEvent::Paint ? watched_.find(watched) : watched_.end();
    if (found != watched_.end()) {
        // Its children are painted in the same go: the picture is there when the event loop is back.
        QTimer::singleShot(0, this, [this, name = found->second] { note(name); });
        watched->removeEventFilter(this);
        watched_.erase(found);
    }
    return QObject::eventFilter(watched, event);
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
    std::string marks;
    for (const auto& [name, ms] : marks_)
        marks += fmt::format(", \"{}_ms\": {:.0f}", name, ms);
    return fmt::format(
        "{{\"period_ms\": 10, \"seconds\": {:.1f}, \"ticks\": {}, \"late_p50_ms\": {:.2f}, \"late_p99_ms\": "
        "{:.2f}, "
        "\"late_max_ms\": {:.2f}, \"over_50_ms\": {}, \"rss_start_mb\": {:.1f}, \"rss_minute_mb\": {:.1f}, "
        "\"rss_end_mb\": {:.1f}{}}}\n",
        s.seconds, s.ticks, s.p50_ms, s.p99_ms, s.max_ms, s.over_50_ms, s.rss_start_mb, s.rss_minute_mb,
        s.rss_end_mb, marks);
}

}  // namespace cubinlab::ui
