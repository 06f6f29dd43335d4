// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a searcher as bytes, so that an interrupted run goes on without proposing all of its steps again.
// A schedule of the run is stored as the number of its step, a figure not at all: both are read from the log,
// which has checks of its own. Reading trusts nothing: counts are bounded by the bytes that are left, numbers are
// finite, a schedule is proven legal before it is handed out, and a mutation that a searcher keeps is proven where it
// is used. After the first thing that is wrong, everything read is 0 or empty, and done() says what it was.
// The list of its fields serves both ways: core/search/state_fields.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/rng.h"
#include "core/search/run_history.h"
#include "core/search/searcher.h"

namespace cubinlab {

// A schedule of the run that a searcher stands on.
struct Standing {
    Schedule schedule;
    StepId step = 0;
    double log_speedup = 0;  // against the start
    double low = 0;          // lower end of its interval
};

// What is larger is not stored.
inline constexpr std::size_t kMostStateBytes = std::size_t{16} << 20;

class StateWriter {
  public:
    void number(std::uint64_t value);  // 1 to 10 bytes: small ones are short
    void real(double value);
    void flag(bool value) { number(value ? 1 : 0); }
    void text(std::string_view value);
    void hash(const Hash128& value);
    void mutation(const Mutation& value);
    void rng(const Rng& value);
    void standing(const Standing& value) { number(static_cast<std::uint64_t>(value.step)); }
    // With the figure that is believed of it, which the log does not have.
    void estimated(const Standing& value);
    // One that is no step of the run: the way to it from the run's start.
    void schedule(const Schedule& start, const Schedule& value);

    void append(const StateWriter& other) {
        bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    }

    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

class StateReader {
  public:
    // All of them outlive it. `step`: the last that the state knows of.
    StateReader(std::span<const std::byte> bytes, StepId step, const SearchContext& context,
                RunHistory& history)
        : bytes_(bytes), step_(step), context_(context), history_(history) {}

    void same(std::uint64_t form);  // the number that comes next
    std::uint64_t number(std::uint64_t most);
    double real();  // finite
    double real(double least, double most);
    bool flag() { return number(1) != 0; }
    std::string text(std::size_t most);
    Hash128 hash();
    Mutation mutation();
    Rng rng();
    Standing standing();
    Standing estimated();
    StepId step() { return static_cast<StepId>(number(static_cast<std::uint64_t>(step_))); }
    Schedule schedule();
    Schedule after(const Schedule& from, const Mutation& mutation);  // legal
    // Of things that take at least so many bytes each.
    std::size_t count(std::size_t least_bytes, std::size_t most);
    // Runs up to the state's step, as they were logged: words that were tried.
    void each_hash(const std::function<void(const Hash128&)>& take);

    StepId last() const { return step_; }

    void wrong(const std::string& what);  // the first one stays
    bool good() const { return status_.has_value(); }
    // Everything was read, and nothing was wrong. Corrupt: unreadable; else what the log gave.
    Status done();

  private:
    std::span<const std::byte> take(std::size_t size);
    Schedule legal(Result<Schedule> schedule);

    std::span<const std::byte> bytes_;
    StepId step_;
    const SearchContext& context_;
    RunHistory& history_;
    Status status_;
};

}  // namespace cubinlab
