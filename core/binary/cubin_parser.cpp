// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/cubin_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/binary/eiattr.h"

namespace cubinlab {
namespace {

constexpr std::uint8_t kSymbolFunction = 2;
constexpr std::uint8_t kOtherEntry = 0x10;       // STO_CUDA_ENTRY
constexpr std::size_t kMaxCodeSize = 64u << 20;  // bytes; far above any real kernel
constexpr std::size_t kMaxParamBytes = 1u << 16;
constexpr std::uint32_t kReservedShared = 1024;  // bytes a block, sm_90 and later

bool known_arch(int sm) {
    static constexpr int kKnown[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
    return std::find(std::begin(kKnown), std::end(kKnown), sm) != std::end(kKnown);
}

bool is_code_offset(std::uint32_t value, const KernelInfo& kernel) {
    return value % kWordBytes == 0 && value < kernel.code_size;
}

}  // namespace

CubinParser::CubinParser(std::vector<std::byte> bytes, std::string where, const CubinParseOptions& options)
    : cubin_(new Cubin), options_(options) {
    cubin_->bytes_ = std::move(bytes);
    cubin_->where_ = std::move(where);
}

std::string CubinParser::about(const std::string& part) const {
    return cubin_->where_.empty() ? part : cubin_->where_ + ": " + part;
}

Result<std::shared_ptr<const Cubin>> CubinParser::parse() {
    elf_ = TRY(ElfImage::read(cubin_->bytes_, cubin_->where_));
    name_bytes_left_ = constant_bytes_left_ = 4 * cubin_->bytes_.size();
    TRY(read_arch());
    gather_parts();
    TRY(read_global_attributes());
    TRY(read_kernels());
    cubin_->file_hash_ = hash_bytes(cubin_->bytes_);
    return std::shared_ptr<const Cubin>(std::move(cubin_));
}

// ABI 7 (CUDA 12) has the SM number in the low byte of e_flags and the 'a' in bit 11. ABI 8 (CUDA 13) has the
// number in bits 8..15 and no bit for the 'a', but its tool note has the command line of ptxas.
Status CubinParser::read_arch() {
    constexpr std::uint16_t kRelocatable = 1;
    cubin_->abi_version_ = elf_.abi_version;
    cubin_->relocatable_ = load<std::uint16_t>(cubin_->bytes_, 16) == kRelocatable;
    Arch& arch = cubin_->arch_;
    if (elf_.abi_version >= 8) {
        arch.sm = static_cast<int>(elf_.flags >> 8 & 0xff);
        arch.accelerated = tool_note_says_accelerated();
    } else {
        arch.sm = static_cast<int>(elf_.flags & 0xff);
        arch.accelerated = arch.sm >= 90 && (elf_.flags & 0x800) != 0;
    }
    // A stated architecture that contradicts the code is ignored: an entry may have code for an older one.
    if (options_.stated_arch && options_.stated_arch->sm == arch.sm) {
        arch.accelerated = options_.stated_arch->accelerated;
        arch.family = options_.stated_arch->family;
    }
    if (arch.sm > 0 && arch.sm < 70)
        return fail(
            ErrorCode::Unsupported,
            fmt::format(
                "is for sm_{}, whose instruction encoding is another one; sm_75 and later can be opened",
                arch.sm),
            cubin_->where_);
    if (!known_arch(arch.sm))
        return fail(ErrorCode::Unsupported,
                    fmt::format("is for an unknown architecture (e_flags {:#x}, ABI {})",
                                elf_.flags, elf_.abi_version),
                    cubin_->where_);
    return {};
}

bool CubinParser::tool_note_says_accelerated() const {
    const ElfSection* note = elf_.find(".note.nv.tkinfo");
    if (!note || note->bytes.empty()) return false;
    const std::string_view text(reinterpret_cast<const char*>(note->bytes.data()), note->bytes.size());
    const std::string wanted = fmt::format("-arch sm_{}a", cubin_->arch_.sm);
    const std::size_t at = text.find(wanted);
    if (at == std::string_view::npos) return false;
    const std::size_t end = at + wanted.size();
    return end >= text.size() || text[end] == ' ' || text[end] == '\0';
}

void CubinParser::gather_parts() {
    parts_.resize(elf_.sections.size());
    for (std::uint32_t i = 1; i < elf_.sections.size(); ++i)
        if (const std::uint32_t owner = elf_.sections[i].info; owner != 0 && owner < parts_.size())
            parts_[owner].sections.push_back(i);
    for (std::uint32_t i = 0; i < elf_.symbols.size(); ++i)
        if (const ElfSymbol& symbol = elf_.symbols[i];
            symbol.type == kSymbolFunction && symbol.section != 0 && symbol.section < parts_.size())
            parts_[symbol.section].functions.push_back(i);
}

// The entries that a name identifies. The others are reported, and the other kernels of the file stay usable.
Result<std::vector<std::size_t>> CubinParser::usable_entries() {
    std::vector<std::size_t> entries;
    std::unordered_map<std::string_view, std::size_t> names;
    std::unordered_map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < elf_.symbols.size(); ++i) {
        const ElfSymbol& symbol = elf_.symbols[i];
        if (symbol.type != kSymbolFunction || (symbol.other & kOtherEntry) == 0) continue;
        if (symbol.section == 0) continue;
        if (symbol.section >= elf_.sections.size())
            return fail(ErrorCode::BadInput, "kernel symbol names a section that does not exist",
                        about(std::string(symbol.name)));
        entries.push_back(i);
        ++names[symbol.name];
        ++places[symbol.section];
    }
    std::unordered_set<std::string> reported;
    std::erase_if(entries, [&](std::size_t i) {
        const ElfSymbol& symbol = elf_.symbols[i];
        const std::size_t of_name = names[symbol.name], of_place = places[symbol.section];
        if (!symbol.name.empty() && of_name == 1 && of_place == 1) return false;
        UnusableKernel bad{std::string(symbol.name),
                           symbol.name.empty() ? "a kernel has no name"
                           : of_name > 1       ? fmt::format("{} kernels have this name", of_name)
                                               : "another kernel has the same code section"};
        if (reported.insert(bad.name).second) cubin_->unusable_.push_back(std::move(bad));
        return true;
    });
    return entries;
}

Status CubinParser::read_kernels() {
    const std::vector<std::size_t> entries = TRY(usable_entries());
    for (const std::size_t i : entries) {
        auto kernel = TRY(read_kernel(elf_.symbols[i].section, i));
        cubin_->kernels_.push_back(std::move(kernel));
    }
    if (cubin_->kernels_.empty() && !cubin_->unusable_.empty())
        return fail(ErrorCode::BadInput, "contains no usable kernel: " + cubin_->unusable_.front().why,
                    about(cubin_->unusable_.front().name));
    if (cubin_->kernels_.empty() && options_.require_kernels)
        return fail(ErrorCode::BadInput, "contains no kernel (no entry function with code)", cubin_->where_);
    std::sort(cubin_->kernels_.begin(), cubin_->kernels_.end(),
              [](const KernelInfo& a, const KernelInfo& b) { return a.code_offset < b.code_offset; });
    return {};
}

Result<KernelInfo> CubinParser::read_kernel(std::size_t text_index, std::size_t symbol_index) {
    const ElfSection& text = elf_.sections[text_index];
    KernelInfo kernel;
    kernel.name = elf_.symbols[symbol_index].name;
    auto bad = [&](std::string what) {
        return fail(ErrorCode::BadInput, std::move(what), about(kernel.name));
    };
    if (text.no_bits() || !text.executable()) return bad("the kernel's section has no code");
    if (elf_.symbols[symbol_index].value != 0)
        return bad("the kernel does not start at the start of its section");
    if (text.size == 0 || text.size % kWordBytes != 0 || text.size > kMaxCodeSize)
        return bad(
            fmt::format("the code is {} bytes long, which is not a whole number of instructions", text.size));
    kernel.code_offset = text.offset;
    kernel.code_size = text.size;
    // Before the global list, which has priority: on sm_75..89 sh_info also has the register count.
    kernel.registers = static_cast<int>(text.info >> 24);
    if (const auto facts = global_.find(static_cast<std::uint32_t>(symbol_index)); facts != global_.end()) {
        kernel.registers = facts->second.registers.value_or(kernel.registers);
        kernel.local_bytes = facts->second.frame.value_or(0);
    }
    TRY(read_kernel_attributes(kernel, text_index));
    TRY(read_relocations(kernel, text_index));
    read_memory_sizes(kernel, text_index);
    TRY(read_jump_tables(kernel, text_index));
    read_functions(kernel, text_index);
    return kernel;
}

Status CubinParser::read_global_attributes() {
    const ElfSection* info = elf_.find(".nv.info");
    if (!info) return {};
    auto attributes = TRY(parse_attributes(*info, about(".nv.info")));
    for (const InfoAttribute& a : attributes) {
        if (a.payload_size != 8) continue;
        const auto symbol = load<std::uint32_t>(cubin_->bytes_, a.payload_offset);
        const auto value = load<std::uint32_t>(cubin_->bytes_, a.payload_offset + 4);
        if (a.code == eiattr::kRegCount)
            global_[symbol].registers = static_cast<int>(std::min<std::uint32_t>(value, 0xffff));
        if (a.code == eiattr::kFrameSize) global_[symbol].frame = value;
    }
    return {};
}

Status CubinParser::read_kernel_attributes(KernelInfo& kernel, std::size_t text_index) const {
    const ElfSection* info = nullptr;
    for (const std::uint32_t i : parts_[text_index].sections)
        if (const ElfSection& s = elf_.sections[i]; s.name.starts_with(".nv.info.") && !s.no_bits())
            info = &s;
    if (!info) return {};
    auto attributes = TRY(parse_attributes(*info, about(std::string(info->name))));
    kernel.attributes = std::move(attributes);
    for (const InfoAttribute& a : kernel.attributes)
        TRY(apply_attribute(kernel, a));
    std::sort(kernel.params.begin(), kernel.params.end(),
              [](const KernelParam& a, const KernelParam& b) { return a.ordinal < b.ordinal; });
    return check_params(kernel);
}

// Parameters are in one area, whose size has 16 bits in the file.
Status CubinParser::check_params(const KernelInfo& kernel) const {
    std::size_t total = 0;
    for (const KernelParam& param : kernel.params) {
        total += param.size;
        if (param.offset + std::size_t{param.size} > kMaxParamBytes || total > kMaxParamBytes)
            return fail(ErrorCode::BadInput,
                        fmt::format("its parameters take more than the {} bytes that a kernel can have",
                                    kMaxParamBytes),
                        about(kernel.name));
    }
    return {};
}

Status CubinParser::apply_attribute(KernelInfo& kernel, const InfoAttribute& a) const {
    const std::vector<std::uint32_t> w = payload_words(cubin_->bytes_, a);
    auto three = [&]() -> std::optional<std::array<std::uint32_t, 3>> {
        if (w.size() != 3) return std::nullopt;
        return std::array<std::uint32_t, 3>{w[0], w[1], w[2]};
    };
    switch (a.code) {
        case eiattr::kReqNtid:
            kernel.required_block = three();
            break;
        case eiattr::kMaxThreads:
            kernel.max_threads = three();
            break;
        case eiattr::kCtaPerCluster:
            kernel.cluster = three();
            kernel.uses_clusters = true;
            break;
        case eiattr::kExplicitCluster:
        case eiattr::kMaxClusterRank:
            kernel.uses_clusters = true;
            break;
        case eiattr::kNumBarriers:
            kernel.barriers = a.value & 0xff;
            break;
        case eiattr::kCbankParamSize:
            kernel.param_bytes = a.value;
            break;
        case eiattr::kParamCbank:
            if (w.size() == 2) {
                kernel.param_base = w[1] & 0xffff;
                kernel.param_bytes = w[1] >> 16;
            }
            break;
        case eiattr::kKparamInfo:
            if (w.size() == 3)
                kernel.params.push_back(
                    {static_cast<std::uint16_t>(w[1]), static_cast<std::uint16_t>(w[1] >> 16), w[2] >> 18});
            break;
        case eiattr::kKparamInfoV2:  // the size has its own word, for parameters above 16 KiB
            if (w.size() == 3)
                kernel.params.push_back(
                    {static_cast<std::uint16_t>(w[1]), static_cast<std::uint16_t>(w[1] >> 16), w[2]});
            break;
        case eiattr::kExitOffsets:
            kernel.exit_offsets = w;
            break;
        case eiattr::kIndirectBranchTargets:
            for (std::size_t i = 0; i + 3 <= w.size();) {
                const std::size_t count = w[i + 2];
                if (count > w.size() - i - 3)
                    return fail(ErrorCode::BadInput, "INDIRECT_BRANCH_TARGETS runs out of its record",
                                about(kernel.name));
                IndirectBranch branch{w[i], {}};
                for (std::size_t t = 0; t < count; ++t) {
                    const std::uint32_t target = w[i + 3 + t];
                    if (!is_code_offset(target, kernel))
                        return fail(ErrorCode::BadInput, "an indirect branch target lies outside the code",
                                    about(kernel.name));
                    branch.targets.push_back(target);
                    kernel.indirect_targets.push_back(target);
                }
                kernel.indirect_branches.push_back(std::move(branch));
                i += 3 + count;
            }
            break;
        default:
            break;
    }
    return {};
}

Status CubinParser::read_relocations(KernelInfo& kernel, std::size_t text_index) {
    Status status;
    for (const std::uint32_t i : parts_[text_index].sections) {
        if (!elf_.sections[i].relocates()) continue;
        for_each_relocation(elf_.sections[i], [&](const ElfRelocation& r) {
            if (!status) return;
            if (r.place >= kernel.code_size) {
                status = fail(ErrorCode::BadInput,
                              fmt::format("a relocation at {:#x} lies outside the code", r.place),
                              about(kernel.name));
                return;
            }
            const ElfSymbol* symbol = elf_.symbol(r.symbol);
            if (symbol && symbol->section == text_index) note_code_address(kernel, r, symbol->value);
            TextRelocation relocation{r.entry_offset, r.place, r.type, {}};
            // The name is for display only; omitted if a file repeats a long name too often.
            if (symbol && symbol->name.size() <= name_bytes_left_) {
                relocation.symbol = symbol->name;
                name_bytes_left_ -= symbol->name.size();
            }
            kernel.relocations.push_back(std::move(relocation));
        });
    }
    return status;
}

// A relocation against the kernel's own code yields the address of one of its words: a return or jump target.
void CubinParser::note_code_address(KernelInfo& kernel, const ElfRelocation& r, std::uint64_t base) const {
    const std::size_t word = kernel.code_offset + r.place - r.place % kWordBytes;
    const std::uint64_t addend =
        r.addend.value_or(load<std::uint32_t>(cubin_->bytes_, word + 4));  // the 32-bit immediate
    const std::uint64_t target = base + addend;
    if (target != 0 && target % kWordBytes == 0 && target < kernel.code_size)
        kernel.indirect_targets.push_back(static_cast<std::uint32_t>(target));
}

void CubinParser::read_memory_sizes(KernelInfo& kernel, std::size_t text_index) const {
    if (cubin_->arch_.sm >= 90) kernel.reserved_shared = kReservedShared;
    auto clamp = [](std::size_t size) {
        return static_cast<std::uint32_t>(std::min<std::size_t>(size, 0xffffffffu));
    };
    for (const std::uint32_t i : parts_[text_index].sections) {
        const ElfSection& s = elf_.sections[i];
        if (s.name.starts_with(".nv.shared.")) {
            const std::uint32_t size = clamp(s.size);
            kernel.static_shared = size >= kernel.reserved_shared ? size - kernel.reserved_shared : size;
        }
        if (s.name.starts_with(".nv.constant0.")) kernel.constant_size = clamp(s.size);
    }
}

// .nv.constant2 has jump tables and function addresses as code offsets (32 or 64 bits) and ordinary
// constants. Every value that may be a code offset counts as a target: an extra block boundary only prevents
// moves. Offset 0 is skipped: the entry starts a block anyway.
Status CubinParser::read_jump_tables(KernelInfo& kernel, std::size_t text_index) {
    for (const std::uint32_t i : parts_[text_index].sections) {
        const ElfSection& s = elf_.sections[i];
        if (!s.name.starts_with(".nv.constant2.")) continue;
        if (s.bytes.size() > constant_bytes_left_)
            return fail(ErrorCode::BadInput,
                        "its constant banks overlap so much that they are larger than the file",
                        about(kernel.name));
        constant_bytes_left_ -= s.bytes.size();
        for (ByteCursor at(s.bytes); at.left() >= 4;) {
            const auto value = at.take<std::uint32_t>();
            if (value != 0 && is_code_offset(value, kernel)) kernel.indirect_targets.push_back(value);
        }
    }
    std::vector<std::uint32_t>& targets = kernel.indirect_targets;
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return {};
}

void CubinParser::read_functions(KernelInfo& kernel, std::size_t text_index) const {
    for (const std::uint32_t i : parts_[text_index].functions) {
        const ElfSymbol& symbol = elf_.symbols[i];
        if (symbol.value == 0) continue;
        if (symbol.value >= kernel.code_size || symbol.value % kWordBytes != 0) continue;
        kernel.functions.push_back({static_cast<std::uint32_t>(symbol.value), std::string(symbol.name)});
    }
    std::sort(kernel.functions.begin(), kernel.functions.end(),
              [](const FunctionEntry& a, const FunctionEntry& b) { return a.offset < b.offset; });
}

}  // namespace cubinlab
