// SPDX-License-Identifier: GPL-3.0-or-later
// The element types of workload buffers and their conversion from and to double, round to nearest even.
// f8e4m3 has the OCP "fn" form (no infinities, largest value 448, NaN 0x7f). Out-of-range values saturate in
// f8 types, become infinite in f16/bf16/f32 and are clamped in integer types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cubinlab {

enum class Dtype : std::uint8_t { F16, Bf16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64, F8e4m3, F8e5m2 };
inline constexpr int kDtypeCount = 14;
inline constexpr const char* kDtypeNames = "f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f8e4m3 f8e5m2";
std::size_t size_of(Dtype dtype);  // bytes
const char* to_string(Dtype dtype);
std::optional<Dtype> dtype_from(std::string_view name);
bool is_integer(Dtype dtype);

// Writes size_of(dtype) bytes, little-endian.
void store_element(Dtype dtype, double value, std::byte* to);
void store_integer(Dtype dtype, std::int64_t value, std::byte* to);
double load_element(Dtype dtype, const std::byte* from);

}  // namespace cubinlab
