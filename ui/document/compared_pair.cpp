// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/compared_pair.h"

#include <utility>

#include "core/base/enum_names.h"
#include "core/model/explanation.h"
#include "core/tuning/evaluator_choice.h"
#include "ui/base/job_runner.h"

namespace cubinlab::ui {
namespace {

// Up to this many instructions a diff costs less than a frame and is made where it is asked for.
constexpr std::size_t kDiffAtOnce = 1500;

DiffPtr make_diff(const SchedulePtr& left, const SchedulePtr& right) {
    return std::make_shared<const ScheduleDiff>(diff_schedules(*left, *right));
}

}  // namespace

QString title_of(ScheduleSlot head) {
    return QLatin1String(enum_name<ScheduleSlot::Minimal>(
        {"Original", "Hand", "Agent's best", "Selected step", "Other file", "Minimal best"}, head, ""));
}

ComparedPair::ComparedPair(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

void ComparedPair::begin(const OpenKernel& open) {
    s_ = {};
    s_.original = s_.hand = s_.best = s_.left = s_.right = open.original;
    s_.diff = open.unchanged;
    s_.workload = open.workload;
}

void ComparedPair::announce() {
    Q_EMIT changed();
    request_liveness();
    request_timing();
}

void ComparedPair::set_checker(const CheckerPtr& checker) {
    s_.checker = checker;
    request_problems();
}

bool ComparedPair::takes(const SchedulePtr& schedule) const {
    return s_.original && schedule->kernel() == s_.original->kernel();
}

SchedulePtr ComparedPair::head(ScheduleSlot head) const {
    switch (head) {
        case ScheduleSlot::Original:
            return s_.original;
        case ScheduleSlot::Hand:
            return s_.hand;
        case ScheduleSlot::Best:
            return s_.best;
        case ScheduleSlot::Viewed:
            return s_.viewed;
        case ScheduleSlot::Other:
            return s_.other;
        case ScheduleSlot::Minimal:
            return s_.minimal;
    }
    return {};
}

SchedulePtr ComparedPair::shown(ScheduleSlot which) const {
    SchedulePtr schedule = head(which);
    return schedule ? schedule : s_.original;
}

void ComparedPair::refresh() {
    const SchedulePtr left = shown(s_.left_head);
    const SchedulePtr right = shown(s_.right_head);
    if (!left) return;
    if (left == s_.left && right == s_.right) {
        Q_EMIT changed();  // perhaps under other heads
        return;
    }
    if (left->size() <= kDiffAtOnce) {
        jobs_.cancel(QStringLiteral("diff"));
        set_shown(left, right, make_diff(left, right));
        return;
    }
    jobs_.run<DiffPtr>(
        QStringLiteral("diff"), [left, right](std::stop_token) { return make_diff(left, right); },
        [this, left, right](DiffPtr diff) { set_shown(left, right, std::move(diff)); });
}

void ComparedPair::set_shown(SchedulePtr left, SchedulePtr right, DiffPtr diff) {
    const bool left_new = left != s_.left;
    s_.left = std::move(left);
    s_.right = std::move(right);
    s_.diff = std::move(diff);
    if (left_new) s_.left_liveness.reset();
    Q_EMIT changed();
    request_liveness();
    request_problems();
    request_timing();
}

void ComparedPair::request_liveness() {
    if (!s_.original->kernel()->arch().decodable()) return;  // which registers it reads is not known
    struct Both {
        LivenessPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("liveness"),
        [left = s_.left, right = s_.right, known = s_.left_liveness](std::stop_token stop) {
            Both both;
            both.left = known ? known : std::make_shared<const Liveness>(compute_liveness(*left));
            if (stop.stop_requested()) return both;
            both.right =
                left == right ? both.left : std::make_shared<const Liveness>(compute_liveness(*right));
            return both;
        },
        [this](Both both) {
            s_.left_liveness = std::move(both.left);
            s_.right_liveness = std::move(both.right);
            Q_EMIT liveness_changed();
        });
}

// The hand editor has asked for every state of the hand schedule: it is not checked again.
void ComparedPair::request_problems() {
    if (!s_.checker) return;
    jobs_.run<CheckReport>(
        QStringLiteral("problems"),
        [checker = s_.checker, right = s_.right, proven = s_.right == s_.hand](std::stop_token) {
            if (!proven) return checker->report(*right);
            CheckReport report;
            report.notes = checker->notes(*right);
            return report;
        },
        [this](CheckReport report) {
            s_.problems = std::move(report.hazards);
            s_.check_notes = std::move(report.notes);
            Q_EMIT problems_changed();
        });
}

void ComparedPair::want_timing(bool on) {
    if (on == timing_wanted_) return;
    timing_wanted_ = on;
    if (on && s_.original) request_timing();
}

void ComparedPair::request_timing() {
    if (!timing_wanted_ || !s_.left || !s_.original->kernel()->arch().editable()) return;
    struct Both {
        std::shared_ptr<const SmModel> model;
        TimingPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("timing"),
        [left = s_.left, right = s_.right, model = s_.model, workload = s_.workload](std::stop_token stop) {
            Both both{model, {}, {}};
            if (!both.model)
                both.model = std::make_shared<const SmModel>(left->kernel(),
                                                             model_settings(*left->kernel(), workload));
            both.left = std::make_shared<const ModelRun>(both.model->run(*left));
            if (stop.stop_requested()) return both;
            both.right =
                *left == *right ? both.left : std::make_shared<const ModelRun>(both.model->run(*right));
            return both;
        },
        [this](Both both) {
            s_.model = std::move(both.model);
            s_.left_timing = std::move(both.left);
            s_.right_timing = std::move(both.right);
            Q_EMIT timing_changed();
        });
}

void ComparedPair::set_hand(SchedulePtr schedule) {
    s_.hand = std::move(schedule);
    s_.right_head = ScheduleSlot::Hand;
    set_follow_live(false);
    refresh();
}

void ComparedPair::show_left(ScheduleSlot head) {
    s_.left_head = head;
    refresh();
}

void ComparedPair::show_right(ScheduleSlot head) {
    s_.right_head = head;
    if (head != ScheduleSlot::Best) set_follow_live(false);
    refresh();
}

void ComparedPair::set_follow_live(bool on) {
    if (on == follow_live_) return;
    follow_live_ = on;
    if (on && s_.original) {
        s_.right_head = ScheduleSlot::Best;
        refresh();
    }
    Q_EMIT follow_live_changed(on);
}

void ComparedPair::set_best(SchedulePtr schedule, StepRef step) {
    if (!takes(schedule)) return;
    if (step != s_.best_step) {
        s_.minimal = nullptr;
        for (ScheduleSlot* shown : {&s_.left_head, &s_.right_head})
            if (*shown == ScheduleSlot::Minimal) *shown = ScheduleSlot::Best;
    }
    s_.best = std::move(schedule);
    s_.best_step = step;
    if (follow_live_) s_.right_head = ScheduleSlot::Best;
    if (shows(ScheduleSlot::Best)) refresh();
}

void ComparedPair::set_minimal(SchedulePtr schedule, const QString& about, const QString& edits) {
    if (!s_.original || (schedule && !takes(schedule))) return;
    s_.minimal = std::move(schedule);
    s_.minimal_about = about;
    s_.minimal_edits = edits;
    refresh();
}

void ComparedPair::set_other(SchedulePtr schedule, const std::filesystem::path& file) {
    if (!takes(schedule)) return;
    s_.other = std::move(schedule);
    s_.other_name = QString::fromStdString(file.filename().string());
    s_.other_path = file;
    show_left(ScheduleSlot::Other);
}

void ComparedPair::set_viewed(SchedulePtr schedule, StepRef step) {
    if (!takes(schedule)) return;
    s_.viewed = std::move(schedule);
    s_.viewed_step = step;
    show_right(ScheduleSlot::Viewed);
}

}  // namespace cubinlab::ui
