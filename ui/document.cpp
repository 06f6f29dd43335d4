// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/workflow/evaluator_choice.h"
#include "ui/job_runner.h"
#include "ui/settings.h"

namespace cubinlab::ui {
namespace {

// Up to this many instructions a diff costs less than a frame and is made where it is asked for.
constexpr std::size_t kDiffAtOnce = 1500;

SchedulePtr share(Schedule schedule) {
    return std::make_shared<const Schedule>(std::move(schedule));
}

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
    }
    return {};
}

struct Document::Loaded {
    KernelPtr kernel;
    std::filesystem::path path;
    Listing listing;
    std::optional<std::string> stored_listing;
    std::optional<Workload> workload;
    QString workload_problem;
};

Document::Document(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}
Document::~Document() = default;

// ---- opening ----

void Document::read_beside(Loaded& loaded, std::optional<std::string> stored, std::stop_token stop) {
    DisassemblerSettings quick;
    quick.allow_nvdisasm = false;  // it takes seconds; asked for once the window shows something
    if (!stored)
        if (auto beside = read_text(default_listing_path(loaded.path))) stored = std::move(*beside);
    loaded.stored_listing = stored;
    loaded.listing =
        list_kernel(loaded.kernel->cubin(), loaded.kernel->info(), quick, std::move(stored), stop);
}

Result<Document::Loaded> Document::load(const std::filesystem::path& path, const std::string& name,
                                        std::stop_token stop) {
    auto cubin = Cubin::open(path);
    if (!cubin) return fail(cubin.error());
    const std::vector<KernelInfo>& all = (*cubin)->kernels();
    if (all.empty()) return fail(ErrorCode::BadInput, "holds no kernel", path.string());
    std::string wanted = name;
    if (wanted.empty()) {  // the one with most code
        const auto largest = std::max_element(
            all.begin(), all.end(),
            [](const KernelInfo& a, const KernelInfo& b) { return a.code_size < b.code_size; });
        wanted = largest->name;
    }
    auto kernel = Kernel::load(*cubin, wanted);
    if (!kernel) return fail(kernel.error());
    Loaded loaded;
    loaded.kernel = *kernel;
    loaded.path = path;
    read_beside(loaded, {}, stop);
    if (auto workload = find_workload(**kernel, {}))
        loaded.workload = std::move(*workload);
    else
        loaded.workload_problem = QString::fromStdString(workload.error().message());
    return loaded;
}

void Document::open(const std::filesystem::path& cubin, const QString& kernel_name) {
    Q_EMIT opening(QString::fromStdString(cubin.string()));
    start_load(
        [cubin, name = kernel_name.toStdString()](std::stop_token stop) { return load(cubin, name, stop); });
}

void Document::open_kernel(KernelPtr kernel, std::optional<std::string> stored_listing,
                           std::string workload_json) {
    Q_EMIT opening(QString::fromStdString(kernel->cubin().where()));
    start_load([kernel = std::move(kernel), stored = std::move(stored_listing),
                json = std::move(workload_json)](std::stop_token stop) -> Result<Loaded> {
        Loaded loaded;
        loaded.kernel = kernel;
        loaded.path = kernel->cubin().where();
        read_beside(loaded, stored, stop);
        if (json.empty()) return loaded;
        auto workload = Workload::parse(json);
        if (workload) {
            if (const auto valid = workload->validate_against(kernel->info()); valid)
                loaded.workload = std::move(*workload);
            else
                loaded.workload_problem = QString::fromStdString(valid.error().message());
        } else {
            loaded.workload_problem = QString::fromStdString(workload.error().message());
        }
        return loaded;
    });
}

void Document::start_load(std::function<Result<Loaded>(std::stop_token)> work) {
    jobs_.run<Result<Loaded>>(QStringLiteral("open"), std::move(work), [this](Result<Loaded> loaded) {
        if (loaded)
            adopt(std::move(*loaded));
        else
            Q_EMIT failed(loaded.error());
    });
}

void Document::adopt(Loaded loaded) {
    for (const char* tag : {"diff", "checker", "liveness", "problems", "nvdisasm", "timing"})
        jobs_.cancel(QString::fromLatin1(tag));
    kernel_ = std::move(loaded.kernel);
    path_ = std::move(loaded.path);
    listing_ = std::move(loaded.listing);
    stored_listing_ = std::move(loaded.stored_listing);
    workload_ = std::move(loaded.workload);
    workload_problem_ = std::move(loaded.workload_problem);
    checker_.reset();
    checker_problem_.clear();
    model_.reset();
    left_timing_.reset();
    right_timing_.reset();
    original_ = share(Schedule(kernel_));
    hand_ = best_ = original_;
    viewed_.reset();
    other_.reset();
    viewed_step_ = best_step_ = {};
    left_head_ = Head::Original;
    right_head_ = Head::Hand;
    history_ = std::make_unique<EditHistory>(*original_);
    tree_ = std::make_unique<HandTree>(original_->hash());
    problems_.clear();
    left_.reset();
    right_.reset();
    refresh_pair();
    Q_EMIT opened();
    Q_EMIT hand_changed();
    request_checker();
    if (listing_.source == ListingSource::BuiltIn) request_nvdisasm();
}

void Document::close() {
    if (!is_open()) return;
    for (const char* tag : {"open", "diff", "checker", "liveness", "problems", "nvdisasm", "timing"})
        jobs_.cancel(QString::fromLatin1(tag));
    kernel_.reset();
    checker_.reset();
    original_ = hand_ = best_ = viewed_ = other_ = left_ = right_ = nullptr;
    diff_.reset();
    left_liveness_.reset();
    right_liveness_.reset();
    left_timing_.reset();
    right_timing_.reset();
    model_.reset();
    problems_.clear();
    history_.reset();
    tree_.reset();
    listing_ = {};
    workload_.reset();
    Q_EMIT closed();
}

void Document::request_checker() {
    if (!kernel_->arch().editable()) {
        Q_EMIT checker_ready();
        return;
    }
    jobs_.run<Result<CheckerPtr>>(
        QStringLiteral("checker"),
        [kernel = kernel_](std::stop_token) { return HazardChecker::create(kernel); },
        [this](Result<CheckerPtr> checker) {
            if (checker) {
                checker_ = std::move(*checker);
                request_analysis();
            } else {
                checker_problem_ = QString::fromStdString(checker.error().message());
                Q_EMIT failed(checker.error());
            }
            Q_EMIT checker_ready();
        });
}

void Document::request_nvdisasm() {
    DisassemblerSettings settings;
    settings.nvdisasm = Settings().nvdisasm().toStdString();
    jobs_.run<Listing>(
        QStringLiteral("nvdisasm"),
        [kernel = kernel_, stored = stored_listing_, settings](std::stop_token stop) {
            return list_kernel(kernel->cubin(), kernel->info(), settings, stored, stop);
        },
        [this](Listing listing) {
            if (listing.lines.size() != kernel_->size()) return;
            const bool better = listing.source != listing_.source;
            listing_ = std::move(listing);  // at least it says why there is no better one
            if (better) Q_EMIT listing_changed();
        });
}

// ---- texts ----

QStringList Document::kernel_names() const {
    QStringList names;
    if (kernel_)
        for (const KernelInfo& info : kernel_->cubin().kernels())
            names << QString::fromStdString(info.name);
    return names;
}

QString Document::text_of(InstrId id) const {
    if (id >= listing_.lines.size()) return {};
    return QString::fromStdString(listing_.lines[id]);
}

QString Document::name_of(InstrId id, const Schedule& schedule) const {
    if (!kernel_ || id >= kernel_->size()) return {};
    return QStringLiteral("0x%1 %2")
        .arg(schedule.position_of(id) * kWordBytes, 4, 16, QLatin1Char('0'))
        .arg(QLatin1String(kernel_->instruction(id).mnemonic));
}

// ---- heads and the shown pair ----

SchedulePtr Document::head(Head head) const {
    switch (head) {
        case Head::Original:
            return original_;
        case Head::Hand:
            return hand_;
        case Head::Best:
            return best_;
        case Head::Viewed:
            return viewed_;
        case Head::Other:
            return other_;
    }
    return {};
}

SchedulePtr Document::shown(Head which) const {
    const SchedulePtr schedule = head(which);
    return schedule ? schedule : original_;
}

void Document::refresh_pair() {
    const SchedulePtr left = shown(left_head_);
    const SchedulePtr right = shown(right_head_);
    if (!left) return;
    if (left == left_ && right == right_) {
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
    const bool left_new = left != left_;
    left_ = std::move(left);
    right_ = std::move(right);
    diff_ = std::move(diff);
    if (left_new) left_liveness_.reset();
    Q_EMIT pair_changed();
    request_analysis();
    request_timing();
}

void Document::request_analysis() {
    struct Both {
        LivenessPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("liveness"),
        [left = left_, right = right_, known = left_liveness_](std::stop_token stop) {
            Both both;
            both.left = known ? known : std::make_shared<const Liveness>(compute_liveness(*left));
            if (stop.stop_requested()) return both;
            both.right =
                left == right ? both.left : std::make_shared<const Liveness>(compute_liveness(*right));
            return both;
        },
        [this](Both both) {
            left_liveness_ = std::move(both.left);
            right_liveness_ = std::move(both.right);
            Q_EMIT liveness_changed();
        });
    if (!checker_) return;
    jobs_.run<Legality>(
        QStringLiteral("problems"),
        [checker = checker_, right = right_](std::stop_token) { return checker->check(*right); },
        [this](Legality problems) {
            problems_ = std::move(problems);
            Q_EMIT problems_changed();
        });
}

void Document::want_timing(bool on) {
    if (on == timing_wanted_) return;
    timing_wanted_ = on;
    if (on && is_open()) request_timing();
}

void Document::request_timing() {
    if (!timing_wanted_ || !left_) return;
    struct Both {
        std::shared_ptr<const SmModel> model;
        TimingPtr left, right;
    };
    jobs_.run<Both>(
        QStringLiteral("timing"),
        [left = left_, right = right_, model = model_, workload = workload_](std::stop_token stop) {
            Both both{model, {}, {}};
            if (!both.model)
                both.model = std::make_shared<const SmModel>(left->kernel(), model_settings(workload));
            both.left = std::make_shared<const ModelRun>(both.model->run(*left));
            if (stop.stop_requested()) return both;
            both.right =
                *left == *right ? both.left : std::make_shared<const ModelRun>(both.model->run(*right));
            return both;
        },
        [this](Both both) {
            model_ = std::move(both.model);
            left_timing_ = std::move(both.left);
            right_timing_ = std::move(both.right);
            Q_EMIT timing_changed();
        });
}

void Document::show_left(Head head) {
    left_head_ = head;
    refresh_pair();
}

void Document::show_right(Head head) {
    right_head_ = head;
    if (head != Head::Best) set_follow_live(false);
    refresh_pair();
}

void Document::set_follow_live(bool on) {
    if (on == follow_live_) return;
    follow_live_ = on;
    if (on && is_open()) {
        right_head_ = Head::Best;
        refresh_pair();
    }
    Q_EMIT follow_live_changed(on);
}

void Document::set_best(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != kernel_) return;
    best_ = std::move(schedule);
    best_step_ = step;
    if (follow_live_) right_head_ = Head::Best;
    if (right_head_ == Head::Best || left_head_ == Head::Best) refresh_pair();
}

void Document::set_other(SchedulePtr schedule, const QString& name) {
    if (!is_open() || schedule->kernel() != kernel_) return;
    other_ = std::move(schedule);
    other_name_ = name;
    show_left(Head::Other);
}

void Document::set_viewed(SchedulePtr schedule, StepRef step) {
    if (!is_open() || schedule->kernel() != kernel_) return;
    viewed_ = std::move(schedule);
    viewed_step_ = step;
    show_right(Head::Viewed);
}

}  // namespace cubinlab::ui
