// SPDX-License-Identifier: GPL-3.0-or-later
// Reads whole files and writes them atomically. A write goes to a temporary file in the same folder, is
// flushed and then renamed, so a full disk or a kill never leaves a partial file. A replaced file keeps its
// permissions and, if the system allows it, its owner; a link is replaced, not followed. Folders, pipes,
// sockets and devices are neither read (BadInput) nor written (BadUse).
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::size_t limit_bytes = 1u << 30);
Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit_bytes = 1u << 30);
// Returns the first `bytes` bytes of a file, fewer if it is shorter.
Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes);
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
struct FileToWrite {
    std::filesystem::path path;
    std::span<const std::byte> bytes;
};
// Writes files that belong together. All are written and flushed before the first is renamed, in this order,
// so a full disk leaves all of them unchanged.
Status write_files(std::span<const FileToWrite> files);
Status write_text(const std::filesystem::path& path, std::string_view text);

// The regular files of a folder whose name ends in `extension` (".db"), in no order. NotFound: the folder cannot be read.
Result<std::vector<std::filesystem::path>> files_of_folder(const std::filesystem::path& folder,
                                                           std::string_view extension);

}  // namespace cubinlab
