// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "core/tuning/evaluator_choice.h"
#include "core/model/explanation.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"

namespace cubinlab::ui {
namespace {

// Up to this many instructions a diff costs less than a frame and is made where it is asked for.
constexpr std::size_t kDiffAtOnce = 1500;

DiffPtr make_diff(const SchedulePtr& left, const SchedulePtr& right) {
    return std::make_shared<const ScheduleDiff>(diff_schedules(*left, *right));
}

}  // namespace

QString title_of(Head head) {
    switch (head) {
        case Head::Original:
            return Document::tr("Original");
        case Head::Hand:
            return Document::tr("Hand");
        case Head::Best:
            return Document::tr("Agent's best");
        case Head::Viewed:
            return Document::tr("Viewed step");
        case Head::Other:
            return Document::tr("Other file");
        case Head::Minimal:
            return Document::tr("Best, minimised");
    }
    return {};
}

Document::Document(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}
Document::~Document() = default;

// ---- opening ----

void Document::adopt(OpenKernel open) {
    leave();
    s_ = {};
    s_.hand = s_.best = s_.left = s_.right = open.original;
    s_.diff = open.unchanged;
    s_.tree = std::make_unique<HandTree>(*open.original);
    s_.open = std::move(open);
    Q_EMIT opened();
    Q_EMIT pair_changed();
    Q_EMIT hand_changed();
    request_checker();
    request_analysis();
    request_timing();
    request_file_check();
    if (s_.open.listing.source == ListingSource::BuiltIn) request_nvdisasm();
}

void Document::leave() {
    if (is_open()) Q_EMIT leaving();
    jobs_.end_kernel();
}

void Document::close() {
    if (!is_open()) return;
    leave();
    s_ = {};
    Q_EMIT closed();
}

// As command `check FILE` judges it. What it finds is said of the file, never of an edit.
void Document::request_file_check() {
    if (!s_.open.kernel->arch().editable()) {
        s_.file_check.state = FileCheck::State::Impossible;
        s_.file_check.problem = why_not_editable();
        Q_EMIT file_checked();
        return;
    }
    jobs_.run<Result<CheckReport>>(
        QStringLiteral("file-check"),
        [kernel = s_.open.kernel](std::stop_token) { return check_kernel(kernel); },
        [this](Result<CheckReport> report) {
            if (report) {
                s_.file_check.state = FileCheck::State::Done;
                s_.file_check.report = std::make_shared<const CheckReport>(std::move(*report));
            } else {
                s_.file_check.state = FileCheck::State::Impossible;
                s_.file_check.problem = QString::fromStdString(report.error().message());
            }
            Q_EMIT file_checked();
        });
}

void Document::request_checker() {
    if (!s_.open.kernel->arch().editable()) {
        Q_EMIT checker_ready();
        return;
    }
    jobs_.run<Result<CheckerPtr>>(
        QStringLiteral("checker"),
        [kernel = s_.open.kernel](std::stop_token) { return HazardChecker::create(kernel); },
        [this](Result<CheckerPtr> checker) {
            if (checker) {
                s_.checker = std::move(*checker);
                request_analysis();
            } else {
                s_.checker_problem = QString::fromStdString(checker.error().message());
                Q_EMIT not_editable(checker.error());
            }
            Q_EMIT checker_ready();
        });
}

void Document::request_nvdisasm() {
    DisassemblerSettings settings;
    settings.nvdisasm = Settings().nvdisasm().toStdString();
    jobs_.run<Listing>(
        QStringLiteral("nvdisasm"),
        [kernel = s_.open.kernel, stored = s_.open.stored_listing, settings](std::stop_token stop) {
            return list_kernel(kernel->cubin(), kernel->info(), settings, stored, stop);
        },
        [this](Listing listing) {
            if (listing.lines.size() != s_.open.kernel->size()) return;
            const bool better = listing.source != s_.open.listing.source;
            s_.open.listing = std::move(listing);  // at least it says why there is no better one
            if (better) Q_EMIT listing_changed();
            if (!better && !s_.open.kernel->arch().decodable()) Q_EMIT words_only();
        });
}

// ---- texts ----

QStringList Document::kernel_names() const {
    QStringList names;
    if (s_.open.kernel)
        for (const KernelInfo& info : s_.open.kernel->cubin().kernels())
            names << QString::fromStdString(info.name);
    return names;
}

QString Document::text_of(InstrId id) const {
    if (id >= s_.open.listing.lines.size()) return {};
    return QString::fromStdString(s_.open.listing.lines[id]);
}

QString Document::name_of(InstrId id, const Schedule& schedule) const {
    if (!s_.open.kernel || id >= s_.open.kernel->size()) return {};
    return QString::fromStdString(instr_name(schedule, id));
}

QString Document::explanation_of(const Hazard& hazard, const Schedule& schedule) const {
    return QString::fromStdString(
        explanation_by(hazard, [&](InstrId id) { return instr_name(schedule, id); }));
}

// ---- heads and the shown pair ----

SchedulePtr Document::head(Head head) const {
    switch (head) {
        case Head::Original:
            return s_.open.original;
        case Head::Hand:
            return s_.hand;
        case Head::Best:
            return s_.best;
        case Head::Viewed:
            return s_.viewed;
        case Head::Other:
            return s_.other;
        case Head::Minimal:
            return s_.minimal;
    }
    return {};
}

SchedulePtr Document::shown(Head which) const {
    SchedulePtr schedule = head(which);
    return schedule ? schedule : s_.open.original;
}

void Document::refresh_pair() {
    const SchedulePtr left = shown(s_.left_head);
    const SchedulePtr right = shown(s_.right_head);
    if (!left) return;
    if (left == s_.left && right == s_.right) {
        Q_EMIT pair_changed();  // perhaps under other heads
        return;
    }
    if (left->size() <= kDiffAtOnce) {
        jobs_.cancel(QStringLiteral("diff"));
        set_pair(left, right, make_diff(left, right));
        return;
    }
    jobs_.run<DiffPtr>(
        QStringLiteral("diff"), [left, right](std::stop_token) { return make_diff(left, right); },
        [this, left, right](DiffPtr diff) { set_pair(left, right, std::move(diff)); });
}

void Document::set_pair(SchedulePtr left, SchedulePtr right, DiffPtr diff) {
    const bool left_new = left != s_.left;
    s_.left = std::move(left);
    s_.right = std::move(right);
    s_.diff = std::move(diff);
    if (left_new) s_.left_liveness.reset();
    Q_EMIT pair_changed();
    request_analysis();
    request_timing();
}

void Document::request_analysis() {
    if (!s_.open.kernel->arch().decodable()) return;  // which registers it reads is not known
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
    if (!s_.checker) return;
    jobs_.run<CheckReport>(
        QStringLiteral("problems"),
        [checker = s_.checker, right = s_.right](std::stop_token) { return checker->report(*right); },
        [this](CheckReport report) {
            s_.problems = std::move(report.hazards);
            s_.check_notes = std::move(report.notes);
            Q_EMIT problems_changed();
        });
}

void Document::want_timing(bool on) {
    if (on == timing_wanted_) return;
    timing_wanted_ = on;
    if (on && is_open()) request_timing();
}

void Document::request_timing() {
    if (!timing_wanted_ || !s_.left) return;
    struct Both {
        std::shared_ptr<const SmModel> model;
        TimingPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("timing"),
        [left = s_.left, right = s_.right, model = s_.model,
         workload = s_.open.workload](std::stop_token stop) {
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

void Document::show_left(Head head) {
    s_.left_head = head;
    refresh_pair();
}

void Document::show_right(Head head) {
    s_.right_head = head;
    if (head != Head::Best) set_follow_live(false);
    refresh_pair();
}

void Document::set_follow_live(bool on) {
    if (on == follow_live_) return;
    follow_live_ = on;
    if (on && is_open()) {
        s_.right_head = Head::Best;
        refresh_pair();
    }
    Q_EMIT follow_live_changed(on);
}

void Document::set_best(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != s_.open.kernel) return;
    if (step != s_.best_step) {
        s_.minimal = nullptr;
        for (Head* shown : {&s_.left_head, &s_.right_head})
            if (*shown == Head::Minimal) *shown = Head::Best;
    }
    s_.best = std::move(schedule);
    s_.best_step = step;
    if (follow_live_) s_.right_head = Head::Best;
    if (shows(Head::Best)) refresh_pair();
}

void Document::set_minimal(SchedulePtr schedule, const QString& about, const QString& edits) {
    if (!is_open() || (schedule && schedule->kernel() != s_.open.kernel)) return;
    s_.minimal = std::move(schedule);
    s_.minimal_about = about;
    s_.minimal_edits = edits;
    refresh_pair();
}

void Document::set_other(SchedulePtr schedule, const std::filesystem::path& file) {
    if (!is_open() || schedule->kernel() != s_.open.kernel) return;
    s_.other = std::move(schedule);
    s_.other_name = QString::fromStdString(file.filename().string());
    s_.other_path = file;
    show_left(Head::Other);
}

void Document::set_viewed(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != s_.open.kernel) return;
    s_.viewed = std::move(schedule);
    s_.viewed_step = step;
    show_right(Head::Viewed);
}

}  // namespace cubinlab::ui
