// SPDX-License-Identifier: GPL-3.0-or-later
// A folder that holds all it takes to check a speed-up without us:
//
//   original.cubin  candidate.cubin  workload.json  evidence.json  (candidate.cubin.provenance.json)
//   start.cubin  start.ptx    of recompiled code: the compilation that the candidate is a schedule of, and its PTX where
//                             it was at hand
//
// evidence.json has the hashes of the files, what the session recorded with its raw samples, and, where a GPU
// was at hand, a measurement over fresh loads with raw samples, machine facts and calibration. Format:
// resources/docs/measurement.md. The hashes are XXH3: they notice damage and carelessness. Against a forger
// there are the raw samples, from which the figures must follow, and the repetition on a GPU of one's own.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/evidence/claim.h"
#include "core/evidence/export_cubin.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/result/cache.h"
#include "core/schedule/schedule.h"
#include "core/store/session.h"

namespace cubinlab {

// The second form, of bundles of modelled steps, has no verdict of them.
inline constexpr const char* kEvidence = "cubinlab-evidence 1";
inline constexpr const char* kModelledEvidence = "cubinlab-evidence 2";
// Of a measurement of every shape of a workload.
inline constexpr const char* kShapesEvidence = "cubinlab-evidence 3";

struct BundleRequest {
    RunInfo run;
    StepRecord record;                            // the schedule's step
    Claim claim;                                  // of the step by itself: own_claim_of, claim_of_outcome
    std::vector<MeasurementRecord> measurements;  // of this step, from the session
    std::string workload;                         // JSON
    KernelPtr original = nullptr;                 // of recompiled code; null: the schedule's own kernel
    std::string ptx = {};                         // of recompiled code; empty: not at hand
    std::string version;                          // of the program
    std::filesystem::path session;
    std::optional<ShapesComparison> measured;  // candidate (B) against original (A), now
    Cache cache = Cache::Hot;
    // Not a logged step, but made from one: "minimal". Its edits, for people; empty: the step itself.
    std::string derived;
    std::vector<std::string> edits;
};

// A bundle's folder must not exist or be empty: asked before anything is measured. BadUse.
Status check_bundle_folder(const std::filesystem::path& folder);
// Proves the schedule as export_cubin does. Errors: BadUse (folder in
// use), BadInput (no workload), Refused, Corrupt (`measured` does not follow from its samples), Io, NotFound (an input
// file of the workload). Input files are copied into the bundle.
Result<ExportReport> write_bundle(const Schedule& schedule, const std::filesystem::path& folder,
                                  const BundleRequest& request);

struct BundleCheck {
    std::vector<std::string> problems;  // empty: intact, legal, figures follow from the samples
    std::vector<std::string> notes;     // what could not be checked and why
    std::string kernel;
    CodeKind code = CodeKind::Reschedule;
    std::size_t moved = 0, control_changed = 0;
    std::vector<std::byte> original, candidate;
    std::optional<Workload> workload;
    std::filesystem::path folder;
    // The figures below are there: of the measurement over fresh loads, or, without one, what the session says it
    // confirmed on a GPU.
    bool measured = false;
    Cache cache = Cache::Hot;
    Verdict verdict = Verdict::Unclear;
    std::string device;
    Speedup speedup;
    ShapeFigures shapes;  // whose mean that is, each measured over fresh loads
};

// Errors: NotFound, Io, BadInput, Corrupt where there is too little to check at all (no evidence.json, no
// cubin).
Result<BundleCheck> check_bundle(const std::filesystem::path& folder);

// Whether a repetition contradicts the bundle: no overlap of the intervals on the same device, or the
// opposite verdict, or wrong results; of several shapes in their mean or in one of them (where nobody could measure one of
// them, in the others). Empty: it does not.
std::string contradiction(const BundleCheck& bundle, const ShapesComparison& repeated);
// Why a repetition that contradicts nothing shows no speed-up either, where the bundle claims one (another
// GPU may gain less; the name of the first GPU is only what the bundle says). Empty: it shows one, or none is
// claimed.
std::string not_reproduced(const BundleCheck& bundle, const ShapesComparison& repeated);

}  // namespace cubinlab
