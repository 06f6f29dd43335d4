// SPDX-License-Identifier: GPL-3.0-or-later
// How late the GUI thread is: a 10 ms timer that notes by how much each tick comes late. The log is one JSON
// document; the figures are what "the window stays responsive" means. It also notes, in milliseconds since
// the process was started by the system, when named widgets were first painted ("window", "listing").
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

class QWidget;

namespace cubinlab::ui {

struct HeartbeatSummary {
    std::size_t ticks = 0;
    double p50_ms = 0, p99_ms = 0, max_ms = 0;  // lateness
    std::size_t over_50_ms = 0;
    double seconds = 0;
    double rss_start_mb = 0, rss_minute_mb = 0, rss_end_mb = 0;  // resident memory; minute: after the first
};

class Heartbeat : public QObject {
  public:
    explicit Heartbeat(QObject* parent = nullptr);
    HeartbeatSummary summary() const;
    std::string json() const;
    void restart();  // forgets the ticks so far (start-up is not what a run is judged by)

    // Notes when `widget` has been painted for the first time from now on.
    void watch_paint(QWidget* widget, const std::string& name);
    void note(const std::string& name);                                    // now
    const std::map<std::string, double>& marks() const { return marks_; }  // ms since the process started

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QTimer timer_;
    QElapsedTimer clock_;
    QElapsedTimer since_;
    std::vector<float> late_ms_;
    double rss_start_mb_ = 0, rss_minute_mb_ = 0;
    std::map<std::string, double> marks_;
    std::map<QObject*, std::string> watched_;
};

double resident_mb();             // of this process
double ms_since_process_start();  // resolution 10 ms: the kernel's clock tick

}  // namespace cubinlab::ui
