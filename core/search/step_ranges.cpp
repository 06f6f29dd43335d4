// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/step_ranges.h"

#include <algorithm>

namespace cubinlab {

bool StepRanges::contains(StepId step) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), step,
                                        [](StepId s, const Range& range) { return s < range.first; });
    return after != ranges_.begin() && std::prev(after)->last >= step;
}

void StepRanges::add(StepId step) {
    if (step <= 0 || contains(step)) return;
    if (!ranges_.empty() && ranges_.back().last + 1 == step) {
        ranges_.back().last = step;
        return;
    }
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), step,
                                        [](StepId s, const Range& range) { return s < range.first; });
    ranges_.insert(after, {step, step});
}

// Each as its distance from the one before and its length, which are small.
void StepRanges::write(StateWriter& out) const {
    out.number(ranges_.size());
    StepId before = 0;
    for (const Range& range : ranges_) {
        out.number(static_cast<std::uint64_t>(range.first - before));
        out.number(static_cast<std::uint64_t>(range.last - range.first));
        before = range.last;
    }
}

void StepRanges::read(StateReader& in) {
    ranges_.clear();
    StepId before = 0;
    for (std::size_t left = in.count(2, kMostStateBytes); left > 0 && in.good(); --left) {
        const StepId first = before + in.step();
        const StepId last = first + in.step();
        if (first <= before || last > in.last()) in.wrong("its steps are not in order");
        ranges_.push_back({first, last});
        before = last;
    }
}

std::unordered_set<Hash128> StepRanges::words(StateReader& in) const {
    std::unordered_set<Hash128> out;
    StepId step = 0;
    auto range = ranges_.begin();
    in.each_hash([&](const Hash128& hash) {
        ++step;
        while (range != ranges_.end() && range->last < step)
            ++range;
        if (range != ranges_.end() && range->first <= step) out.insert(hash);
    });
    return out;
}

}  // namespace cubinlab
