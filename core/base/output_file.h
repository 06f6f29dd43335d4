// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether a file may be written. Commands check before the work begins and again before the write.
// Rules (resources/docs/command-line.md):
//
//   an input of the command            never, not even with force (same inode, same real path, any hard link)
//   folder, pipe, socket, device       never
//   an existing file                   if `own` recognises it as a file of this program, or with force
//   a link                             with force; the link is replaced, never the file behind it
//   no file                            yes, if the folder is writable and has enough space
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

struct OutputFile {
    std::filesystem::path path;
    // Files that the same command reads; paths that do not exist are compared by name.
    std::vector<std::filesystem::path> inputs;
    // Describes an existing file that this program wrote ("a schedule of bmm"); empty for any other file.
    std::function<std::string(const std::filesystem::path&)> own;
    bool force = false;
    std::uint64_t bytes = 1 << 16;  // approximate size of the output
};

// Describes what the write would replace; empty: nothing. Errors: BadUse, NotFound (the folder), Io.
Result<std::string> check_output(const OutputFile& file);

// True for the same file: compares inodes or, if a file does not exist, real paths.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace cubinlab
