// SPDX-License-Identifier: GPL-3.0-or-later
// Whole-file reading and atomic writing. A write goes to a temporary file in the same folder, is flushed to
// disk and renamed, so a full disk or a kill never leaves half a file under the wanted name. A file that is
// replaced keeps its permissions and, where the system allows it, its owner; a link is replaced, not
// followed. Folders, pipes, sockets and devices are neither read nor written (BadInput, BadUse).
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
// The first bytes of a file, fewer if it has no more.
Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes);
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
struct FileToWrite {
    std::filesystem::path path;
    std::span<const std::byte> bytes;
};
// Files that belong together: all are written and flushed before the first is moved to its place, so that a full disk
// leaves all of them as they were. They are moved in this order, one right behind the other.
Status write_files(std::span<const FileToWrite> files);
Status write_text(const std::filesystem::path& path, std::string_view text);

// The regular files of a folder whose name ends in `extension` (".db"), in no order. NotFound: the folder cannot be read.
Result<std::vector<std::filesystem::path>> files_of_folder(const std::filesystem::path& folder,
                                                           std::string_view extension);

}  // namespace cubinlab
