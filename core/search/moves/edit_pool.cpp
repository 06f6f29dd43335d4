// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/edit_pool.h"

#include <algorithm>

namespace cubinlab {

void append_edit(std::optional<Edited>& all, Edited next) {
    if (!all) {
        all = std::move(next);
        return;
    }
    all->mutation.edits.insert(all->mutation.edits.end(), next.mutation.edits.begin(),
                               next.mutation.edits.end());
    all->result = std::move(next.result);
}

void EditPool::add(Mutation mutation, double gain) {
    const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const Entry& e) { return e.gain < gain; });
    kept_.insert(at, {std::move(mutation), gain});
    if (kept_.size() > kMost) kept_.pop_back();
}

void EditPool::add_all(const EditPool& other) {
    for (const Entry& entry : other.kept_)
        add(entry.mutation, entry.gain);
}

void EditPool::keep(std::size_t most) {
    if (kept_.size() > most) kept_.resize(most);
}

void EditPool::forget(const Mutation& mutation) {
    std::erase_if(kept_, [&](const Entry& e) { return e.mutation == mutation; });
}

std::optional<Edited> EditPool::largest(const Neighbourhood& around, const Schedule& schedule,
                                         std::size_t most) const {
    std::optional<Edited> all;
    for (std::size_t i = 0; i < kept_.size() && i < most; ++i)
        if (auto one = around.apply(all ? all->result : schedule, kept_[i].mutation))
            append_edit(all, std::move(*one));
    if (all && all->result == schedule) return std::nullopt;
    return all;
}

std::optional<Edited> EditPool::some(const Neighbourhood& around, const Schedule& schedule, Rng& rng) const {
    if (kept_.size() < 2) return std::nullopt;
    const std::size_t wanted = 2 + rng.below(3);
    std::optional<Edited> all;
    std::size_t found = 0;
    for (std::size_t tries = 0; tries < 12 && found < wanted; ++tries) {
        // The smaller of two random ranks: large gains are drawn up to twice as often.
        const auto count = static_cast<std::uint32_t>(kept_.size());
        const std::size_t rank = std::min(rng.below(count), rng.below(count));
        auto one = around.apply(all ? all->result : schedule, kept_[rank].mutation);
        if (!one) continue;
        ++found;
        append_edit(all, std::move(*one));
    }
    if (found < 2 || all->result == schedule) return std::nullopt;
    return all;
}

}  // namespace cubinlab
