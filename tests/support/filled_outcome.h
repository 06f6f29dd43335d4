// SPDX-License-Identifier: GPL-3.0-or-later
// An outcome in which every field holds something, new fields included: whoever carries outcomes must carry it.
#pragma once
#include "core/result/outcome.h"
#include "core/result/outcome_json.h"

namespace cubinlab::test {

class Filler {
  public:
    void operator()(const char*, OutcomeKind& kind) { kind = OutcomeKind::Ok; }
    void operator()(const char*, Verdict& verdict) { verdict = Verdict::Faster; }
    void operator()(const char*, std::string& text) { text = "remark " + std::to_string(++count_); }
    void operator()(const char*, Hash128& hash) { hash = {++count_, ++count_}; }
    void operator()(const char*, std::vector<float>& numbers) { numbers = {0.25f, -0.5f, 0.125f}; }
    void operator()(const char*, std::vector<GpuReading>& readings) {
        readings = {{1980, 41, 310.5f, 0}, {1965, -1, 315, 4}};
    }
    template <class T>
    void operator()(const char*, T& number) {
        // Rising, exact in binary, below 1: an interval, a share and a count stay what they are.
        number = std::is_integral_v<T> ? static_cast<T>(++count_) : static_cast<T>(++count_ / 64.0);
    }

  private:
    unsigned count_ = 0;
};

inline Outcome filled_outcome() {
    Outcome out;
    visit_fields(out, Filler());
    return out;
}

inline std::string text_of(const Outcome& outcome) {
    return outcome_json(outcome, RawSamples::Included).dump();
}

}  // namespace cubinlab::test
