// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of edits that measured better than their parent schedule but did not become best: another proposal of the same
// batch did, or the gain was too small to be certain. Each may still gain on the current best schedule, and several small
// gains together are large enough to be measured.
#pragma once
#include <cstddef>
#include <vector>

#include "core/search/moves/neighbourhood.h"

namespace cubinlab {

class EditPool {
  public:
    static constexpr std::size_t kMost = 24;

    // `gain`: log speed-up over the parent schedule, positive. A full pool drops the smallest gain.
    void add(Mutation mutation, double gain);
    void add_all(const EditPool& other);
    void forget(const Mutation& mutation);
    void keep(std::size_t most);  // the largest
    bool empty() const { return kept_.empty(); }
    std::size_t size() const { return kept_.size(); }

    // Applies the `most` largest to `schedule`, except those that are not legal after the others; empty if
    // none is legal.
    std::optional<Edited> largest(const Neighbourhood& around, const Schedule& schedule,
                                  std::size_t most) const;
    // Two to four edits, drawn; large gains more often.
    std::optional<Edited> some(const Neighbourhood& around, const Schedule& schedule, Rng& rng) const;

  private:
    struct Entry {
        Mutation mutation;
        double gain = 0;
    };
    std::vector<Entry> kept_;  // largest gain first
};

// Appends `next`, an edit of the result of `all`, to `all`.
void append_edit(std::optional<Edited>& all, Edited next);

}  // namespace cubinlab
