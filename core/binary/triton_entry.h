// SPDX-License-Identifier: GPL-3.0-or-later
// Metadata that Triton stores next to a cubin in its cache: NAME.json (launch parameters) and NAME.ttir
// (signature). __grp__NAME.json is not read: its absolute paths are wrong after the cache moves.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab {

struct TritonParam {
    std::string name;  // "x_ptr"; empty if the text has none
    std::string type;  // "f32", "i32", ...; of a pointer, the type it points to
    bool pointer = false;
    std::uint32_t divisibility = 0;  // tt.divisibility; 0: not given
};

struct TritonEntry {
    std::filesystem::path folder;
    std::string name;  // kernel name
    int num_warps = 0, num_ctas = 1, warp_size = 32, num_stages = 0;
    std::uint32_t shared = 0;                               // dynamic shared memory, bytes
    std::uint64_t global_scratch = 0, profile_scratch = 0;  // bytes per block
    bool cooperative = false, launch_pdl = false;
    std::string arch;                 // "90", from the target
    std::string version;              // version of Triton
    std::vector<TritonParam> params;  // as in the source, without the two scratch pointers at the end
    bool has_signature = false;       // a .ttir exists and was parsed
};

// Reads the metadata of NAME.cubin in a Triton cache; null if there is no valid NAME.json next to it.
std::shared_ptr<const TritonEntry> read_triton_entry(const std::filesystem::path& cubin);
// The parameters of `tt.func public @NAME(...)` in a .ttir file.
std::optional<std::vector<TritonParam>> triton_signature(std::string_view ttir, std::string_view name);

}  // namespace cubinlab
