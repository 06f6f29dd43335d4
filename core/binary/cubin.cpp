// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/byte_view.h"
#include "core/base/file.h"
#include "core/base/utf8.h"
#include "core/binary/cubin_parser.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMaxFileSize = 1u << 29;  // bytes

// A message lists a dozen names and the number of the others.
std::string kernel_names(const std::vector<KernelInfo>& kernels) {
    constexpr std::size_t kMostNames = 12, kMostBytes = 1000;
    std::string out;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (i == kMostNames || out.size() + kernels[i].name.size() > kMostBytes)
            return fmt::format("{}{}{} more, which `cubinlab info` lists", out, i == 0 ? "" : " and ",
                               kernels.size() - i);
        out += (out.empty() ? "" : ", ") + kernels[i].name;
    }
    return out;
}

}  // namespace

Result<std::shared_ptr<const Cubin>> Cubin::open(const std::filesystem::path& path) {
    auto bytes = TRY(read_file(path, kMaxFileSize));
    return parse(std::move(bytes), path.string());
}

Result<std::shared_ptr<const Cubin>> Cubin::parse(std::vector<std::byte> bytes, std::string where,
                                                  const CubinParseOptions& options) {
    return CubinParser(std::move(bytes), std::move(where), options).parse();
}

Result<const KernelInfo*> Cubin::kernel(std::string_view name) const {
    if (name.empty()) {
        if (kernels_.size() == 1) return &kernels_.front();
        return fail(ErrorCode::BadUse,
                    fmt::format("has {} kernels, choose one with --kernel: {}", kernels_.size(),
                                kernel_names(kernels_)),
                    where_);
    }
    // Callers usually ask in list order, or alternate between two files: try the last result and the one
    // after it first, so that 60,000 lookups in a file of 60,000 kernels do not each scan the list.
    thread_local std::size_t last = 0;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        const std::size_t at = (last + i) % kernels_.size();
        if (kernels_[at].name != name) continue;
        last = at;
        return &kernels_[at];
    }
    if (const std::string written = as_utf8(name); written.find(kNotUtf8Mark) != std::string::npos) {
        // A name of other bytes, as a JSON document has it.
        const auto is = [&](const KernelInfo& kernel) { return as_utf8(kernel.name) == written; };
        const auto found = std::ranges::find_if(kernels_, is);
        if (found != kernels_.end() && std::find_if(found + 1, kernels_.end(), is) == kernels_.end()) return &*found;
    }
    for (const UnusableKernel& one : unusable_)
        if (one.name == name)
            return fail(ErrorCode::Refused,
                        fmt::format("the kernel \"{}\" cannot be used: {}; there are: {}", name, one.why,
                                    kernel_names(kernels_)),
                        where_);
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
