// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run as a table of any length. The model shows a window of the filtered steps, as many rows as
// the view has room for, because Qt's views keep some bytes per model row. MutationLog moves the window with
// its own scroll bar.
//
// It keeps some bytes per step (StepIndex). Records come from the last batches or, if older, from the
// session file through the fetcher; at most a few thousand stay in memory. A row being read shows "...".
#pragma once
#include <QAbstractTableModel>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/search/engine/tune_run.h"
#include "core/store/session.h"
#include "ui/run/step_measurements.h"

namespace cubinlab::ui {

// Every step of a run in four bytes, for filters and the replay slider without reading the session. 1.8
// million steps take 7 MB; the records stay in the session file. A step of several edits takes eight more
// bytes and four per further instruction.
struct StepBrief {
    std::uint32_t instr : 18;   // of the first edit; 2^18 - 1: an id that does not fit, or none
    std::uint32_t kind : 4;     // MutationKind
    std::uint32_t outcome : 3;  // OutcomeKind
    std::uint32_t verdict : 2;  // Verdict
    std::uint32_t accepted : 1;
    std::uint32_t best : 1;
    std::uint32_t repeated : 1;
    std::uint32_t present : 1;  // 0: a gap in the numbering
    std::uint32_t several : 1;  // its edits are of more than one instruction
};
static_assert(sizeof(StepBrief) == 4);
static_assert(kMutationKinds <= 16);

struct StepFilter {
    std::uint32_t kinds = 0xffff;   // bit i: MutationKind i
    std::uint32_t outcomes = 0xff;  // bit i: OutcomeKind i
    bool accepted_only = false;
    bool best_only = false;
    std::vector<bool> instructions;  // by InstrId; empty: all
    bool everything() const;
    // `further`: the instructions that the step edits in addition to the brief's.
    bool admits(const StepBrief& brief, std::span<const InstrId> further) const;
    friend bool operator==(const StepFilter&, const StepFilter&) = default;
};

class StepIndex {
  public:
    void clear();
    void add(const StepRecord& record);  // steps ascend; others are ignored
    StepId last() const { return static_cast<StepId>(briefs_.size()); }
    bool has(StepId step) const;
    StepBrief at(StepId step) const { return briefs_[static_cast<std::size_t>(step - 1)]; }
    bool admits(StepId step, const StepFilter& filter) const {
        return filter.admits(at(step), further(step));
    }
    // Nearest step after `from` in `direction` (+1, -1) that matches the filter; 0: none.
    StepId next(StepId from, int direction, const StepFilter& filter) const;

  private:
    struct Further {
        std::uint32_t step = 0;
        std::uint32_t begin = 0;  // its part of further_ids_ ends where the next one begins
    };
    void keep_further(const StepRecord& record);
    std::span<const InstrId> further(StepId step) const;

    std::deque<StepBrief> briefs_;      // step 1 first
    std::vector<Further> further_;      // of the steps with `several`, ascending
    std::vector<InstrId> further_ids_;  // contiguous, so that a step costs no allocation
};

class MutationModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Step,
        Time,
        Kind,
        Instr,
        Change,
        OutcomeText,
        VerdictText,
        Gain,
        Interval,
        Reward,
        Mark,
        Measured,
        kColumns
    };
    static constexpr int StepRole = Qt::UserRole + 1;   // qlonglong
    static constexpr int InstrRole = Qt::UserRole + 2;  // InstrId

    explicit MutationModel(QObject* parent = nullptr);

    void begin_run(const RunInfo& run);
    void append(const std::vector<StepRecord>& steps);
    void set_measurements(const StepMeasurements& measured);  // null: none
    bool has_measurements() const { return measured_ != nullptr && !measured_->empty(); }
    // Display text by InstrId, and the one-line description of a mutation.
    void set_texts(std::vector<QString> by_instr, std::function<QString(const Mutation&)> describe);
    // Called for steps that are not in memory; responds with deliver(), now or later. Must not block.
    void set_fetcher(std::function<void(std::vector<StepId>)> fetcher) { fetcher_ = std::move(fetcher); }
    void deliver(const std::vector<StepRecord>& records);

    void set_filter(const StepFilter& filter);
    const StepFilter& filter() const { return filter_; }
    std::vector<bool> instructions_matching(const QString& text) const;  // empty: all

    qint64 total() const;  // rows over which the window moves
    qint64 first() const { return first_; }
    void set_window(qint64 first, int count);  // clamped
    StepId step_of_row(qint64 row) const;      // of all rows, 0-based; 0: none
    qint64 row_of_step(StepId step) const;     // the nearest row at or before; -1: none
    const StepIndex& steps() const { return index_; }
    const RunInfo& run() const { return run_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  Q_SIGNALS:
    void total_changed(qint64 total);
    void measurements_changed();

  private:
    static int alignment(int column);
    void rebuild_rows();
    void resize_window(int count);
    void window_changed();
    void want_missing();
    void keep(StepRecord record);
    const StepRecord* record(StepId step) const;
    const HandFigure* measured(StepId step) const;
    QVariant text(const StepRecord& record, int column) const;
    QVariant color(const StepRecord& record, int column) const;

    RunInfo run_;
    StepIndex index_;
    StepFilter filter_;
    StepMeasurements measured_;
    std::deque<std::uint32_t> rows_;  // steps that match the filter; unused without one
    std::vector<QString> texts_;
    std::function<QString(const Mutation&)> describe_;
    std::function<void(std::vector<StepId>)> fetcher_;
    std::unordered_map<StepId, StepRecord> cache_;
    std::deque<StepId> age_;  // of cache_, oldest first
    std::set<StepId> asked_;
    qint64 first_ = 0;
    int shown_ = 0;  // rows the model says it has
    int room_ = 0;   // rows the view has room for
};

}  // namespace cubinlab::ui
