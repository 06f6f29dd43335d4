// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run as a table of any length. The model shows a window of the filtered steps, as many rows as
// the view has room for, because Qt's views keep some bytes per model row. MutationLog moves the window with
// its own scroll bar.
//
// It keeps some bytes per step (step_index.h). Records come from the last batches or, if older, from the
// session file through the fetcher; at most a few thousand stay in memory. A row being read shows "...".
#pragma once
#include <QAbstractTableModel>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/store/session.h"
#include "ui/run/step_index.h"
#include "ui/run/step_measurements.h"

namespace cubinlab::ui {

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
