// SPDX-License-Identifier: GPL-3.0-or-later
// The user's notes on a kernel, stored across sessions by code hash: bookmarks, locks and agent scope.
// Instructions are named by their original index, so notes follow them when they move.
#pragma once
#include <QObject>
#include <set>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab::ui {

class KernelNotes : public QObject {
    Q_OBJECT

  public:
    explicit KernelNotes(QObject* parent = nullptr);

    void load(const KernelPtr& kernel);  // null: none is open
    const std::set<InstrId>& bookmarks() const { return bookmarks_; }
    const std::set<InstrId>& locked() const { return locked_; }
    bool bookmarked(InstrId id) const { return bookmarks_.contains(id); }
    bool locked(InstrId id) const { return locked_.contains(id); }
    // What the agent may edit; both empty: everything that is not locked.
    const std::set<InstrId>& scope() const { return scope_; }
    bool in_scope(InstrId id) const { return scope_.empty() || scope_.contains(id); }

    void toggle_bookmark(InstrId id);
    void clear_bookmarks();
    // The next bookmark after `from` in the order of the schedule, with wrap-around; kNone: none.
    InstrId next_bookmark(const Schedule& schedule, InstrId from, int direction) const;

    void set_locked(const std::vector<InstrId>& ids, bool on);
    void set_scope(const std::vector<InstrId>& ids);  // empty: everywhere
    void clear_locks();                               // and the scope

    // Every instruction that a run must not move or edit.
    std::vector<InstrId> closed_to_agents() const;

  Q_SIGNALS:
    void changed();

  private:
    void save();

    KernelPtr kernel_;
    std::set<InstrId> bookmarks_, locked_, scope_;
};

}  // namespace cubinlab::ui
