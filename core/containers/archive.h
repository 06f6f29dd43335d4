// SPDX-License-Identifier: GPL-3.0-or-later
// Static libraries: the members of an `ar` archive (System V / GNU and BSD names). Symbol tables are left out.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"

namespace cubinlab {

struct ArchiveMember {
    std::string name;        // as given; not unique
    std::size_t offset = 0;  // of its bytes
    std::size_t size = 0;
};

bool is_archive(Bytes bytes);       // "!<arch>"
bool is_thin_archive(Bytes bytes);  // "!<thin>": names of files, and none of their bytes

// Errors: BadInput where a member's header is damaged or a member ends outside of the file. At most `limit` members.
Result<std::vector<ArchiveMember>> read_archive(Bytes bytes, std::size_t limit);

}  // namespace cubinlab
