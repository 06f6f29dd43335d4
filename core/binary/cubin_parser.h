// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a Cubin from bytes. Every number in the file is checked before use.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/binary/cubin.h"
#include "core/binary/elf_image.h"

namespace cubinlab {

class CubinParser {
  public:
    CubinParser(std::vector<std::byte> bytes, std::string where, const CubinParseOptions& options);
    Result<std::shared_ptr<const Cubin>> parse();

  private:
    // The sections and symbols that belong to one code section. Collected once, so that the time for a file
    // with many kernels is linear in its size. Indices into elf_.sections and elf_.symbols.
    struct Parts {
        std::vector<std::uint32_t> sections;   // whose sh_info is the section
        std::vector<std::uint32_t> functions;  // symbols
    };
    struct GlobalFacts {  // from .nv.info, by symbol
        std::optional<int> registers;
        std::optional<std::uint32_t> frame;
    };

    void gather_parts();
    Status read_global_attributes();
    Status read_arch();
    bool tool_note_says_accelerated() const;
    Result<std::vector<std::size_t>> usable_entries();  // indices into elf_.symbols
    Status read_kernels();
    Result<KernelInfo> read_kernel(std::size_t text_index, std::size_t symbol_index);
    Status read_kernel_attributes(KernelInfo& kernel, std::size_t text_index) const;
    Status apply_attribute(KernelInfo& kernel, const InfoAttribute& attribute) const;
    Status read_relocations(KernelInfo& kernel, std::size_t text_index);
    Status check_params(const KernelInfo& kernel) const;
    void note_code_address(KernelInfo& kernel, const ElfRelocation& r, std::uint64_t base) const;
    void read_memory_sizes(KernelInfo& kernel, std::size_t text_index) const;
    Status read_jump_tables(KernelInfo& kernel, std::size_t text_index);
    void read_functions(KernelInfo& kernel, std::size_t text_index) const;
    std::string about(const std::string& part) const;

    std::shared_ptr<Cubin> cubin_;
    CubinParseOptions options_;
    ElfImage elf_;
    std::vector<Parts> parts_;  // by section
    std::unordered_map<std::uint32_t, GlobalFacts> global_;
    std::size_t name_bytes_left_ = 0;      // of symbol names that may still be copied into relocations
    std::size_t constant_bytes_left_ = 0;  // of jump tables that may still be read
};

}  // namespace cubinlab
