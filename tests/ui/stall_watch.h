// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out what holds the GUI thread up: an application that times every event from outside, and a thread
// that takes samples of the GUI thread's stack while one event takes longer than a limit. Limits are of the
// GUI thread's own CPU time: what else the machine does at the same time is not the window's doing. Wall time
// is told beside it, for a thread that waits holds the window up as well.
//
//   WatchedApplication app(argc, argv);
//   app.watch(50);  ... ;  for (const Stall& s : app.stalls()) print(s.cpu_ms, s.wall_ms, s.frames);
#pragma once
#include <QApplication>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace cubinlab::ui::bench {

struct Stall {
    double cpu_ms = 0, wall_ms = 0;
    std::string step;      // of the script, as it was named by mark()
    std::string receiver;  // class and name of who got the event
    int event = 0;         // QEvent::Type
    std::vector<std::string> frames;
};

class WatchedApplication : public QApplication {
  public:
    using QApplication::QApplication;
    ~WatchedApplication() override;

    void watch(int cpu_limit_ms);
    void mark(const std::string& step) { step_ = step; }
    void forget();  // what was seen so far
    const std::vector<Stall>& stalls() const { return stalls_; }
    double longest_cpu_ms() const { return longest_cpu_ms_; }
    double longest_wall_ms() const { return longest_wall_ms_; }

    bool notify(QObject* receiver, QEvent* event) override;

  private:
    std::atomic<std::int64_t> entered_ns_{0};  // CPU time of the GUI thread; 0: idle
    int depth_ = 0;
    int limit_ms_ = 100;
    double longest_cpu_ms_ = 0, longest_wall_ms_ = 0;
    std::string step_;
    std::vector<Stall> stalls_;
    std::jthread watcher_;
};

}  // namespace cubinlab::ui::bench
