// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out what holds the GUI thread up: an application that times every event from outside, and a thread
// that takes a sample of the GUI thread's stack when one event has taken longer than a limit.
//
//   WatchedApplication app(argc, argv);
//   app.watch(100);  ... ;  for (const Stall& s : app.stalls()) print(s.ms, s.receiver, s.frames);
#pragma once
#include <QApplication>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace cubinlab::ui::bench {

struct Stall {
    double ms = 0;
    std::string step;      // of the script, as it was named by mark()
    std::string receiver;  // class and name of who got the event
    int event = 0;         // QEvent::Type
    std::vector<std::string> frames;
};

class WatchedApplication : public QApplication {
  public:
    using QApplication::QApplication;
    ~WatchedApplication() override;

    void watch(int limit_ms);
    void mark(const std::string& step) { step_ = step; }
    void forget();  // what was seen so far
    const std::vector<Stall>& stalls() const { return stalls_; }
    double longest_ms() const { return longest_ms_; }

    bool notify(QObject* receiver, QEvent* event) override;

  private:
    std::atomic<std::int64_t> entered_ns_{0};  // 0: idle
    int depth_ = 0;
    int limit_ms_ = 100;
    double longest_ms_ = 0;
    std::string step_;
    std::vector<Stall> stalls_;
    std::jthread watcher_;
};

}  // namespace cubinlab::ui::bench
