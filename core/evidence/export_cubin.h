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
#include <string_view>

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

// What a stamp says besides its claim of a schedule that is not the compiled one, for sm_100 and later: whether edited
// code passed the edit test (core/gpu/client/edit_gate.h), and whether the capsule follows moves (core/schedule/capsule.h).
// It begins with "; ". Empty: nothing is to be said.
std::string edited_note(const Schedule& schedule);
// Whether `note` is one that this or another machine gives of the schedule.
bool is_edited_note(const Schedule& schedule, std::string_view note);

// Refused if the schedule is not legal, the claim belongs to another one, or edited code of the architecture needs an edit test
// that no GPU has passed; Unsupported for view-only architectures.
Result<ExportReport> export_cubin(const Schedule& schedule, const std::filesystem::path& path,
                                  const Claim& claim);

}  // namespace cubinlab
