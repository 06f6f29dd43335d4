// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/group_pool.h"

#include <algorithm>
#include <unordered_set>

#include "core/legality/hazard_checker.h"
#include "core/search/moves/edit_pool.h"

namespace cubinlab {
namespace {

constexpr Position kFarthestUp = 6;  // slots that a sweep moves a producer up, at most
constexpr std::size_t kMuch = 12;    // least number of edits against the start for a revert

class Drafting {
  public:
    Drafting(const PoolSource& source, const Schedule& from, const Rng& rng, std::size_t swept)
        : source_(source), from_(from), seen_{from.hash()} {
        draft_.of = from.hash();
        draft_.rng = rng;
        draft_.swept = swept;
    }

    // A round accepts edits in groups, so edits that gain nothing or lose come along and block others. The pool reverts the
    // changes since the start, one by one or a few together.
    bool revert() {
        std::vector<Edit> back = difference(from_, source_.start).edits;
        if (back.size() < kMuch) return false;
        const std::size_t together = (back.size() + source_.size - 1) / source_.size;
        for (std::size_t first = 0; first < back.size(); first += together) {
            std::optional<Edited> all;
            for (std::size_t i = first; i < std::min(first + together, back.size()); ++i)
                if (auto one = source_.around.reverted(all ? all->result : from_, back[i]))
                    append_edit(all, std::move(*one));
            add(std::move(all), static_cast<int>(EditClass::MoveAndPay));
        }
        draft_.reverts = draft_.pool.size() >= 2;
        return draft_.reverts;
    }

    void draw() {
        for (const PoolEdit& edit : source_.carried)
            add(source_.around.apply(from_, edit.mutation), edit.kind);
        sweep();
        for (std::size_t tries = 0; draft_.pool.size() < source_.size && tries < 40 * source_.size; ++tries) {
            std::array<double, kEditClasses> shares = source_.credit;
            for (std::size_t k = 0; k < kEditClasses; ++k)
                shares[k] += 0.3 * kClassPrior[k];
            const EditClass kind = draw_class(shares, draft_.rng);
            add(source_.around.draw(from_, kind, draft_.rng), static_cast<int>(kind));
        }
    }

    PoolDraft done() { return std::move(draft_); }

  private:
    void add(std::optional<Edited> edited, int kind) {
        if (!edited || draft_.pool.size() >= source_.size || !seen_.insert(edited->result.hash()).second)
            return;
        draft_.pool.push_back({std::move(edited->mutation), kind});
    }

    // A third of the pool are edits that usually pay, hottest first: a lower stall, a producer a few slots up.
    void sweep() {
        const std::vector<InstrId>& hot = source_.around.by_heat();
        const std::vector<InstrId>& producers = source_.around.producers();
        const std::size_t until = std::min(draft_.pool.size() + source_.size / 3, source_.size);
        while (draft_.pool.size() < until && draft_.swept < hot.size() + producers.size()) {
            const std::size_t at = draft_.swept++;
            if (at % 2 == 0 && at / 2 < producers.size()) {
                const InstrId id = producers[at / 2];
                const Position room = room_above(source_.checker, from_, id, kFarthestUp);
                const Position up = std::min<Position>(room, 1 + draft_.rng.below(kFarthestUp));
                add(source_.around.move_to(from_, id, from_.position_of(id) - up),
                    static_cast<int>(EditClass::LoadEarlier));
            }
            if (at < hot.size())
                add(source_.around.stall_by(from_, hot[at], -1), static_cast<int>(EditClass::Stall));
        }
    }

    const PoolSource& source_;
    const Schedule& from_;
    PoolDraft draft_;
    std::unordered_set<Hash128> seen_;
};

}  // namespace

PoolDraft draft_pool(const PoolSource& source, const Schedule& from, bool revert, const Rng& rng,
                     std::size_t swept) {
    if (revert)
        if (Drafting back(source, from, rng, swept); back.revert()) return back.done();
    Drafting drawn(source, from, rng, swept);
    drawn.draw();
    return drawn.done();
}

}  // namespace cubinlab
