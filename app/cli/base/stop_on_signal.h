// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, SIGTERM, SIGHUP (a terminal or an ssh connection that goes away) and output that nobody takes any
// more become a stop request, so that a run ends with its log flushed and its best exported. A second Ctrl-C,
// or a SIGTERM a second later, ends the process at once (the log is safe: it is committed as it grows).
#pragma once
#include <stop_token>
#include <thread>

namespace cubinlab::cli {

class StopOnSignal {
  public:
    StopOnSignal();  // create before any other thread starts, so that they inherit the blocked signals
    ~StopOnSignal();
    std::stop_token token() const { return source_.get_token(); }

  private:
    std::stop_source source_;
    std::jthread watcher_;
};

}  // namespace cubinlab::cli
