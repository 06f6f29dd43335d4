// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cubin/cubin.h"

#include <fmt/format.h>

#include <cstring>

#include "core/base/byte_view.h"
#include "core/base/file.h"
#include "core/cubin/cubin_parser.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMaxFileSize = 1u << 29;  // bytes

std::string kernel_names(const std::vector<KernelInfo>& kernels) {
    constexpr std::size_t kMost = 4000;  // bytes of a message
    std::string out;
    for (const KernelInfo& k : kernels) {
        if (out.size() + k.name.size() > kMost) return out + (out.empty() ? "..." : ", ...");
        out += (out.empty() ? "" : ", ") + k.name;
    }
    return out;
}

}  // namespace

Result<std::shared_ptr<const Cubin>> Cubin::open(const std::filesystem::path& path) {
    auto bytes = read_file(path, kMaxFileSize);
    if (!bytes) return fail(bytes.error());
    return parse(std::move(*bytes), path.string());
}

Result<std::shared_ptr<const Cubin>> Cubin::parse(std::vector<std::byte> bytes, std::string where,
                                                  const CubinReading& how) {
    return CubinParser(std::move(bytes), std::move(where), how).parse();
}

Result<const KernelInfo*> Cubin::kernel(std::string_view name) const {
    if (name.empty()) {
        if (kernels_.size() == 1) return &kernels_.front();
        return fail(ErrorCode::BadUse,
                    fmt::format("has {} kernels, name one of: {}", kernels_.size(), kernel_names(kernels_)),
                    where_);
    }
    // Whoever goes through the list asks in its order: then the next one is the one behind the last, and a file
    // of 60,000 kernels is not searched 60,000 times.
    thread_local std::size_t next = 0;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        const std::size_t at = (next + i) % kernels_.size();
        if (kernels_[at].name != name) continue;
        next = at + 1;
        return &kernels_[at];
    }
    return fail(ErrorCode::NotFound,
                fmt::format("has no kernel \"{}\"; there are: {}", name, kernel_names(kernels_)), where_);
}

std::vector<Word> Cubin::code(const KernelInfo& kernel) const {
    std::vector<Word> words(kernel.code_size / kWordBytes);
    const Bytes code = part_of(bytes_, kernel.code_offset, words.size() * kWordBytes);
    if (!code.empty()) std::memcpy(words.data(), code.data(), code.size());
    return words;
}

}  // namespace cubinlab
