// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/starts/start_population.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/search/moves/evolution_strategy.h"

namespace cubinlab {
namespace {

constexpr std::array kSpreads = {2.0, 8.0, 30.0, 120.0};  // of keys, in units
constexpr std::array<std::size_t, 5> kRedrawn = {1, 2, 4, 10, 30};
constexpr std::size_t kParents = 8;
constexpr double kFresh = 0.05, kCrossed = 0.3, kOtherCompiler = 0.05;

std::int16_t drawn_key(Rng& rng, double spread) {
    return static_cast<std::int16_t>(std::clamp(std::round(normal(rng) * spread), -32000.0, 32000.0));
}

}  // namespace

void StartPopulation::sort() {
    std::stable_sort(entries_.begin(), entries_.end(), [](const MeasuredStart& a, const MeasuredStart& b) {
        return a.figure.shrunken() > b.figure.shrunken();
    });
}

void StartPopulation::add(MeasuredStart start) {
    if (start.start.keys.empty()) {
        as_compiled_.resize(space_.compilers.size(), 0.0);
        const std::size_t compiler = compiler_of(start.start);
        if (compiler < as_compiled_.size()) as_compiled_[compiler] = start.figure.shrunken();
    }
    entries_.push_back(std::move(start));
    sort();
    if (entries_.size() > kMost) entries_.pop_back();
}

void StartPopulation::measured_again(StepId step, const Outcome& outcome) {
    const auto entry = std::ranges::find(entries_, step, &MeasuredStart::step);
    if (entry == entries_.end()) return;
    entry->figure.add(outcome);
    if (entry->figure.failed()) entries_.erase(entry);
    sort();
}

// The better of two at random: options that cost much are rarely drawn, but they are, as another order may suit them.
const Start& StartPopulation::compiler() {
    const auto count = static_cast<std::uint32_t>(space_.compilers.size());
    const std::uint32_t a = rng_.below(count), b = rng_.below(count);
    if (as_compiled_.size() != count) return space_.compilers[a];
    return space_.compilers[as_compiled_[a] >= as_compiled_[b] ? a : b];
}

void StartPopulation::redraw(Start& start, std::size_t count) {
    start.keys.resize(space_.units, 0);
    for (std::size_t i = 0; i < count; ++i)
        start.keys[rng_.below(static_cast<std::uint32_t>(space_.units))] =
            drawn_key(rng_, kSpreads[rng_.below(kSpreads.size())]);
}

Start StartPopulation::fresh() {
    Start out = compiler();
    if (space_.units == 0) return out;
    const double spread = kSpreads[rng_.below(kSpreads.size())];
    out.keys.resize(space_.units);
    for (std::int16_t& key : out.keys)
        key = drawn_key(rng_, spread);
    return out;
}

std::size_t StartPopulation::compiler_of(const Start& start) const {
    const auto same = std::ranges::find_if(space_.compilers, [&](const Start& one) {
        return one.options == start.options && one.ptxas == start.ptxas && one.other_name == start.other_name;
    });
    return static_cast<std::size_t>(same - space_.compilers.begin());
}

double StartPopulation::estimate_of(const BredStart& bred) const {
    const auto entry = std::ranges::find(entries_, bred.parent, &MeasuredStart::step);
    if (bred.parent != 0 && entry != entries_.end()) return entry->figure.shrunken();
    const std::size_t compiler = compiler_of(bred.start);
    return compiler < as_compiled_.size() ? as_compiled_[compiler] : 0;
}

BredStart StartPopulation::child(Keys keys) {
    if (entries_.size() < kParents || rng_.chance(kFresh)) return {keys == Keys::Kept ? compiler() : fresh()};
    const MeasuredStart& parent = entries_[rng_.below(kParents)];
    const MeasuredStart& other = entries_[rng_.below(kParents)];
    Start out = parent.start;
    out.cubin = {};
    out.decisions.clear();
    if (space_.units == 0) return {fresh()};
    out.keys.resize(space_.units, 0);
    if (rng_.chance(kCrossed)) {
        std::size_t low = rng_.below(static_cast<std::uint32_t>(space_.units));
        std::size_t high = rng_.below(static_cast<std::uint32_t>(space_.units));
        if (low > high) std::swap(low, high);
        for (std::size_t i = low; i < high; ++i)
            out.keys[i] = i < other.start.keys.size() ? other.start.keys[i] : std::int16_t{0};
    }
    if (keys == Keys::Redrawn) redraw(out, kRedrawn[rng_.below(kRedrawn.size())]);
    if (keys == Keys::Redrawn && rng_.chance(kOtherCompiler)) {
        const Start& made_by = compiler();
        out.ptxas = made_by.ptxas;
        out.options = made_by.options;
        out.other_name = made_by.other_name;
    }
    return {std::move(out), parent.step};
}

}  // namespace cubinlab
