// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search_state.h"

#include <bit>
#include <cmath>

namespace cubinlab {

void StateWriter::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        bytes_.push_back(static_cast<std::byte>(value | 0x80));
    bytes_.push_back(static_cast<std::byte>(value));
}

void StateWriter::real(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
        bytes_.push_back(static_cast<std::byte>(bits >> shift));
}

void StateWriter::text(std::string_view value) {
    number(value.size());
    const auto raw = std::as_bytes(std::span(value.data(), value.size()));
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
}

void StateWriter::hash(const Hash128& value) {
    for (const std::uint64_t word : {value.hi, value.lo})
        real(std::bit_cast<double>(word));
}

void StateWriter::mutation(const Mutation& value) {
    text(value.encode());
}

void StateWriter::rng(const Rng& value) {
    for (const std::uint64_t word : value.state())
        real(std::bit_cast<double>(word));
}

void StateWriter::estimated(const Standing& value) {
    standing(value);
    real(value.log_speedup);
    real(value.low);
}

void StateWriter::schedule(const Schedule& start, const Schedule& value) {
    mutation(difference(start, value));
}

void StateReader::wrong(const std::string& what) {
    if (status_) status_ = fail(ErrorCode::Corrupt, "the stored state of the agent is unreadable: " + what);
}

std::span<const std::byte> StateReader::take(std::size_t size) {
    if (size > bytes_.size()) wrong("it ends too early");
    if (!good()) return {};
    const auto out = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return out;
}

std::uint64_t StateReader::number(std::uint64_t most) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto one = take(1);
        if (one.empty()) return 0;
        const auto byte = std::to_integer<std::uint64_t>(one[0]);
        if (shift == 63 && byte > 1) break;
        value |= (byte & 0x7f) << shift;
        if ((byte & 0x80) != 0) continue;
        if (value <= most) return value;
        break;
    }
    wrong("a number is out of its range");
    return 0;
}

void StateReader::same(std::uint64_t form) {
    if (number(~std::uint64_t{0}) != form) wrong("it is of another version of the agent");
}

namespace {

std::uint64_t word_of(std::span<const std::byte> bytes) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    return bits;
}

}  // namespace

double StateReader::real() {
    const double value = std::bit_cast<double>(word_of(take(8)));
    if (good() && std::isfinite(value)) return value;
    wrong("a figure is no number");
    return 0;
}

double StateReader::real(double least, double most) {
    const double value = real();
    if (good() && value >= least && value <= most) return value;
    wrong("a figure is out of its range");
    return 0;
}

std::string StateReader::text(std::size_t most) {
    const auto size = static_cast<std::size_t>(number(most));
    const auto raw = take(size);
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

Hash128 StateReader::hash() {
    const std::uint64_t hi = word_of(take(8));
    return {hi, word_of(take(8))};
}

Mutation StateReader::mutation() {
    constexpr std::size_t kLongest = 1 << 20;
    const std::string encoded = text(kLongest);
    if (encoded.empty()) return {};
    auto value = Mutation::decode(encoded);
    if (value) return std::move(*value);
    wrong(value.error().what);
    return {};
}

Rng StateReader::rng() {
    std::array<std::uint64_t, 4> state{};
    std::uint64_t any = 0;
    for (std::uint64_t& word : state)
        any |= word = word_of(take(8));
    if (any == 0) wrong("its random numbers have no state");  // they would be zeroes for ever
    Rng out(0);
    if (good()) out.set_state(state);
    return out;
}

Schedule StateReader::legal(Result<Schedule> schedule) {
    if (!good()) return context_.start;
    if (!schedule)
        status_ = fail(schedule.error());
    else if (!context_.checker->legal(*schedule))
        wrong("it stands on a schedule that is not legal");
    else
        return std::move(*schedule);
    return context_.start;
}

Standing StateReader::standing() {
    const StepId at = step();
    Standing out{context_.start, at, 0, 0};
    if (!good() || at == 0) return out;
    auto record = history_.steps_at({&at, 1});
    if (!record) status_ = fail(record.error());
    if (record && (record->empty() || !record->front().outcome.ok()))
        wrong("it stands on a step that did not run");
    if (!good()) return out;
    out.log_speedup = record->front().outcome.log_speedup;
    out.low = record->front().outcome.low;
    out.schedule = legal(history_.schedule_at(at));
    return out;
}

Standing StateReader::estimated() {
    Standing out = standing();
    out.log_speedup = real();
    out.low = real();
    return out;
}

Schedule StateReader::schedule() {
    const Mutation way = mutation();
    return after(context_.start, way);
}

Schedule StateReader::after(const Schedule& from, const Mutation& mutation) {
    return good() ? legal(mutation.applied(from)) : context_.start;
}

std::size_t StateReader::count(std::size_t least_bytes, std::size_t most) {
    const auto value = static_cast<std::size_t>(number(most));
    if (value * least_bytes <= bytes_.size()) return value;
    wrong("it ends too early");
    return 0;
}

void StateReader::each_hash(const std::function<void(const Hash128&)>& take) {
    if (!good()) return;
    if (auto read = history_.each_hash(step_, take); !read) status_ = read;
}

Status StateReader::done() {
    if (!bytes_.empty()) wrong("it goes on after its end");
    return status_;
}

}  // namespace cubinlab
