// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/number_formats.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace cubinlab {
namespace {

struct DtypeFacts {
    const char* name;
    std::size_t bytes;
};
constexpr std::array<DtypeFacts, kDtypeCount> kFacts{{{"f16", 2},
                                                      {"bf16", 2},
                                                      {"f32", 4},
                                                      {"f64", 8},
                                                      {"i8", 1},
                                                      {"u8", 1},
                                                      {"i16", 2},
                                                      {"u16", 2},
                                                      {"i32", 4},
                                                      {"u32", 4},
                                                      {"i64", 8},
                                                      {"u64", 8},
                                                      {"f8e4m3", 1},
                                                      {"f8e5m2", 1}}};

// A binary float with `exponent` and `mantissa` bits below a sign bit.
struct FloatFormat {
    int exponent;
    int mantissa;
    bool saturate;  // clamp to the largest finite value instead of infinity
    bool fn;        // the all-ones exponent has finite values too, NaN is all ones
    int bias() const { return (1 << (exponent - 1)) - 1; }
    std::uint32_t nan() const {
        return fn ? (1u << (exponent + mantissa)) - 1 : infinity() | (1u << (mantissa - 1));
    }
    std::uint32_t infinity() const { return ((1u << exponent) - 1) << mantissa; }
    std::uint32_t largest() const { return fn ? nan() - 1 : infinity() - 1; }
};
constexpr FloatFormat kF16{5, 10, false, false};
constexpr FloatFormat kBf16{8, 7, false, false};
constexpr FloatFormat kE4m3{4, 3, true, true};
constexpr FloatFormat kE5m2{5, 2, true, false};

std::uint32_t encode(const FloatFormat& format, double value) {
    const std::uint32_t sign = std::signbit(value) ? 1u << (format.exponent + format.mantissa) : 0;
    if (std::isnan(value)) return sign | format.nan();
    const std::uint32_t beyond = format.saturate ? format.largest() : format.infinity();
    if (std::isinf(value)) return sign | beyond;
    const auto bits = std::bit_cast<std::uint64_t>(value) & 0x7fffffffffffffffull;
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    if (bits == 0 || exponent < -1022) return sign;
    std::uint64_t significand = (bits & 0xfffffffffffffull) | (1ull << 52);
    int target = exponent + format.bias();
    int drop = 52 - format.mantissa;
    if (target < 1) {  // a subnormal of the target
        drop += 1 - target;
        target = 1;
    }
    if (drop > 63) return sign;
    const std::uint64_t half = 1ull << (drop - 1);
    const std::uint64_t rest = significand & ((1ull << drop) - 1);
    significand >>= drop;
    if (rest > half || (rest == half && (significand & 1))) ++significand;
    // The hidden bit or a carry out of the mantissa increments the exponent field.
    const std::uint64_t out = (static_cast<std::uint64_t>(target - 1) << format.mantissa) + significand;
    return sign | (out > format.largest() ? beyond : static_cast<std::uint32_t>(out));
}

double decode(const FloatFormat& format, std::uint32_t bits) {
    const bool negative = (bits >> (format.exponent + format.mantissa)) & 1;
    const std::uint32_t magnitude = bits & ((1u << (format.exponent + format.mantissa)) - 1);
    const int field = static_cast<int>(magnitude >> format.mantissa);
    const std::uint32_t fraction = magnitude & ((1u << format.mantissa) - 1);
    double value = 0;
    if (format.fn ? magnitude == format.nan() : magnitude > format.infinity()) {
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (!format.fn && magnitude == format.infinity()) {
        value = std::numeric_limits<double>::infinity();
    } else if (field == 0) {
        value = std::ldexp(fraction, 1 - format.bias() - format.mantissa);
    } else {
        value = std::ldexp(fraction + (1u << format.mantissa), field - format.bias() - format.mantissa);
    }
    return negative ? -value : value;
}

template <class T>
void put(T value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
}

template <class T>
T get(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
void put_clamped(double value, std::byte* to) {
    constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
    T out = 0;
    if (value >= high) {
        out = std::numeric_limits<T>::max();
    } else if (value <= low) {
        out = std::numeric_limits<T>::min();
    } else if (!std::isnan(value)) {
        out = static_cast<T>(std::nearbyint(value));
    }
    put(out, to);
}

}  // namespace

std::size_t size_of(Dtype dtype) {
    return kFacts[static_cast<std::size_t>(dtype)].bytes;
}
const char* to_string(Dtype dtype) {
    return kFacts[static_cast<std::size_t>(dtype)].name;
}

std::optional<Dtype> dtype_from(std::string_view name) {
    for (std::size_t i = 0; i < kFacts.size(); ++i)
        if (name == kFacts[i].name) return static_cast<Dtype>(i);
    return std::nullopt;
}

bool is_integer(Dtype dtype) {
    return dtype >= Dtype::I8 && dtype <= Dtype::U64;
}

void store_element(Dtype dtype, double value, std::byte* to) {
    switch (dtype) {
        case Dtype::F16:
            return put(static_cast<std::uint16_t>(encode(kF16, value)), to);
        case Dtype::Bf16:
            return put(static_cast<std::uint16_t>(encode(kBf16, value)), to);
        case Dtype::F8e4m3:
            return put(static_cast<std::uint8_t>(encode(kE4m3, value)), to);
        case Dtype::F8e5m2:
            return put(static_cast<std::uint8_t>(encode(kE5m2, value)), to);
        case Dtype::F32:
            return put(static_cast<float>(value), to);
        case Dtype::F64:
            return put(value, to);
        case Dtype::I8:
            return put_clamped<std::int8_t>(value, to);
        case Dtype::U8:
            return put_clamped<std::uint8_t>(value, to);
        case Dtype::I16:
            return put_clamped<std::int16_t>(value, to);
        case Dtype::U16:
            return put_clamped<std::uint16_t>(value, to);
        case Dtype::I32:
            return put_clamped<std::int32_t>(value, to);
        case Dtype::U32:
            return put_clamped<std::uint32_t>(value, to);
        case Dtype::I64:
            return put_clamped<std::int64_t>(value, to);
        case Dtype::U64:
            return put_clamped<std::uint64_t>(value, to);
    }
}

void store_integer(Dtype dtype, std::int64_t value, std::byte* to) {
    if (dtype == Dtype::I64 || dtype == Dtype::U64) return put(value, to);  // beyond double's 53 bits
    store_element(dtype, static_cast<double>(value), to);
}

double load_element(Dtype dtype, const std::byte* from) {
    switch (dtype) {
        case Dtype::F16:
            return decode(kF16, get<std::uint16_t>(from));
        case Dtype::Bf16:
            return decode(kBf16, get<std::uint16_t>(from));
        case Dtype::F8e4m3:
            return decode(kE4m3, get<std::uint8_t>(from));
        case Dtype::F8e5m2:
            return decode(kE5m2, get<std::uint8_t>(from));
        case Dtype::F32:
            return get<float>(from);
        case Dtype::F64:
            return get<double>(from);
        case Dtype::I8:
            return get<std::int8_t>(from);
        case Dtype::U8:
            return get<std::uint8_t>(from);
        case Dtype::I16:
            return get<std::int16_t>(from);
        case Dtype::U16:
            return get<std::uint16_t>(from);
        case Dtype::I32:
            return get<std::int32_t>(from);
        case Dtype::U32:
            return get<std::uint32_t>(from);
        case Dtype::I64:
            return static_cast<double>(get<std::int64_t>(from));
        case Dtype::U64:
            return static_cast<double>(get<std::uint64_t>(from));
    }
    return 0;
}

}  // namespace cubinlab
