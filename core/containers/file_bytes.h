// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a file that is only read: small ones are copied, large ones mapped, so that a library of gigabytes
// costs what is looked at. A mapped file that another program cuts short while it is open ends this one, as it ends
// every program that maps it; nothing up to `kMostCopied` is mapped.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"
#include "core/containers/byte_search.h"

namespace cubinlab {

class FileBytes {
  public:
    static constexpr std::size_t kMostCopied = std::size_t{64} << 20;

    // Errors: NotFound, Io, BadInput (a folder, a pipe).
    static Result<std::shared_ptr<const FileBytes>> open(const std::filesystem::path& path);
    static std::shared_ptr<const FileBytes> of(std::vector<std::byte> bytes);
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;
    ~FileBytes();

    // Where something was written, ascending: all, but for the holes of a large file. Looking at a hole takes as long as
    // looking at data, and finds zeros.
    const std::vector<Extent>& written() const { return written_; }
    Bytes bytes() const { return mapped_ ? Bytes(mapped_, size_) : Bytes(copied_); }

  private:
    FileBytes() = default;
    std::vector<std::byte> copied_;
    const std::byte* mapped_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Extent> written_;
};

}  // namespace cubinlab
