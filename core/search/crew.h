// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that stay for a whole run: what the checker knows of a schedule it keeps by thread, and a fresh thread has to
// work it out anew.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cubinlab {

// One thread, one task at a time.
class Aide {
  public:
    Aide();
    ~Aide();
    Aide(const Aide&) = delete;
    Aide& operator=(const Aide&) = delete;

    void start(std::function<void()> task);  // after wait()
    void wait();                             // until it is done; throws what the task threw

  private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::function<void()> task_;
    bool busy_ = false;
    std::exception_ptr thrown_;
    std::jthread thread_;
};

// Shares the turns of a loop.
class Crew {
  public:
    explicit Crew(std::size_t threads) : mates_(threads) {}
    // As many threads as a run may take on this machine beside its own, its worker and the window.
    static std::size_t usual();
    std::size_t threads() const { return mates_.size(); }  // beside the caller's
    // turn(i) for each i below `count`, in any order, on the caller's thread and those of the crew's that no other caller has
    // (two runs at once share them); back when all are done. Throws what a turn threw.
    void run(std::size_t count, const std::function<void(std::size_t)>& turn);

  private:
    struct Mate {
        std::atomic<bool> taken{false};
        Aide aide;
    };
    std::vector<Mate> mates_;
};

// The program's.
Crew& crew();

}  // namespace cubinlab
