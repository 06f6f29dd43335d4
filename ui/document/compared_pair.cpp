// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/compared_pair.h"

#include <cassert>
#include <utility>

#include "core/base/enum_names.h"
#include "core/model/explanation.h"
#include "ui/base/job_runner.h"

namespace cubinlab::ui {
namespace {

// Up to this many instructions a diff costs less than a frame and is made where it is asked for.
constexpr std::size_t kDiffAtOnce = 1500;

DiffPtr make_diff(const SchedulePtr& left, const SchedulePtr& right) {
    return std::make_shared<const ScheduleDiff>(diff_schedules(*left, *right));
}

}  // namespace

QString title_of(ScheduleSlot slot) {
    return QLatin1String(enum_name<ScheduleSlot::Minimal>(
        {"Original", "Hand", "Agent's best", "Selected step", "Other file", "Minimal best"}, slot, ""));
}

Schedule on_kernel(const KernelPtr& kernel, const Schedule& schedule) {
    assert(kernel->hash() == schedule.kernel()->hash());
    if (kernel == schedule.kernel()) return schedule;
    Schedule out(kernel);
    for (Position p = 0; p < schedule.size(); ++p)
        if (out.at(p) != schedule.at(p)) out.move(schedule.at(p), p);
    for (InstrId id = 0; id < schedule.size(); ++id)
        for (const FieldKind* kind : kFieldKinds)
            if (const FieldBits bits = schedule.field(*kind, id); bits != out.field(*kind, id))
                out.set_field(*kind, id, bits);
    return out;
}

ComparedPair::ComparedPair(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

void ComparedPair::begin(const OpenKernel& open) {
    s_ = {};
    s_.original = s_.hand = s_.best = s_.left = s_.right = open.original;
    s_.diff = open.unchanged;
    s_.start = open.start;
    s_.model = std::make_shared<const LaunchModel>(open.kernel, open.workload);
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

QString ComparedPair::title(ScheduleSlot slot) const {
    return slot == ScheduleSlot::Original && !s_.start.isEmpty() ? s_.start : title_of(slot);
}

SchedulePtr ComparedPair::schedule(ScheduleSlot slot) const {
    switch (slot) {
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
    SchedulePtr found = schedule(which);
    return found ? found : s_.original;
}

void ComparedPair::refresh() {
    const SchedulePtr left = shown(s_.left_slot);
    const SchedulePtr right = shown(s_.right_slot);
    if (!left) return;
    if (left == s_.left && right == s_.right) {
        Q_EMIT changed();  // perhaps under other slots
        return;
    }
    DiffPtr diff = diff_of(left, right);
    if (!diff) return;
    if (left != s_.left) s_.left_liveness.reset();
    s_.left = left;
    s_.right = right;
    s_.diff = std::move(diff);
    Q_EMIT changed();
    request_liveness();
    request_problems();
    request_timing();
}

// Null: a job makes it and then refreshes.
DiffPtr ComparedPair::diff_of(const SchedulePtr& left, const SchedulePtr& right) {
    if (s_.made.diff && s_.made.left == left && s_.made.right == right)
        return std::exchange(s_.made, {}).diff;
    if (left->size() <= kDiffAtOnce) return make_diff(left, right);
    jobs_.run<DiffPtr>(
        QStringLiteral("diff"), [left, right](std::stop_token) { return make_diff(left, right); },
        [this, left, right](DiffPtr diff) {
            s_.made = {left, right, std::move(diff)};
            refresh();
        });
    return nullptr;
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
        TimingPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("timing"),
        [left = s_.left, right = s_.right, launch = s_.model](std::stop_token stop) {
            const SmModel& model = launch->get().model();
            Both both{std::make_shared<const ModelRun>(model.run(*left)), {}};
            if (stop.stop_requested()) return both;
            both.right = *left == *right ? both.left : std::make_shared<const ModelRun>(model.run(*right));
            return both;
        },
        [this](Both both) {
            s_.left_timing = std::move(both.left);
            s_.right_timing = std::move(both.right);
            Q_EMIT timing_changed();
        });
}

void ComparedPair::set_hand(SchedulePtr schedule) {
    s_.hand = std::move(schedule);
    s_.right_slot = ScheduleSlot::Hand;
    set_follow_live(false);
    refresh();
}

void ComparedPair::show_left(ScheduleSlot slot) {
    s_.left_slot = slot;
    refresh();
}

void ComparedPair::show_right(ScheduleSlot slot) {
    s_.right_slot = slot;
    if (slot != ScheduleSlot::Best) set_follow_live(false);
    refresh();
}

void ComparedPair::set_follow_live(bool on) {
    if (on == follow_live_) return;
    follow_live_ = on;
    if (on && s_.original) {
        s_.right_slot = ScheduleSlot::Best;
        refresh();
    }
    Q_EMIT follow_live_changed(on);
}

void ComparedPair::set_best(SchedulePtr schedule, StepRef step) {
    if (!takes(schedule)) return;
    if (step != s_.best_step) {
        s_.minimal = nullptr;
        for (ScheduleSlot* shown : {&s_.left_slot, &s_.right_slot})
            if (*shown == ScheduleSlot::Minimal) *shown = ScheduleSlot::Best;
    }
    s_.best = std::move(schedule);
    s_.best_step = step;
    if (follow_live_) s_.right_slot = ScheduleSlot::Best;
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
