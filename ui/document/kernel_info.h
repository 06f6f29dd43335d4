// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernel dock: the bottleneck of the shown schedules (limits.h), with links to the instructions, then the
// facts of the kernel: architecture, resources, parameters, instruction mix, occupancy steps, stall counts.
#pragma once
#include <QElapsedTimer>
#include <QString>
#include <QTextBrowser>
#include <QTimer>
#include <optional>
#include <vector>

#include "core/insight/liveness.h"
#include "ui/document/limits.h"

namespace cubinlab::ui {

class Document;
class JobRunner;
class Selection;

// The content of KernelInfoPanel as plain values.
struct MixRow {
    QString name;  // "Tensor", "Shared memory"
    int count = 0;
};

struct ScheduleFacts {
    QString title;            // "Original", "Hand"
    qint64 stall_cycles = 0;  // sum of stall counts, each instruction once
    qint64 loop_stalls = 0;   // the part inside loops
    int peak_live = 0;        // GPRs, 0: not computed yet
};

struct KernelFacts {
    QString name, whole_name, file, arch, hash, listing,
        editing;          // `editing`: why not editable, empty if it is
    bool decoded = true;  // false: blocks, loops and mix are unknown
    int instructions = 0, blocks = 0, loops = 0;
    int registers = 0, barriers = 0;
    qint64 static_shared = 0, dynamic_shared = 0, local = 0, constant = 0;
    QString params, required_block, max_threads;
    int threads_per_block = 0;  // 0: unknown, occupancy is not shown
    bool threads_from_workload = false;
    std::vector<OccupancyStep> occupancy;
    std::vector<MixRow> mix;  // largest first
    ScheduleFacts left, right;
    int moved = 0, control_changed = 0;
};

KernelFacts gather_facts(const Document& document);
// The mix groups of a unit; all other instructions count as "Other".
QString mix_group(Unit unit);
QString facts_html(const KernelFacts& facts, bool narrow);  // narrow: without bars

class KernelInfoPanel : public QTextBrowser {
    Q_OBJECT

  public:
    KernelInfoPanel(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);
    explicit KernelInfoPanel(QWidget* parent = nullptr);
    void set_facts(const std::optional<KernelFacts>& facts);
    void set_limits(LimitsPtr limits);
    const LimitsPtr& limits() const { return limits_; }

    QSize sizeHint() const override { return {340, 420}; }

  Q_SIGNALS:
    void limits_changed();

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void show_all();
    void facts_stale();
    void gather();
    bool limits_coming() const;  // a job computes them or will start soon
    void limits_stale();
    void request_limits();
    std::optional<KernelFacts> facts_;
    Document* document_ = nullptr;
    JobRunner* jobs_ = nullptr;
    LimitsPtr limits_;
    std::shared_ptr<KernelExplainer> explainer_;
    QTimer facts_timer_, limits_timer_;
    QElapsedTimer since_shown_;
    QString html_;  // what is shown
    bool facts_wanted_ = false, limits_wanted_ = false;
    bool narrow_ = false;
};

}  // namespace cubinlab::ui
