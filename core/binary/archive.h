// SPDX-License-Identifier: GPL-3.0-or-later
// Reads static libraries: the members of an `ar` archive (GNU and BSD names) without symbol tables.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"

namespace cubinlab {

struct ArchiveMember {
    std::string name;        // as in the file; not unique
    std::size_t offset = 0;  // of the contents
    std::size_t size = 0;
};

bool is_archive(Bytes bytes);       // "!<arch>"
bool is_thin_archive(Bytes bytes);  // "!<thin>": has names of files, but no contents

// BadInput if a member's header is damaged or a member ends outside the file. Reads at most `limit` members.
Result<std::vector<ArchiveMember>> read_archive(Bytes bytes, std::size_t limit);

}  // namespace cubinlab
