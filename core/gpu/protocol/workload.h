// SPDX-License-Identifier: GPL-3.0-or-later
// How to launch a kernel: NAME.workload.json next to NAME.cubin, described in resources/docs/workloads.md.
// Errors name the field and the expected form: "params[2].buffer.dtype: 'f15' is not one of f16 bf16 ...".
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/binary/triton_entry.h"
#include "core/binary/cubin.h"
#include "core/gpu/protocol/number_formats.h"

namespace cubinlab {

struct InitNormal {
    double mean = 0, std = 1;
};
struct InitUniform {
    double low = 0, high = 1;
};
struct InitConstant {
    double value = 0;
};
struct InitRange {
    double start = 0, step = 1;
};
struct InitIntegers {
    std::int64_t low = 0, high = 1;
};  // inclusive
struct InitFile {
    std::filesystem::path path;
};  // raw bytes, relative to the workload file
using Init = std::variant<InitConstant, InitNormal, InitUniform, InitRange, InitIntegers, InitFile>;

struct BufferParam {
    Dtype dtype = Dtype::F32;
    std::vector<std::uint64_t> shape;
    Init init = InitConstant{};
    bool output = false;  // compared; filled with poison before every checked launch unless `inout`
    bool inout = false;   // also an input: restored before every checked launch
    int alias_of = -1;    // ordinal of the buffer parameter it shares memory with
    std::uint64_t elements() const;
    std::uint64_t bytes() const { return elements() * size_of(dtype); }
};
struct ScalarParam {
    std::string type;              // "i32", "f32", "u64" ...
    std::vector<std::byte> bytes;  // value in device layout
    std::string text;              // as in the file
};
struct RawParam {
    std::vector<std::byte> bytes;
};  // by-value struct
using Param = std::variant<BufferParam, ScalarParam, RawParam>;

struct CheckTolerance {
    double absolute = 0, relative = 0;
};

struct Workload {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamic_shared_bytes = 0;
    std::optional<std::array<std::uint32_t, 3>> cluster;
    bool cooperative = false;
    std::vector<Param> params;
    std::optional<CheckTolerance> tolerance;  // empty: bitwise
    std::string about;
    std::string name;  // of a shape; empty for the workload itself
    std::vector<Workload>
        shapes;  // more launches of the same kernel ("shapes"); their own `shapes` are empty
    // The text of the file. For a shape, or if an input file has a relative path: an equivalent text with
    // absolute paths and without comments.
    std::string json;

    // Limits of the format, for malicious or mistyped files.
    static constexpr std::uint64_t kMaxBufferBytes = 1ull << 36;
    static constexpr std::size_t kMaxParams = 512;

    static Result<Workload> parse(std::string_view json, const std::filesystem::path& beside = {});
    static Result<Workload> load(const std::filesystem::path& path);
    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
    // Kernel name, block size against REQNTID and MAX_THREADS, parameter count and sizes.
    Status validate_against(const KernelInfo& kernel) const;
};

// "DIR/NAME.workload.json" for "DIR/NAME.cubin"; with a kernel name "DIR/NAME.KERNEL.workload.json".
std::filesystem::path default_workload_path(const std::filesystem::path& cubin,
                                            const std::string& kernel = {});
// A commented template from the parameter table of a kernel and from Triton's metadata.
std::string workload_template(const KernelInfo& kernel, const TritonEntry* triton = nullptr);

}  // namespace cubinlab
