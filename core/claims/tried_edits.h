// SPDX-License-Identifier: GPL-3.0-or-later
// What edits are worth, over the runs of many sessions: every logged step that made one change (an instruction moved,
// with the stall counts that pay for it, or one control code changed) against the step that it was made from, grouped by
// what moved past what (core/claims/patterns.h). All of them, not only those that were kept: the mean of what was kept
// says what was lucky. "Against" a measured step is against what all such edits of it did in the median, since its own figure
// is the one that it was chosen for.
//
//   TriedEdits tried;
//   tried.add(*reader, kernel, run);
//   for (const TriedPattern& p : tried.patterns(3)) ...     // LDGSTS up past tensor  +0.02 % [-0.01, +0.05], 310 tried
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/hash.h"
#include "core/claims/patterns.h"
#include "core/claims/session_runs.h"

namespace cubinlab {

struct TriedPattern {
    PatternKey key;
    EvaluatorKind evaluator = EvaluatorKind::Model;  // the two are never added up
    std::string cache;                               // of a GPU (cache_of), nor are hot and cold
    std::uint64_t tried = 0;
    std::uint64_t gained = 0;     // the whole interval above the parent's figure
    double sum = 0, squares = 0;  // of the log speed-ups against the parents
    double best = 0;
    std::set<std::size_t> runs;
    std::set<Hash128> kernels;  // by their code

    // Further from nothing than chance alone takes one of all the kinds that it was listed with, at 95 %.
    bool stands_out = false;

    double mean() const { return sum / static_cast<double>(tried); }
    double deviation() const;  // of the tries; 0 for fewer than two
    // Of the mean's 95 % interval, by the scatter of the steps: noise, and how differently the same edit pays in different
    // places. It holds however often one looks and whenever the agent stops trying (t_mixture_radius). Of too few: negative.
    double half_width() const;
};

class TriedEdits {
  public:
    // Steps that failed, were seen before, or change more than one thing are left out, and so are measured ones of a parent,
    // other than the start, of which too few such edits were tried to tell what it was worth.
    Status add(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
               const std::stop_token& stop = {});
    // Every run of the session that has a step, after its figures were checked (session_runs.h).
    Status add_session(const std::filesystem::path& session, const std::stop_token& stop = {});

    // Edits of a measured schedule, other than the start, without which it is not known what it was worth.
    static constexpr std::size_t kLeastSiblings = 6;

    std::uint64_t steps() const { return steps_; }  // that count
    std::uint64_t left_out() const { return left_out_; }
    const RunsTaken& taken() const { return taken_; }  // by add_session
    std::size_t runs() const { return runs_; }
    // Tried at least so often; measured before modelled, then by the lower end of the mean's interval.
    std::vector<TriedPattern> patterns(std::uint64_t least) const;

  private:
    void count(PatternKey key, const EvaluatorInfo& evaluator, double gain, bool gained, std::size_t run,
               const Hash128& kernel);
    std::map<std::tuple<EvaluatorKind, std::string, PatternKey>, TriedPattern> found_;
    std::uint64_t steps_ = 0, left_out_ = 0;
    RunsTaken taken_;
    std::size_t runs_ = 0;
};

// Where in a schedule such an edit could be tried: instructions of that opcode that may be moved or edited; of a move, those
// with an instruction of the class that was passed among the eight before (up) or behind (down) them in their block. By
// place in the schedule. Whether it is legal there, and pays there, is not said.
std::vector<InstrId> places_of(const Schedule& schedule, const PatternKey& key);

}  // namespace cubinlab
