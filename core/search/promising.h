// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that looked better than the schedule they were made from and yet did not become best: another one of
// the same batch did, or the gain was too small to be sure of. Each may still be worth something on the
// schedule that is best now, and several small gains together are large enough to be seen.
#pragma once
#include <cstddef>
#include <vector>

#include "core/search/neighbourhood.h"

namespace cubinlab {

class Promising {
  public:
    static constexpr std::size_t kMost = 24;

    // `gain`: log speed-up over the schedule it was made from, positive. The smallest one gives way.
    void add(Mutation mutation, double gain);
    void add_all(const Promising& other);
    void forget(const Mutation& mutation);
    void keep(std::size_t most);  // the largest
    bool empty() const { return kept_.empty(); }
    std::size_t size() const { return kept_.size(); }

    // The `most` largest on `schedule`, each where it is still legal after those before it; empty where none
    // is.
    std::optional<Edited> largest(const Neighbourhood& around, const Schedule& schedule,
                                  std::size_t most) const;
    // Two to four of them, large ones more often.
    std::optional<Edited> some(const Neighbourhood& around, const Schedule& schedule, Rng& rng) const;

  private:
    struct Entry {
        Mutation mutation;
        double gain = 0;
    };
    std::vector<Entry> kept_;  // largest gain first
};

// `next` after `all`, as one mutation of the schedule that `all` was made from.
void append_edit(std::optional<Edited>& all, Edited next);

}  // namespace cubinlab
