// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/curve_store.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubinlab::ui {
namespace {
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
}

double CurveStore::Mean::value() const {
    return remains >= 1 ? kNoValue : sum / (1 - remains);
}

void CurveStore::Mean::add(float value, double weight) {
    if (std::isnan(value)) return;
    sum = weight * sum + (1 - weight) * static_cast<double>(value);
    remains *= weight;
}

void CurveStore::append(StepId step, float value) {
    if (values_.empty()) {
        first_ = step;
    } else if (step <= last_step()) {
        return;
    } else if (steps_.empty() && step != first_ + static_cast<StepId>(values_.size())) {
        for (std::size_t i = 0; i < values_.size(); ++i)
            steps_.push_back(static_cast<std::uint32_t>(first_ + static_cast<StepId>(i)));
        steps_.push_back(static_cast<std::uint32_t>(step));
    } else if (!steps_.empty()) {
        steps_.push_back(static_cast<std::uint32_t>(step));
    }
    values_.push_back(value);
    mean_.add(value, weight_);
    if (values_.size() % kBucket == 0) close_bucket(values_.size() / kBucket - 1);
}

void CurveStore::close_bucket(std::size_t bucket) {
    Summary s{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN(),
              static_cast<float>(mean_.sum), static_cast<float>(mean_.remains)};
    for (std::size_t i = bucket * kBucket; i < (bucket + 1) * kBucket; ++i) {
        s.low = std::fmin(s.low, values_[i]);
        s.high = std::fmax(s.high, values_[i]);
    }
    summaries_.push_back(s);
}

void CurveStore::clear() {
    values_.clear();
    steps_.clear();
    summaries_.clear();
    mean_ = {};
    first_ = 0;
}

void CurveStore::set_smoothing(double weight) {
    weight_ = std::clamp(weight, 0.0, 0.9999);
    mean_ = {};
    for (std::size_t i = 0; i < values_.size(); ++i) {
        mean_.add(values_[i], weight_);
        if ((i + 1) % kBucket != 0) continue;
        summaries_[i / kBucket].sum = static_cast<float>(mean_.sum);
        summaries_[i / kBucket].remains = static_cast<float>(mean_.remains);
    }
}

std::size_t CurveStore::index_of(StepId step) const {
    if (steps_.empty()) {
        if (step <= first_) return 0;
        return std::min(values_.size(), static_cast<std::size_t>(step - first_));
    }
    const auto wanted = static_cast<std::uint32_t>(std::clamp<StepId>(step, 0, 0xffffffffLL));
    return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), wanted) - steps_.begin());
}

CurveStore::Mean CurveStore::state_before(std::size_t bucket) const {
    if (bucket == 0) return {};
    const Summary& s = summaries_[bucket - 1];
    return {static_cast<double>(s.sum), static_cast<double>(s.remains)};
}

double CurveStore::smoothed_at(std::size_t i) const {
    Mean mean = state_before(i / kBucket);
    for (std::size_t k = i / kBucket * kBucket; k <= i; ++k)
        mean.add(values_[k], weight_);
    return mean.value();
}

std::vector<CurvePoint> CurveStore::extremes(StepId from, StepId to, std::size_t columns) const {
    std::vector<CurvePoint> out;
    const std::size_t begin = index_of(from), end = index_of(to + 1);
    if (begin >= end) return out;
    const std::size_t count = end - begin;
    if (columns == 0 || count <= 2 * columns) {
        for (std::size_t i = begin; i < end; ++i)
            if (!std::isnan(values_[i])) out.push_back({double(step_at(i)), double(values_[i])});
        return out;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t first = begin + count * c / columns, last = begin + count * (c + 1) / columns;
        float low = std::numeric_limits<float>::quiet_NaN(), high = low;
        for (std::size_t i = first; i < last;) {
            const bool whole = i % kBucket == 0 && i + kBucket <= last && i / kBucket < summaries_.size();
            low = std::fmin(low, whole ? summaries_[i / kBucket].low : values_[i]);
            high = std::fmax(high, whole ? summaries_[i / kBucket].high : values_[i]);
            i += whole ? kBucket : 1;
        }
        if (std::isnan(low)) continue;
        const auto x = double(step_at((first + last) / 2));
        out.push_back({x, double(low)});
        if (high > low) out.push_back({x, double(high)});
    }
    return out;
}

std::vector<CurvePoint> CurveStore::smoothed(StepId from, StepId to, std::size_t columns) const {
    std::vector<CurvePoint> out;
    const std::size_t begin = index_of(from), end = index_of(to + 1);
    if (begin >= end) return out;
    const std::size_t count = end - begin;
    if (columns == 0 || count <= 2 * columns) {
        Mean mean = state_before(begin / kBucket);
        for (std::size_t i = begin / kBucket * kBucket; i < end; ++i) {
            mean.add(values_[i], weight_);
            if (i >= begin && mean.remains < 1) out.push_back({double(step_at(i)), mean.value()});
        }
        return out;
    }
    for (std::size_t c = 1; c <= columns; ++c) {
        const std::size_t i = begin + count * c / columns - 1;
        const double y = smoothed_at(i);
        if (!std::isnan(y)) out.push_back({double(step_at(i)), y});
    }
    return out;
}

StepId CurveStore::highest(StepId from, StepId to) const {
    StepId best = 0;
    float value = -std::numeric_limits<float>::infinity();
    for (std::size_t i = index_of(from), end = index_of(to + 1); i < end; ++i) {
        if (std::isnan(values_[i]) || values_[i] <= value) continue;
        value = values_[i];
        best = step_at(i);
    }
    return best;
}

std::size_t CurveStore::bytes() const {
    return values_.size() * sizeof(float) + steps_.size() * sizeof(std::uint32_t) +
           summaries_.size() * sizeof(Summary);
}

}  // namespace cubinlab::ui
