// SPDX-License-Identifier: GPL-3.0-or-later
// A cubin in memory: all bytes as read, and the parsed contents. Nothing is serialised again: a candidate is
// the original image with some byte ranges replaced (cubin_writer.h), so reading and writing yields the same
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
#include "core/isa/arch.h"
#include "core/isa/word.h"

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
    std::size_t entry_offset = 0;  // file offset of the relocation entry, which begins with r_offset
    std::uint64_t target = 0;      // byte offset inside the kernel's code
    std::uint32_t type = 0;
    std::string symbol;
};

// An indirect branch with its complete list of targets (EIATTR INDIRECT_BRANCH_TARGETS).
struct IndirectBranch {
    std::uint32_t offset = 0;            // code offset of the BRX
    std::vector<std::uint32_t> targets;  // code offsets
};

// A function inside the kernel's code that CALL can reach (a symbol in the kernel's section).
struct FunctionEntry {
    std::uint32_t offset = 0;  // code offset of its first word
    std::string name;
};

struct KernelInfo {
    std::string name;
    std::size_t code_offset = 0;      // file offset of the first word, bytes
    std::size_t code_size = 0;        // bytes, a multiple of 16
    int registers = 0;                // per thread
    std::uint32_t static_shared = 0;  // bytes without reserved_shared
    std::uint32_t reserved_shared =
        0;                            // bytes that the system takes of every block (1024 on sm_90 and later)
    std::uint32_t local_bytes = 0;    // stack frame per thread (FRAME_SIZE), bytes
    std::uint32_t constant_size = 0;  // size of constant bank 0, bytes
    std::uint32_t param_base = 0;     // offset of the parameters in constant bank 0
    std::uint32_t param_bytes = 0;
    int barriers = 0;                                            // named barriers; 0 if the file has no value
    std::vector<KernelParam> params;                             // by ordinal
    std::optional<std::array<std::uint32_t, 3>> required_block;  // REQNTID
    std::optional<std::array<std::uint32_t, 3>> max_threads;     // MAX_THREADS
    bool uses_clusters = false;
    std::optional<std::array<std::uint32_t, 3>> cluster;  // CTA_PER_CLUSTER
    std::vector<InfoAttribute> attributes;                // of .nv.info.NAME, in file order
    std::vector<TextRelocation> relocations;
    std::vector<std::uint32_t>
        indirect_targets;  // code offsets that BRX may reach (INDIRECT_BRANCH_TARGETS, jump tables)
    std::vector<IndirectBranch> indirect_branches;  // indirect branches with a complete target list
    std::vector<FunctionEntry> functions;           // by offset, without the kernel's entry
    std::vector<std::uint32_t> exit_offsets;        // EXIT_INSTR_OFFSETS
};

// A kernel of a file that cannot be used: another kernel has the same name, or it has none.
struct UnusableKernel {
    std::string name;  // may be empty
    std::string why;   // "two kernels have this name"
};

struct SourceLine {            // from .debug_line, if present
    std::uint32_t offset = 0;  // code offset, bytes
    std::uint32_t line = 0;    // 1-based
    std::string file;
};

// Context that the file itself does not have.
struct CubinParseOptions {
    std::optional<Arch> stated_arch;  // from the fatbin entry; only it may distinguish sm_90 from sm_90a
    bool require_kernels = true;      // false: accept a file without kernels
};

class Cubin {
  public:
    static Result<std::shared_ptr<const Cubin>> open(const std::filesystem::path& path);
    static Result<std::shared_ptr<const Cubin>> parse(std::vector<std::byte> bytes, std::string where,
                                                      const CubinParseOptions& options = {});

    std::span<const std::byte> bytes() const { return bytes_; }
    const std::string& where() const { return where_; }  // path or other origin; for messages
    const Arch& arch() const { return arch_; }
    // True for code before device linking (-rdc=true, -dc): it can be viewed but not loaded.
    bool relocatable() const { return relocatable_; }
    int abi_version() const { return abi_version_; }  // 7: CUDA 12, 8: CUDA 13
    Hash128 file_hash() const { return file_hash_; }
    const std::vector<KernelInfo>& kernels() const { return kernels_; }
    // Not in kernels().
    const std::vector<UnusableKernel>& unusable() const { return unusable_; }
    // If `name` is empty, returns the only kernel. The error for no match or several kernels lists the names. Error
    // Refused: the name means a kernel of unusable().
    Result<const KernelInfo*> kernel(std::string_view name) const;
    std::vector<Word> code(const KernelInfo& kernel) const;
    // From .debug_line (nvcc -lineinfo, -G), by offset; each entry is valid up to the next. Empty if there is
    // none or it is damaged. Offsets are those of the original order: after a move, a line belongs to the
    // word, not the position.
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
    std::vector<UnusableKernel> unusable_;
};

}  // namespace cubinlab
