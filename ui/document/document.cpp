// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/binary/kernel_label.h"
#include "core/tuning/evaluator_choice.h"
#include "core/model/explanation.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"

namespace cubinlab::ui {
namespace {

// Up to this many instructions a diff costs less than a frame and is computed synchronously.
constexpr std::size_t kDiffAtOnce = 1500;
const auto kOpenTag = QString::fromLatin1(kOpenJob);

SchedulePtr share(Schedule schedule) {
    return std::make_shared<const Schedule>(std::move(schedule));
}

DiffPtr make_diff(const SchedulePtr& left, const SchedulePtr& right) {
    return std::make_shared<const ScheduleDiff>(diff_schedules(*left, *right));
}

}  // namespace

QString title_of(ScheduleSlot head) {
    switch (head) {
        case ScheduleSlot::Original:
            return Document::tr("Original");
        case ScheduleSlot::Hand:
            return Document::tr("Hand");
        case ScheduleSlot::Best:
            return Document::tr("Agent's best");
        case ScheduleSlot::Viewed:
            return Document::tr("Selected step");
        case ScheduleSlot::Other:
            return Document::tr("Other file");
        case ScheduleSlot::Minimal:
            return Document::tr("Minimal best");
    }
    return {};
}

Document::Document(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}
Document::~Document() = default;

// ---- opening ----

// Reads and computes on a job's thread whatever the views need at once.
Document::State Document::state_of(KernelPtr kernel, const std::filesystem::path& path,
                                   std::optional<std::string> stored, std::stop_token stop) {
    DisassemblerSettings quick;
    quick.allow_nvdisasm = false;  // it takes seconds and runs after the window shows the kernel
    if (!stored)
        if (auto beside = read_text(default_listing_path(path))) stored = std::move(*beside);
    State state;
    state.path = path;
    state.stored_listing = stored;
    state.listing = list_kernel(kernel->cubin(), kernel->info(), quick, std::move(stored), stop);
    state.original = share(Schedule(kernel));
    state.hand = state.best = state.left = state.right = state.original;
    state.diff = make_diff(state.left, state.right);
    state.tree = std::make_unique<HandTree>(*state.original);
    state.kernel = std::move(kernel);
    return state;
}

KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop) {
    KernelChoices out{std::move(container), {}, {}, std::move(wish)};
    out.list = list_kernels(*out.container, stop);
    std::vector<std::string> names;
    for (const ImageContents& image : out.list.images)
        for (const KernelEntry& k : image.kernels)
            names.push_back(k.demangled);
    out.labels = kernel_labels(names);
    return out;
}

Result<Document::State> Document::load(const std::filesystem::path& path, const KernelQuery& wish,
                                       std::stop_token stop) {
    auto container = TRY(Container::open(path));
    const std::vector<Image>& images = container->images();
    const bool plain =
        images.size() == 1 && images.front().kind == ImageKind::Elf && !images.front().in_fatbin;
    if (plain && wish.kernel.empty()) {
        auto cubin = TRY(container->cubin(images.front()));
        const std::vector<KernelInfo>& all = cubin->kernels();
        const auto largest = std::max_element(
            all.begin(), all.end(),
            [](const KernelInfo& a, const KernelInfo& b) { return a.code_size < b.code_size; });
        return load_kernel(cubin, largest->name, stop);
    }
    auto choice = choose_kernel(*container, wish, stop);
    if (choice) {
        auto state = load_kernel(choice->cubin, choice->kernel, stop);
        if (state && images.size() > 1 && images[choice->image].file == container->where())
            state->image = QString::number(choice->image + 1);
        return state;
    }
    if (choice.error().code != ErrorCode::BadUse) return fail(choice.error());
    State state;
    state.choices = std::make_shared<KernelChoices>(choices_of(container, wish.kernel, stop));
    return state;
}

Result<Document::State> Document::load_kernel(const std::shared_ptr<const Cubin>& cubin,
                                              const std::string& name, std::stop_token stop) {
    auto kernel = TRY(Kernel::load(cubin, name));
    State state = state_of(kernel, cubin->where(), {}, stop);
    if (auto workload = find_workload(*kernel, {}))
        state.workload = std::move(*workload);
    else
        state.workload_problem = QString::fromStdString(workload.error().message());
    return state;
}

void Document::open(const std::filesystem::path& file, const QString& kernel_name, const QString& image) {
    Q_EMIT opening(QString::fromStdString(file.string()));
    start_load([file, wish = KernelQuery{kernel_name.toStdString(), {}, image.toStdString()}](
                   std::stop_token stop) { return load(file, wish, stop); });
}

void Document::open_kernel(KernelPtr kernel, std::optional<std::string> stored_listing,
                           std::string workload_json) {
    Q_EMIT opening(QString::fromStdString(kernel->cubin().where()));
    start_load([kernel = std::move(kernel), stored = std::move(stored_listing),
                json = std::move(workload_json)](std::stop_token stop) -> Result<State> {
        State state = state_of(kernel, kernel->cubin().where(), stored, stop);
        if (json.empty()) return state;
        auto workload = Workload::parse(json);
        if (workload) {
            if (const auto valid = workload->validate_against(kernel->info()); valid)
                state.workload = std::move(*workload);
            else
                state.workload_problem = QString::fromStdString(valid.error().message());
        } else {
            state.workload_problem = QString::fromStdString(workload.error().message());
        }
        return state;
    });
}

void Document::start_load(std::function<Result<State>(std::stop_token)> work) {
    jobs_.run<Result<State>>(
        kOpenTag, std::move(work),
        [this](Result<State> state) {
            if (state && state->choices)
                Q_EMIT choice_wanted(state->choices);
            else if (state)
                adopt(std::move(*state));
            else
                Q_EMIT failed(state.error());
        },
        JobRunner::Scope::Window);
}

// Opening another kernel first closes the open one.
void Document::adopt(State state) {
    leave();
    s_ = std::move(state);
    Q_EMIT opened();
    Q_EMIT pair_changed();
    Q_EMIT hand_changed();
    request_checker();
    request_analysis();
    request_timing();
    request_file_check();
    if (s_.listing.source == ListingSource::BuiltIn) request_nvdisasm();
}

void Document::leave() {
    if (is_open()) Q_EMIT leaving();
    jobs_.end_kernel();
}

void Document::close() {
    jobs_.cancel(kOpenTag);
    if (!is_open()) return;
    leave();
    s_ = {};
    Q_EMIT closed();
}

// Like `cubinlab check FILE`. Findings are about the file, never about an edit.
void Document::request_file_check() {
    if (!s_.kernel->arch().editable()) {
        s_.file_check.state = FileCheck::State::Impossible;
        s_.file_check.problem = why_not_editable();
        Q_EMIT file_checked();
        return;
    }
    jobs_.run<Result<CheckReport>>(
        QStringLiteral("file-check"), [kernel = s_.kernel](std::stop_token) { return check_kernel(kernel); },
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
    if (!s_.kernel->arch().editable()) {
        Q_EMIT checker_ready();
        return;
    }
    jobs_.run<Result<CheckerPtr>>(
        QStringLiteral("checker"),
        [kernel = s_.kernel](std::stop_token) { return HazardChecker::create(kernel); },
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
        [kernel = s_.kernel, stored = s_.stored_listing, settings](std::stop_token stop) {
            return list_kernel(kernel->cubin(), kernel->info(), settings, stored, stop);
        },
        [this](Listing listing) {
            if (listing.lines.size() != s_.kernel->size()) return;
            const bool better = listing.source != s_.listing.source;
            s_.listing = std::move(listing);  // it says at least why there is no nvdisasm text
            if (better) Q_EMIT listing_changed();
            if (!better && !s_.kernel->arch().decodable()) Q_EMIT words_only();
        });
}

// ---- texts ----

QStringList Document::kernel_names() const {
    QStringList names;
    if (s_.kernel)
        for (const KernelInfo& info : s_.kernel->cubin().kernels())
            names << QString::fromStdString(info.name);
    return names;
}

QString Document::text_of(InstrId id) const {
    if (id >= s_.listing.lines.size()) return {};
    return QString::fromStdString(s_.listing.lines[id]);
}

QString Document::name_of(InstrId id, const Schedule& schedule) const {
    if (!s_.kernel || id >= s_.kernel->size()) return {};
    return QString::fromStdString(instr_name(schedule, id));
}

QString Document::explanation_of(const Hazard& hazard, const Schedule& schedule) const {
    return QString::fromStdString(
        explanation_by(hazard, [&](InstrId id) { return instr_name(schedule, id); }));
}

// ---- heads and the shown pair ----

SchedulePtr Document::head(ScheduleSlot head) const {
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

SchedulePtr Document::shown(ScheduleSlot which) const {
    SchedulePtr schedule = head(which);
    return schedule ? schedule : s_.original;
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
    if (!s_.kernel->arch().decodable()) return;  // its register reads are unknown
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

void Document::show_left(ScheduleSlot head) {
    s_.left_head = head;
    refresh_pair();
}

void Document::show_right(ScheduleSlot head) {
    s_.right_head = head;
    if (head != ScheduleSlot::Best) set_follow_live(false);
    refresh_pair();
}

void Document::set_follow_live(bool on) {
    if (on == follow_live_) return;
    follow_live_ = on;
    if (on && is_open()) {
        s_.right_head = ScheduleSlot::Best;
        refresh_pair();
    }
    Q_EMIT follow_live_changed(on);
}

void Document::set_best(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != s_.kernel) return;
    if (step != s_.best_step) {
        s_.minimal = nullptr;
        for (ScheduleSlot* shown : {&s_.left_head, &s_.right_head})
            if (*shown == ScheduleSlot::Minimal) *shown = ScheduleSlot::Best;
    }
    s_.best = std::move(schedule);
    s_.best_step = step;
    if (follow_live_) s_.right_head = ScheduleSlot::Best;
    if (shows(ScheduleSlot::Best)) refresh_pair();
}

void Document::set_minimal(SchedulePtr schedule, const QString& about, const QString& edits) {
    if (!is_open() || (schedule && schedule->kernel() != s_.kernel)) return;
    s_.minimal = std::move(schedule);
    s_.minimal_about = about;
    s_.minimal_edits = edits;
    refresh_pair();
}

void Document::set_other(SchedulePtr schedule, const std::filesystem::path& file) {
    if (!is_open() || schedule->kernel() != s_.kernel) return;
    s_.other = std::move(schedule);
    s_.other_name = QString::fromStdString(file.filename().string());
    s_.other_path = file;
    show_left(ScheduleSlot::Other);
}

void Document::set_viewed(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != s_.kernel) return;
    s_.viewed = std::move(schedule);
    s_.viewed_step = step;
    show_right(ScheduleSlot::Viewed);
}

}  // namespace cubinlab::ui
