// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a read-only file. Files up to kMostCopied are copied; larger files are mapped, so that only
// the pages that are read cost memory. If another program truncates a mapped file, access to the lost part
// ends this process (SIGBUS).
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"
#include "core/binary/byte_search.h"

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

    // The extents that contain data, ascending; without the holes of a large sparse file.
    const std::vector<Extent>& data_extents() const { return data_extents_; }
    Bytes bytes() const { return mapped_ ? Bytes(mapped_, size_) : Bytes(copied_); }

  private:
    FileBytes() = default;
    std::vector<std::byte> copied_;
    const std::byte* mapped_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Extent> data_extents_;
};

}  // namespace cubinlab
