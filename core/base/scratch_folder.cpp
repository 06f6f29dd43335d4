// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace cubinlab {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "cubinlab-XXXXXX").string();
    if (error || !::mkdtemp(name.data()))
        return fail(ErrorCode::Io, std::string("cannot create a folder there: ") + std::strerror(errno), name);
    return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace cubinlab
