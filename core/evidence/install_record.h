// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside a file that a schedule was installed into. Internal to install_cubin.
#pragma once
#include <filesystem>
#include <optional>

#include "core/base/hash.h"
#include "core/base/result.h"

namespace cubinlab {

struct InstallRecord {
    Hash128 original;   // of the kept file
    Hash128 installed;  // of the file as it was left
    Hash128 replaced;   // of the file before that: what is there if the install was interrupted
    std::string text;   // for people: what and where
    // The file is a state that this program made, or the original.
    bool knows(Hash128 file) const { return file == installed || file == replaced || file == original; }
};

std::filesystem::path backup_of(const std::filesystem::path& file);  // FILE.cubinlab-original
std::filesystem::path record_of(const std::filesystem::path& file);  // FILE.cubinlab-installed.json
// Nothing where there is no record; BadInput where it is none of ours.
Result<std::optional<InstallRecord>> read_record(const std::filesystem::path& file);
Status write_record(const std::filesystem::path& file, const InstallRecord& record);

}  // namespace cubinlab
