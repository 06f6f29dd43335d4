// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/synthetic_kernel.h"

#include <cstring>

#include "core/binary/elf_image.h"
#include "core/schedule/control_flow.h"

namespace cubinlab {

namespace {

constexpr std::size_t kSectionHeader = 64;
constexpr std::size_t kCodeAlignment = 128;

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// File offset of the section header of the kernel's code.
Result<std::size_t> code_header(const Kernel& kernel) {
    const std::span<const std::byte> bytes = kernel.cubin().bytes();
    auto image = TRY(ElfImage::read(bytes, kernel.cubin().where()));
    for (std::size_t i = 1; i < image.sections.size(); ++i) {
        const ElfSection& s = image.sections[i];
        if (s.executable() && !s.no_bits() && s.offset == kernel.info().code_offset)
            return load<std::uint64_t>(bytes, 40) + i * kSectionHeader;
    }
    return fail(ErrorCode::Unsupported, "has no section of its own for this kernel's code", kernel.name());
}

// The body to repeat: up to the last unconditional EXIT, which becomes a word that falls through.
std::vector<Word> body_of(const Kernel& kernel) {
    std::vector<Word> body;
    std::size_t last = kernel.size();
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        body.push_back(i.word);
        if (flow_kind(i) == FlowKind::Exit && !i.guarded()) last = id;
    }
    if (last == kernel.size()) return body;
    body.resize(last + 1);
    body[last] =
        kernel.instruction(static_cast<InstrId>(last)).control().encode_into(branch_word(kernel.arch(), 0));
    return body;
}

void cut(const Kernel& kernel, std::size_t every, std::vector<Word>& body) {
    constexpr std::size_t kOver = 3;
    std::size_t since = 0;
    for (std::size_t p = 0; p + kOver + 1 < body.size(); ++p) {
        const Instruction& i = kernel.instruction(static_cast<InstrId>(p));
        if (++since < every || flow_kind(i) != FlowKind::None || i.has(Trait::AddressDependent)) continue;
        ControlCode control;
        control.stall = 5;
        control.yield = true;
        control.wait_mask = i.control().wait_mask;
        body[p] = control.encode_into(branch_word(kernel.arch(), kOver, 0));
        since = 0;
    }
}

}  // namespace

Word branch_word(const Arch& arch, int words, unsigned guard) {
    Word word;  // opcode 0x947, guard, condition PT (bits 87..89), distance
    word.lo = 0x947ull | static_cast<std::uint64_t>(guard & 7u) << 12;
    std::int64_t units = static_cast<std::int64_t>(words) * (kWordBytes / 4);
    if (arch.sm >= 90) {
        word.lo |= (static_cast<std::uint64_t>(units) & 0xffu) << 16;
        units >>= 8;
    }
    word.lo |= static_cast<std::uint64_t>(units) << 34;
    word.hi = (static_cast<std::uint64_t>(units >> 30) & 0x3ffffu) | 7ull << 23;
    return ControlCode{5, true, kNoBarrier, kNoBarrier, 0, 0}.encode_into(word);
}

Result<std::shared_ptr<const Kernel>> kernel_with_words(const Kernel& kernel,
                                                        const std::vector<Word>& words) {
    if (words.empty()) return fail(ErrorCode::BadUse, "no words to make a kernel of", kernel.name());
    const auto header = TRY(code_header(kernel));
    std::vector<std::byte> bytes(kernel.cubin().bytes().begin(), kernel.cubin().bytes().end());
    bytes.resize((bytes.size() + kCodeAlignment - 1) / kCodeAlignment * kCodeAlignment);
    const std::size_t offset = bytes.size();
    const std::size_t size = words.size() * sizeof(Word);
    bytes.resize(offset + size);
    std::memcpy(bytes.data() + offset, words.data(), size);
    put<std::uint64_t>(bytes, header + 24, offset);
    put<std::uint64_t>(bytes, header + 32, size);
    auto cubin = TRY(Cubin::parse(std::move(bytes), kernel.cubin().where()));
    return Kernel::load(cubin, kernel.name());
}

Result<std::shared_ptr<const Kernel>> repeated_kernel(const Kernel& kernel, std::size_t instructions,
                                                      std::size_t branch_every) {
    std::vector<Word> body = body_of(kernel);
    if (branch_every > 0) cut(kernel, branch_every, body);
    std::vector<Word> words;
    words.reserve(instructions + body.size());
    while (words.size() < instructions)
        words.insert(words.end(), body.begin(), body.end());
    return kernel_with_words(kernel, words);
}

}  // namespace cubinlab
