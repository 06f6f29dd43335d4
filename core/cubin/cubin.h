// SPDX-License-Identifier: GPL-3.0-or-later
// A cubin in memory: every byte as read, plus what we understand of it. Nothing is ever re-serialised: a
// candidate is the original image with byte ranges replaced (see cubin_writer.h), so read + write = same
// file.
//
//   auto cubin = Cubin::open("samples/bmm_mma.cubin");        // shared_ptr<const Cubin>
//   for (const KernelInfo& k : (*cubin)->kernels()) ...
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/sass/arch.h"
#include "core/sass/word.h"

namespace cubinlab {

struct KernelParam {
    std::uint16_t ordinal = 0;
    std::uint16_t offset = 0;  // bytes from the start of the parameter area
    std::uint32_t size = 0;    // bytes
};

// One EIATTR record of .nv.info or .nv.info.KERNEL.
struct InfoAttribute {
    std::uint8_t format = 0;  // 1 none, 2 u8, 3 u16, 4 sized payload
    std::uint8_t code = 0;
    std::uint16_t value = 0;         // value (formats 1..3) or payload size (4)
    std::size_t payload_offset = 0;  // file offset of the payload, bytes
    std::size_t payload_size = 0;    // bytes
};

struct TextRelocation {
    std::size_t entry_offset = 0;  // file offset of the relocation entry (its r_offset comes first)
    std::uint64_t target = 0;      // byte offset inside the kernel's code
    std::uint32_t type = 0;
    std::string symbol;
};

// An indirect branch with its complete list of targets (EIATTR INDIRECT_BRANCH_TARGETS).
struct IndirectBranch {
    std::uint32_t offset = 0;            // code offset of the BRX
    std::vector<std::uint32_t> targets;  // code offsets
};

// A function inside the kernel's code that CALL reaches (symbol of the kernel's section).
struct FunctionEntry {
    std::uint32_t offset = 0;  // code offset of its first word
    std::string name;
};

struct KernelInfo {
    std::string name;
    std::size_t code_offset = 0;      // file offset of the first word, bytes
    std::size_t code_size = 0;        // bytes, a multiple of 16
    int registers = 0;                // per thread
    std::uint32_t static_shared = 0;  // bytes of the kernel's own, without reserved_shared
    std::uint32_t reserved_shared =
        0;                            // bytes that the system takes of every block (1024 on sm_90 and later)
    std::uint32_t local_bytes = 0;    // stack frame per thread (FRAME_SIZE), bytes
    std::uint32_t constant_size = 0;  // size of constant bank 0, bytes
    std::uint32_t param_base = 0;     // offset of the parameters in constant bank 0
    std::uint32_t param_bytes = 0;
    int barriers = 0;                 // named barriers used, 0 if the file does not say
    std::vector<KernelParam> params;  // by ordinal
    std::optional<std::array<std::uint32_t, 3>> required_block;  // REQNTID
    std::optional<std::array<std::uint32_t, 3>> max_threads;     // MAX_THREADS
    bool uses_clusters = false;
    std::optional<std::array<std::uint32_t, 3>> cluster;  // CTA_PER_CLUSTER
    std::vector<InfoAttribute> attributes;                // of .nv.info.NAME, in file order
    std::vector<TextRelocation> relocations;
    std::vector<std::uint32_t>
        indirect_targets;  // code offsets that BRX may reach (INDIRECT_BRANCH_TARGETS, jump tables)
    std::vector<IndirectBranch> indirect_branches;  // those whose targets the file lists completely
    std::vector<FunctionEntry> functions;           // by offset, the kernel's own entry left out
    std::vector<std::uint32_t> exit_offsets;        // EXIT_INSTR_OFFSETS
};

struct SourceLine {            // from .debug_line, where present
    std::uint32_t offset = 0;  // code offset, bytes
    std::uint32_t line = 0;    // 1-based
    std::string file;
};

// What whoever took the bytes out of something larger knows of them.
struct CubinReading {
    std::optional<Arch> stated;  // by the entry of a fatbin, which alone may tell sm_90 from sm_90a
    bool kernels_wanted = true;  // false: a file without kernels is no error
};

class Cubin {
  public:
    static Result<std::shared_ptr<const Cubin>> open(const std::filesystem::path& path);
    static Result<std::shared_ptr<const Cubin>> parse(std::vector<std::byte> bytes, std::string where,
                                                      const CubinReading& how = {});

    std::span<const std::byte> bytes() const { return bytes_; }
    const std::string& where() const { return where_; }  // path or other origin, for messages
    const Arch& arch() const { return arch_; }
    // True for code that the device linker has not seen (-rdc=true, -dc): it can be read, and not loaded.
    bool relocatable() const { return relocatable_; }
    int abi_version() const { return abi_version_; }  // 7: CUDA 12, 8: CUDA 13
    Hash128 file_hash() const { return file_hash_; }
    const std::vector<KernelInfo>& kernels() const { return kernels_; }
    // `name` empty: the only kernel; an error that lists the names if there are several, or if none matches.
    Result<const KernelInfo*> kernel(std::string_view name) const;
    std::vector<Word> code(const KernelInfo& kernel) const;
    // By offset; each holds until the next. From .debug_line (nvcc -lineinfo, -G); empty if there is none or
    // it is damaged. The lines are those of the original order: after a move they belong to the word, not the
    // place.
    std::vector<SourceLine> source_lines(const KernelInfo& kernel) const;

  private:
    friend class CubinParser;
    Cubin() = default;
    std::vector<std::byte> bytes_;
    std::string where_;
    Arch arch_;
    bool relocatable_ = false;
    int abi_version_ = 0;
    Hash128 file_hash_;
    std::vector<KernelInfo> kernels_;
};

}  // namespace cubinlab
