// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a schedule as a cubin that can be trusted: proven legal before, re-opened and proven again after,
// and stamped with where its figures come from. The stamp is a second file, NAME.cubin.provenance.json,
// because the cubin itself differs from the original in nothing but the schedule.
//
//   auto report = export_cubin(schedule, "best.cubin", claim);
//   report->stamp      // "measured: 1.032x [1.029, 1.035] on NVIDIA H200" or "modelled, unmeasured"
#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/evidence/claim.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct ExportReport {
    std::filesystem::path path;
    Hash128 code_hash;
    std::size_t moved = 0;
    std::size_t control_changed = 0;
    std::string stamp;
};

// What the second file says. Whoever has a bundle's makes it again from the evidence beside it.
nlohmann::json provenance(const Schedule& schedule, const ExportReport& report, const ClaimParts& parts,
                          std::span<const std::byte> image);

// Refused if the schedule is not legal or the claim is of another; Unsupported for view-only architectures.
Result<ExportReport> export_cubin(const Schedule& schedule, const std::filesystem::path& path,
                                  const Claim& claim);

}  // namespace cubinlab
