// SPDX-License-Identifier: GPL-3.0-or-later
// How late the GUI thread is: a 10 ms timer that notes by how much each tick comes late. The log is one JSON
// document; the figures are what "the window stays responsive" means.
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <string>
#include <vector>

namespace cubinlab::ui {

struct HeartbeatSummary {
    std::size_t ticks = 0;
    double p50_ms = 0, p99_ms = 0, max_ms = 0;  // lateness
    std::size_t over_50_ms = 0;
    double seconds = 0;
    double rss_start_mb = 0, rss_minute_mb = 0, rss_end_mb = 0;  // resident memory; minute: after the first
};

class Heartbeat : public QObject {
    Q_OBJECT

  public:
    explicit Heartbeat(QObject* parent = nullptr);
    HeartbeatSummary summary() const;
    std::string json() const;

  private:
    QTimer timer_;
    QElapsedTimer clock_;
    QElapsedTimer since_;
    std::vector<float> late_ms_;
    double rss_start_mb_ = 0, rss_minute_mb_ = 0;
};

}  // namespace cubinlab::ui
