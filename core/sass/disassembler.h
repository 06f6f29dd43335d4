// SPDX-License-Identifier: GPL-3.0-or-later
// Display text of a kernel's instructions, from the first available source: nvdisasm, a stored listing
// (NAME.listing next to NAME.cubin, or the session's), the built-in decoder. The text is for display only. Do
// not call on the GUI thread: nvdisasm takes 0.2 to 3 s.
#pragma once
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/binary/cubin.h"

namespace cubinlab {

enum class ListingSource { Nvdisasm, Stored, BuiltIn };
const char* to_string(ListingSource source);

struct Listing {
    ListingSource source = ListingSource::BuiltIn;
    std::string origin;              // tool path and version, file, or "built-in"
    std::vector<std::string> lines;  // one per instruction, original order, no trailing ";"
    std::string note;                // why a better source was not used
};

struct DisassemblerSettings {
    std::string nvdisasm;         // explicit path; empty: CUBINLAB_NVDISASM, CUDA_HOME, PATH, default folders
    std::filesystem::path cache;  // folder for listings by content hash; empty: XDG cache folder
    bool allow_nvdisasm = true;
    int timeout_ms = 60000;  // for one run of nvdisasm, which is then killed
};

struct NvdisasmInfo {
    std::filesystem::path path;
    std::string version;  // "13.0.85"
};
// Finds nvdisasm; NotFound lists the places that were searched.
Result<NvdisasmInfo> find_nvdisasm(const DisassemblerSettings& settings = {});

Listing list_kernel(const Cubin& cubin, const KernelInfo& kernel, const DisassemblerSettings& settings = {},
                    std::optional<std::string> stored = {}, std::stop_token stop = {});

// Stored listing: a line "cubinlab-listing 1 KERNEL CODEHASH", then one line per instruction,
// "OFFSET<TAB>TEXT" (bytes, hexadecimal). A file may have several kernels. Labels are `(.L_x_OFFSET)`.
std::string write_stored_listing(const KernelInfo& kernel, Hash128 code_hash,
                                 const std::vector<std::string>& lines);
Result<std::vector<std::string>> read_stored_listing(std::string_view text, std::string_view kernel,
                                                     Hash128 code_hash);
std::filesystem::path default_listing_path(const std::filesystem::path& cubin);  // DIR/NAME.listing

}  // namespace cubinlab
