// SPDX-License-Identifier: GPL-3.0-or-later
// May this file be written? Asked before any work begins and again before the write, so that neither an hour
// of searching nor a file of the user's is lost. Rules (resources/docs/command-line.md):
//
//   an input of the command            never, not even with force (same inode, same real path, any hard link)
//   folder, pipe, socket, device       never
//   a file that exists                 if `own` says that this program made it, or with force
//   a link                             with force; the link is replaced, never the file behind it
//   nothing there                      yes, if the folder takes a new file and has room for it
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
    // Read by the same command; paths that do not exist (yet) count by name.
    std::vector<std::filesystem::path> inputs;
    // What the existing file is, if this program made it ("a schedule of bmm"); empty: a stranger.
    std::function<std::string(const std::filesystem::path&)> own;
    bool force = false;
    std::uint64_t bytes = 1 << 16;  // about as much as will be written
};

// What the write would replace, for people; empty: nothing. Errors: BadUse, NotFound (the folder), Io.
Result<std::string> check_output(const OutputFile& file);

// The same file, by inode or, where there is none yet, by real path.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace cubinlab
