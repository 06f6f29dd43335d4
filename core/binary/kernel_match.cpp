// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/kernel_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/byte_view.h"
#include "core/binary/elf_image.h"
#include "core/binary/stable_name.h"
#include "core/isa/control_code.h"

namespace cubinlab {
namespace {

template <class Is>
std::vector<const KernelInfo*> those(const Cubin& cubin, Is is) {
    std::vector<const KernelInfo*> out;
    for (const KernelInfo& kernel : cubin.kernels())
        if (is(kernel)) out.push_back(&kernel);
    return out;
}

std::string names_of(const std::vector<const KernelInfo*>& kernels) {
    std::string out;
    for (const KernelInfo* kernel : kernels)
        out += (out.empty() ? "" : ", ") + kernel->name;
    return out;
}

// The constant banks of a kernel alone, by their names without the kernel's.
std::map<std::string_view, std::vector<std::byte>> constants_of(const Cubin& cubin, const KernelInfo& kernel) {
    std::map<std::string_view, std::vector<std::byte>> out;
    const auto elf = ElfImage::read(cubin.bytes(), cubin.where());
    if (!elf) return out;
    const std::string end = "." + kernel.name;
    for (const ElfSection& section : elf->sections)
        if (section.name.starts_with(".nv.constant") && section.name.ends_with(end))
            out[section.name.substr(0, section.name.size() - end.size())].assign(section.bytes.begin(),
                                                                                 section.bytes.end());
    return out;
}

}  // namespace

Hash128 code_hash(const Cubin& cubin, const KernelInfo& kernel) {
    return hash_bytes(part_of(cubin.bytes(), kernel.code_offset, kernel.code_size));
}

Hash128 instructions_hash(const Cubin& cubin, const KernelInfo& kernel) {
    std::vector<Word> words = cubin.code(kernel);
    for (Word& word : words)
        word = ControlCode{0, false, kNoBarrier, kNoBarrier, 0, 0}.encode_into(word);
    std::sort(words.begin(), words.end(),
              [](const Word& a, const Word& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; });
    return hash_bytes(words.data(), words.size() * sizeof(Word));
}

Result<FoundKernel> find_again(const Cubin& cubin, const SoughtKernel& sought) {
    const auto same_code = [&](const KernelInfo& kernel) {
        return (sought.code && code_hash(cubin, kernel) == *sought.code) ||
               (sought.instructions && instructions_hash(cubin, kernel) == *sought.instructions);
    };
    const auto same_stable_name = [stable = stable_name(sought.name)](const KernelInfo& kernel) {
        return stable_name(kernel.name) == stable;
    };
    const auto several = [&](const char* what, const std::vector<const KernelInfo*>& kernels) {
        return fail(ErrorCode::BadUse,
                    fmt::format("has {} kernels with the {} of {}, choose one with --kernel: {}", kernels.size(),
                                what, sought.name, names_of(kernels)),
                    cubin.where());
    };
    auto named = cubin.kernel(sought.name);
    if (!named && named.error().code == ErrorCode::Refused) return fail(named.error());
    if (named && same_code(**named)) return FoundKernel{*named, FoundBy::NameAndCode};
    std::vector<const KernelInfo*> with_code = those(cubin, same_code);
    if (with_code.size() > 1)
        if (auto named_so = those(cubin, [&](const KernelInfo& k) { return same_code(k) && same_stable_name(k); });
            named_so.size() == 1)
            with_code = std::move(named_so);
    if (with_code.size() == 1) return FoundKernel{with_code.front(), FoundBy::Code};
    if (named) return FoundKernel{*named, FoundBy::Name};
    if (!with_code.empty()) return several("code", with_code);
    const std::vector<const KernelInfo*> with_name = those(cubin, same_stable_name);
    if (with_name.size() == 1) return FoundKernel{with_name.front(), FoundBy::StableName};
    if (!with_name.empty()) return several("name", with_name);
    return fail(ErrorCode::NotFound,
                fmt::format("{}; no kernel has its code, or its name without the file's part", named.error().what),
                cubin.where());
}

std::string instead_of(const SoughtKernel& sought, const std::string& found, FoundBy by) {
    switch (by) {
        case FoundBy::NameAndCode:
            return {};
        case FoundBy::Code:
            return fmt::format("same code, other name: {} is there as {}", sought.name, found);
        case FoundBy::Name:
            return fmt::format("same name, other code: {} was compiled to other instructions here", found);
        case FoundBy::StableName:
            return fmt::format("other code, and the name of another file's path: {} is taken for {}", found,
                               sought.name);
    }
    return {};
}

std::string other_resource(const Cubin& in_a, const KernelInfo& a, const Cubin& in_b, const KernelInfo& b) {
    if (a.registers != b.registers) return "registers";
    if (a.static_shared != b.static_shared) return "shared memory";
    if (a.local_bytes != b.local_bytes) return "stack";
    if (a.constant_size != b.constant_size || a.param_base != b.param_base || a.param_bytes != b.param_bytes)
        return "parameters";
    if (a.barriers != b.barriers) return "barriers";
    if (constants_of(in_a, a) != constants_of(in_b, b)) return "constants";
    return {};
}

}  // namespace cubinlab
