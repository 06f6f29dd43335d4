// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/hazard_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/number_of.h"
#include "core/legality/checker_impl.h"
#include "core/legality/rules/wgmma_rule.h"

namespace cubinlab {

namespace {

// All pending results are compared with every instruction of a block, so time and memory may be quadratic in
// its size. Blocks of compiled code are far smaller.
constexpr Position kMostInBlock = 65'536;

// One note for each pair of instructions.
void add_compiler_faults(const Schedule& schedule, std::vector<CheckNote>& notes) {
    const Kernel& kernel = *schedule.kernel();
    const auto name = [&](InstrId id) {
        return fmt::format("{} 0x{:04x}", kernel.instruction(id).mnemonic, id * kWordBytes);
    };
    std::set<std::pair<InstrId, InstrId>> said;
    for (const WgmmaReuse& r : reused_wgmma_registers(schedule)) {
        if (!said.emplace(r.wgmma, r.writer).second) continue;
        notes.push_back({r.wgmma, r.writer,
                         fmt::format("the compiler's own schedule looks wrong here: {} may still read {} when {} "
                                     "overwrites it, and no WARPGROUP.DEPBAR between them retires its group; two runs "
                                     "may differ. ptxas from CUDA 13.3 on waits",
                                     name(r.wgmma), reg_name(r.reg), name(r.writer)),
                         true});
    }
}

}  // namespace

bool SlotRange::contains(Position p) const {
    return p >= lowest && p <= highest && std::find(holes.begin(), holes.end(), p) == holes.end();
}

HazardChecker::HazardChecker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HazardChecker::~HazardChecker() = default;

Result<std::shared_ptr<const HazardChecker>> HazardChecker::create(KernelPtr kernel, CheckMode mode) {
    if (!kernel) return fail(ErrorCode::BadUse, "no kernel to check");
    if (!kernel->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} kernels can be viewed, not checked: {}", kernel->arch().name(),
                                kernel->arch().why_view_only()),
                    kernel->name());
    for (const Block& block : kernel->flow().blocks)
        if (block.count > kMostInBlock)
            return fail(
                ErrorCode::Unsupported,
                fmt::format("has a block of {} instructions at 0x{:04x}; nothing is proven of blocks of "
                            "more than {}",
                            block.count, block.first * kWordBytes, kMostInBlock),
                kernel->name());
    auto impl = std::make_unique<Impl>(kernel, mode);
    const auto too_many = [&](const char* what) {
        return fail(ErrorCode::Unsupported, fmt::format("has too many {} to prove anything", what),
                    kernel->name());
    };
    if (!impl->pairs.complete()) return too_many("dependences between blocks");
    if (!impl->scoreboards.complete()) return too_many("results that may be pending where blocks meet");
    return std::shared_ptr<const HazardChecker>(new HazardChecker(std::move(impl)));
}

const KernelPtr& HazardChecker::kernel() const {
    return impl_->kernel;
}
CheckMode HazardChecker::mode() const {
    return impl_->mode;
}

CheckReport HazardChecker::report(const Schedule& schedule) const {
    Findings findings(false);
    impl_->check_all(schedule, findings);
    CheckReport result;
    result.uncovered_pairs = impl_->pairs.uncovered();
    result.checked_pairs = impl_->pairs.count() + impl_->scoreboards.conflicts_count();
    result.unproven_pairs = impl_->unproven;
    for (const Finding& f : findings.list())
        result.hazards.push_back(cubinlab::explain(f, schedule));
    result.notes = notes(schedule);
    if (findings.full())
        result.notes.push_back(
            {kNone, kNone, fmt::format("the check stopped at {} findings", Findings::kMost)});
    return result;
}

std::vector<CheckNote> HazardChecker::notes(const Schedule& legal) const {
    std::vector<CheckNote> notes;
    if (impl_->mode == CheckMode::Absolute) add_compiler_faults(legal, notes);
    for (CheckNote& note : impl_->early_releases(legal))
        notes.push_back(std::move(note));
    if (impl_->mode == CheckMode::AgainstOriginal)
        for (CheckNote& note : impl_->lane_notes(legal))
            notes.push_back(std::move(note));
    return notes;
}

bool HazardChecker::legal(const Schedule& schedule) const {
    Findings findings(true);
    impl_->check_all(schedule, findings);
    return !findings.bad();
}

bool HazardChecker::allows(const Schedule& legal, const Mutation& mutation) const {
    return impl_->decide(legal, mutation) == Impl::Verdict::Legal;
}

Legality HazardChecker::explain(const Schedule& legal, const Mutation& mutation) const {
    const Result<Schedule> mutated = mutation.applied(legal);
    if (mutated) return check(*mutated);
    Hazard hazard;
    hazard.rule = Rule::Structure;
    hazard.earlier = mutation.instr();
    hazard.resource = "order";
    hazard.explanation = mutated.error().message();
    return {hazard};
}

EditAnswer HazardChecker::judge(const Schedule& legal, const Mutation& mutation) const {
    if (allows(legal, mutation)) return {true, {}};
    return {false, explain(legal, mutation)};
}

PlaceAnswer HazardChecker::find_place(const Schedule& legal, const PlaceSearch& search,
                                      const std::function<bool()>& stop) const {
    const auto move = [&](int position) {
        return Mutation::move_to(legal, search.instr, static_cast<Position>(position));
    };
    for (int p = search.from; p != search.end; p += search.step) {
        if (stop()) return {{}, p, {}};
        if (allows(legal, move(p))) return {static_cast<Position>(p), {}, {}};
    }
    return {{}, {}, explain(legal, move(static_cast<int>(search.refused)))};
}

Result<CheckReport> check_kernel(KernelPtr kernel) {
    auto checker = TRY(HazardChecker::create(kernel, CheckMode::Absolute));
    return checker->report(Schedule(kernel));
}

Result<Legality> legality_of(const Schedule& schedule) {
    const auto checker = TRY(HazardChecker::create(schedule.kernel()));
    return checker->check(schedule);
}

std::string SelfCheck::text() const {
    if (count == 0) return warning;
    return fmt::format("the original itself has {} (`check` on its own lists all), which stay: {}{}{}",
                       number_of(count, "finding"), first, warning.empty() ? "" : "; ", warning);
}

Result<SelfCheck> self_check(KernelPtr kernel) {
    const auto report = TRY(check_kernel(std::move(kernel)));
    SelfCheck own;
    own.count = report.hazards.size();
    if (own.count > 0) own.first = report.hazards.front().explanation;
    if (!report.notes.empty() && report.notes.front().warning) own.warning = report.notes.front().text;
    return own;
}

}  // namespace cubinlab
