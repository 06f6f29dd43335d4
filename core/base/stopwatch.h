// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>

namespace cubinlab {

// Adds the duration of its scope to a sum, in seconds.
class Stopwatch {
  public:
    explicit Stopwatch(double& into) : into_(into), start_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        into_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& into_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace cubinlab
