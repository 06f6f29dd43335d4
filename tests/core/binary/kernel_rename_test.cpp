// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel in a cubin under another name: what changes, what does not, and the way back.
#include "core/binary/kernel_rename.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/binary/code_identity.h"
#include "core/binary/elf_image.h"
#include "tests/core/binary/test_cubins.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

using File = std::vector<std::byte>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
    return text;
}

// Contents of the sections by name, string tables and empty sections left out.
std::multimap<std::string, std::string> contents(Bytes file) {
    const auto elf = required(ElfImage::read(file, "file"));
    std::multimap<std::string, std::string> out;
    for (const ElfSection& s : elf->sections)
        if (s.name != ".shstrtab" && s.name != ".strtab" && s.name != ".symtab" && !s.bytes.empty())
            out.emplace(s.name, std::string(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size()));
    return out;
}

std::vector<std::string> symbols(Bytes file) {
    const auto elf = required(ElfImage::read(file, "file"));
    std::vector<std::string> out;
    for (const ElfSymbol& s : elf->symbols)
        out.emplace_back(s.name);
    return out;
}

Hash128 identity(Bytes file, const std::string& kernel) {
    const auto elf = required(ElfImage::read(file, "file"));
    for (const CodeLocation& at : kernels_in(*elf))
        if (at.name == kernel) return code_identity(file, *elf, at.section);
    FAIL("no kernel " << kernel);
    return {};
}

// The first and the last kernel of a file.
std::vector<std::string> some_kernels(const Cubin& cubin) {
    std::vector<std::string> out = {cubin.kernels().front().name};
    if (cubin.kernels().size() > 1) out.push_back(cubin.kernels().back().name);
    return out;
}

}  // namespace

TEST_CASE(
    "a renamed kernel has its facts and its code, all others are unchanged, and the way back gives the same "
    "file") {
    for (const auto& path : all_cubins()) {
        const auto cubin = open_cubin(path);
        const File before = read_bytes(path);
        for (const std::string& name : some_kernels(*cubin))
            for (const std::string& other : {std::string("q_0"), name + "_cutlass",
                                             name.substr(0, name.size() / 2) + "_q", std::string(700, 'n')}) {
                INFO(path.string() << ": " << name << " -> " << other);
                const File after = *required(rename_kernel(before, name, other));
                const auto renamed = *required(Cubin::parse(after, "renamed"));
                REQUIRE(renamed->kernels().size() == cubin->kernels().size());
                for (const KernelInfo& was : cubin->kernels()) {
                    const auto now = required(renamed->kernel(was.name == name ? other : was.name));
                    CHECK((*now)->registers == was.registers);
                    CHECK((*now)->static_shared == was.static_shared);
                    CHECK((*now)->local_bytes == was.local_bytes);
                    CHECK((*now)->constant_size == was.constant_size);
                    CHECK((*now)->params.size() == was.params.size());
                    CHECK((*now)->attributes.size() == was.attributes.size());
                    CHECK((*now)->relocations.size() == was.relocations.size());
                    CHECK((*now)->functions.size() == was.functions.size());
                    CHECK(renamed->code(**now) == cubin->code(was));
                    CHECK((*now)->code_offset % 128 == was.code_offset % 128);
                }
                CHECK(renamed->arch() == cubin->arch());
                CHECK(*required(rename_kernel(after, other, name)) == before);
            }
    }
}

TEST_CASE("only the names of the kernel's own sections and symbols change") {
    for (const char* file : {"cub_sum.90", "k1.90a", "k1.120a", "k2.90a"}) {
        const File before = read_bytes(data(file));
        const auto cubin = open_cubin(data(file));
        const std::string name = cubin->kernels().front().name, other = name + "_by_cutlass";
        INFO(file << ": " << name);
        const File after = *required(rename_kernel(before, name, other));
        std::multimap<std::string, std::string> expected;
        for (const auto& [section, bytes] : contents(before))
            expected.emplace(section.ends_with("." + name) ? replaced(section, name, other) : section, bytes);
        CHECK(contents(after) == expected);
        const std::vector<std::string> was = symbols(before), now = symbols(after);
        REQUIRE(was.size() == now.size());
        std::size_t changed = 0;
        for (std::size_t i = 0; i < was.size(); ++i) {
            const bool own =
                was[i] == name || was[i].ends_with("." + name) || was[i].starts_with("$" + name + "$");
            CHECK(now[i] == (own ? replaced(was[i], name, other) : was[i]));
            changed += own ? 1 : 0;
        }
        CHECK(changed >= 2);
    }
}

TEST_CASE("functions inside a kernel carry its name, and the identity of the code does not") {
    bool seen = false;
    for (const auto& path : all_cubins()) {
        const auto cubin = open_cubin(path);
        for (const KernelInfo& kernel : cubin->kernels()) {
            if (std::ranges::none_of(kernel.functions, [&](const FunctionEntry& f) {
                    return f.name.starts_with("$" + kernel.name + "$");
                }))
                continue;
            seen = true;
            INFO(path.string() << ": " << kernel.name);
            const File after = *required(rename_kernel(cubin->bytes(), kernel.name, "short"));
            const auto renamed = *required(Cubin::parse(after, "renamed"));
            for (const FunctionEntry& f : (*required(renamed->kernel("short")))->functions)
                CHECK(f.name.find(kernel.name) == std::string::npos);
        }
    }
    CHECK(seen);
    const File softmax = read_bytes(sample("softmax"));
    CHECK(identity(*required(rename_kernel(softmax, "softmax", "other")), "other") ==
          identity(softmax, "softmax"));
}

TEST_CASE("a name that is taken, no name, or no such kernel is refused") {
    const File file = read_bytes(data("k1.90a"));
    const auto cubin = open_cubin(data("k1.90a"));
    const std::string first = cubin->kernels().front().name, last = cubin->kernels().back().name;
    REQUIRE(first != last);
    CHECK(required(rename_kernel(file, first, first)).value() == file);
    const auto code = [&](std::string_view from, std::string_view to) {
        const auto out = rename_kernel(file, from, to);
        REQUIRE_FALSE(out);
        return out.error().code;
    };
    CHECK(code(first, last) == ErrorCode::BadUse);
    CHECK(code(first, "") == ErrorCode::BadUse);
    CHECK(code(first, "has space") == ErrorCode::BadUse);
    CHECK(code(first, "1st") == ErrorCode::BadUse);
    CHECK(code(first, std::string_view("a\0b", 3)) == ErrorCode::BadUse);
    CHECK(code("nobody", "x") == ErrorCode::NotFound);
    CHECK(code("", "x") == ErrorCode::BadUse);
    const File cut(file.begin(), file.begin() + 100);
    CHECK(rename_kernel(cut, first, "x").error().code == ErrorCode::BadInput);
}

TEST_CASE("damaged files are refused or renamed, never worse") {
    const File file = read_bytes(sample("rmsnorm"));
    std::uint64_t state = 7;
    for (int round = 0; round < 3000; ++round) {
        File damaged = file;
        for (int i = 0; i < 3; ++i) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            // Headers, string tables and symbols are in the first and the last parts of the file.
            const std::size_t near = (state >> 33) % 2000;
            const std::size_t at = (state >> 20) % 2 == 0 ? near : damaged.size() - 1 - near;
            damaged[at] = static_cast<std::byte>(state >> 56);
        }
        if (const auto out = rename_kernel(damaged, "rmsnorm", "other")) (void)Cubin::parse(*out, "renamed");
    }
}
