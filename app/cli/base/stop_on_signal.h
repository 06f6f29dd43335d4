// SPDX-License-Identifier: GPL-3.0-or-later
// Turns Ctrl-C, SIGTERM, SIGHUP (a closed terminal or ssh connection) and closed output into a stop request,
// so that a run flushes its log and exports its best schedule. A second Ctrl-C, or a SIGTERM a second later,
// ends the process at once; the steps committed so far are safe.
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
