// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo without limit: a cursor over mutations and their inverses. A branch that is left by a new
// edit after undo stays in the session log; the history keeps only the current line.
#pragma once
#include <string>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

class EditHistory {
  public:
    struct Entry {
        Mutation forward;
        Mutation backward;
        std::string label;
    };

    explicit EditHistory(Schedule start);

    const Schedule& current() const { return current_; }
    Status push(const Mutation& mutation, std::string label);  // applies it; drops what was undone
    bool can_undo() const { return cursor_ > 0; }
    bool can_redo() const { return cursor_ < entries_.size(); }
    Result<Mutation> undo();  // the mutation that was applied (the inverse), for the log
    Result<Mutation> redo();
    Status go_to(std::size_t cursor);
    std::size_t cursor() const { return cursor_; }
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    Schedule current_;
    std::vector<Entry> entries_;
    std::size_t cursor_ = 0;
};

}  // namespace cubinlab
