// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/install_record.h"

#include "core/base/bounded_json.h"
#include "core/base/file.h"

namespace cubinlab {
namespace {

constexpr const char* kFormat = "cubinlab-installed 1";

}  // namespace

std::filesystem::path backup_of(const std::filesystem::path& file) {
    return file.string() + ".cubinlab-original";
}

std::filesystem::path record_of(const std::filesystem::path& file) {
    return file.string() + ".cubinlab-installed.json";
}

Result<std::optional<InstallRecord>> read_record(const std::filesystem::path& file) {
    auto text = read_text(record_of(file), 1 << 20);
    if (!text && text.error().code == ErrorCode::NotFound) return std::optional<InstallRecord>{};
    if (!text) return fail(text.error());
    const nlohmann::json json = parse_json_or_discard(*text);
    const auto hash = [&](const char* name) -> std::optional<Hash128> {
        return Hash128::from_hex(json_or(json, name, ""));
    };
    const auto original = hash("original_hash"), installed = hash("installed_hash");
    if (!original || !installed || json.value("format", nlohmann::json()) != kFormat)
        return fail(ErrorCode::BadInput, "is no record of an installed schedule", record_of(file).string());
    // Records of before name the original alone.
    const Hash128 replaced = hash("replaced_hash").value_or(*original);
    return std::optional(InstallRecord{*original, *installed, replaced, json_or(json, "what", "")});
}

Status write_record(const std::filesystem::path& file, const InstallRecord& record) {
    const nlohmann::json json = {{"format", kFormat},
                                 {"file", file.filename().string()},
                                 {"original_hash", record.original.hex()},
                                 {"installed_hash", record.installed.hex()},
                                 {"replaced_hash", record.replaced.hex()},
                                 {"what", record.text}};
    return write_text(record_of(file),
                      json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace cubinlab
