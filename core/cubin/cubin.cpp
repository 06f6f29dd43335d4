// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cubin/cubin.h"

#include <fmt/format.h>

#include <cstring>

#include "core/base/file.h"
#include "core/cubin/cubin_parser.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMaxFileSize = 1u << 29;  // bytes

std::string kernel_names(const std::vector<KernelInfo>& kernels) {
    std::string out;
    for (const KernelInfo& k : kernels)
        out += (out.empty() ? "" : ", ") + k.name;
    return out;
}

}  // namespace

Result<std::shared_ptr<const Cubin>> Cubin::open(const std::filesystem::path& path) {
    auto bytes = read_file(path, kMaxFileSize);
    if (!bytes) return fail(bytes.error());
    return parse(std::move(*bytes), path.string());
}

Result<std::shared_ptr<const Cubin>> Cubin::parse(std::vector<std::byte> bytes, std::string where) {
    return CubinParser(std::move(bytes), std::move(where)).parse();
}

Result<const KernelInfo*> Cubin::kernel(std::string_view name) const {
    if (name.empty()) {
        if (kernels_.size() == 1) return &kernels_.front();
        return fail(ErrorCode::BadUse,
                    fmt::format("has {} kernels, name one of: {}", kernels_.size(), kernel_names(kernels_)),
                    where_);
    }
    for (const KernelInfo& k : kernels_)
        if (k.name == name) return &k;
    return fail(ErrorCode::NotFound,
                fmt::format("has no kernel \"{}\"; there are: {}", name, kernel_names(kernels_)), where_);
}

std::vector<Word> Cubin::code(const KernelInfo& kernel) const {
    std::vector<Word> words(kernel.code_size / kWordBytes);
    std::memcpy(words.data(), bytes_.data() + kernel.code_offset, words.size() * kWordBytes);
    return words;
}

}  // namespace cubinlab
