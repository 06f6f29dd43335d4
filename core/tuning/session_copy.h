// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that can only be read (of somebody else, on read-only media, under several names), and copies that can
// be written.
//
//   if (auto writable = check_session_writable(path); !writable) ... writable.error() says why
//   auto copied = copy_session(path, "mine.db");
#pragma once
#include <filesystem>

#include "core/base/result.h"

namespace cubinlab {

// Io: the file or its folder may not be written to. BadInput: a link, or a file of several names.
// Whether somebody writes it right now is not looked at.
Status check_session_writable(const std::filesystem::path& session);

// With the newest steps, which are in the log next to it. `to` must not exist and can be written. Busy: the session is
// being written, so that no copy would be whole.
Status copy_session(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace cubinlab
