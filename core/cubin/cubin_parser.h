// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a Cubin from bytes. Every number of the file is taken as hostile until checked.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/cubin/cubin.h"
#include "core/cubin/elf_image.h"

namespace cubinlab {

class CubinParser {
  public:
    CubinParser(std::vector<std::byte> bytes, std::string where);
    Result<std::shared_ptr<const Cubin>> parse();

  private:
    Status read_arch();
    bool tool_note_says_accelerated() const;
    Status read_kernels();
    Result<KernelInfo> read_kernel(std::size_t text_index, std::size_t symbol_index) const;
    Status read_kernel_attributes(KernelInfo& kernel, std::size_t text_index) const;
    Status apply_attribute(KernelInfo& kernel, const InfoAttribute& attribute) const;
    Status read_global_attributes(KernelInfo& kernel, std::size_t symbol_index) const;
    Status read_relocations(KernelInfo& kernel, std::size_t text_index) const;
    void note_code_address(KernelInfo& kernel, const TextRelocation& r, std::uint64_t base, bool rela) const;
    void read_memory_sizes(KernelInfo& kernel, std::size_t text_index) const;
    void read_jump_tables(KernelInfo& kernel, std::size_t text_index) const;
    void read_functions(KernelInfo& kernel, std::size_t text_index) const;
    std::string about(const std::string& part) const;

    std::shared_ptr<Cubin> cubin_;
    ElfImage elf_;
};

}  // namespace cubinlab
