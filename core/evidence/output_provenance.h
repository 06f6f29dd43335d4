// SPDX-License-Identifier: GPL-3.0-or-later
// What this program's own files are known by, so that one export may take the place of another of the same
// kernel, and of nothing else (core/base/output_file.h):
//
//   cubin    X.cubin.provenance.json beside it names this kernel's original code and the hash of X.cubin
//   report   a generator mark in its head names the kernel
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/hash.h"
#include "core/base/output_file.h"
#include "core/result/claim_level.h"

namespace cubinlab {

inline constexpr const char* kProvenanceFormat = "cubinlab-provenance 1";
std::filesystem::path stamp_file(const std::filesystem::path& cubin);  // X.cubin.provenance.json
std::string report_mark(Hash128 kernel);                               // <meta ...> of a report's head
// What a cubin's stamp says; null where there is none, or one that is not ours.
nlohmann::json read_stamp(const std::filesystem::path& cubin);
// Refused where the stamp says that the code differs in more from the original than `most` allows, or in a way that this
// program does not know. Without a stamp, or with one of version 0.1, the code is a reschedule.
Status check_code_kind(const nlohmann::json& stamp, CodeKind most, const std::filesystem::path& cubin);
// What a stamp says of it that no one wants: "SLOWER", "SLOWER in short (1 of 3 shapes)"; empty: nothing.
std::string slower_by(const nlohmann::json& stamp);

// What `path` is, if it is ours and of the kernel with this original code hash; else empty.
std::string own_cubin(const std::filesystem::path& path, Hash128 kernel);
std::string own_report(const std::filesystem::path& path, Hash128 kernel);

// check_output for a cubin and the stamp that is written with it; `file.own` is set here.
Result<std::string> check_cubin_output(OutputFile file, Hash128 kernel);
Result<std::string> check_report_output(OutputFile file, Hash128 kernel);

}  // namespace cubinlab
