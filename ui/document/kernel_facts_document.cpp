// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <map>

#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/kernel_facts.h"
#include "ui/document/kernel_info.h"
#include "ui/document/kernel_name.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {
namespace {

QString triple(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("%1 x %2 x %3").arg(t[0]).arg(t[1]).arg(t[2]);
}

int product(const std::array<std::uint32_t, 3>& t) {
    return static_cast<int>(std::min<std::uint64_t>(1024, std::uint64_t{t[0]} * t[1] * t[2]));
}

ScheduleFacts schedule_facts(const QString& title, const Schedule& schedule, const Liveness* liveness) {
    ScheduleFacts facts;
    facts.title = title;
    const Kernel& kernel = *schedule.kernel();
    for (InstrId id = 0; id < schedule.size(); ++id) {
        const int stall = schedule.control(id).stall;
        facts.stall_cycles += stall;
        if (kernel.flow().blocks[kernel.block_of(id)].loop_depth > 0) facts.loop_stalls += stall;
    }
    if (liveness) facts.peak_live = liveness->peak;
    return facts;
}

}  // namespace

KernelFacts gather_facts(const Document& document) {
    KernelFacts f;
    const Kernel& kernel = *document.kernel();
    const cubinlab::KernelInfo& info = kernel.info();
    f.name = called(QString::fromStdString(kernel.name()));
    f.whole_name = whole_name(QString::fromStdString(kernel.name()));
    f.file = QString::fromStdString(document.path().filename().string());
    f.arch = QString::fromStdString(kernel.arch().name());
    f.hash = QString::fromStdString(kernel.hash().hex());
    f.listing = QString::fromStdString(document.listing().origin);
    if (!document.hand().can_edit()) f.editing = document.hand().why_not_editable();
    f.instructions = static_cast<int>(kernel.size());
    f.decoded = kernel.arch().decodable();
    f.blocks = static_cast<int>(kernel.flow().blocks.size());
    f.loops = static_cast<int>(kernel.flow().back_edges.size());
    f.registers = info.registers;
    f.barriers = info.barriers;
    f.static_shared = info.static_shared;
    f.local = info.local_bytes;
    f.constant = info.constant_size;
    QStringList sizes;
    for (const KernelParam& p : info.params)
        sizes << QString::number(p.size);
    if (!sizes.isEmpty())
        f.params = QObject::tr("%1, of %2 bytes")
                       .arg(sizes.size())
                       .arg(sizes.size() > 12 ? QStringList(sizes.mid(0, 12)).join(QStringLiteral(", ")) +
                                                    QStringLiteral(" ...")
                                              : sizes.join(QStringLiteral(", ")));
    if (info.required_block) f.required_block = triple(*info.required_block);
    if (info.max_threads) f.max_threads = triple(*info.max_threads);
    if (document.workload()) {
        f.dynamic_shared = document.workload()->dynamic_shared_bytes;
        f.threads_per_block = static_cast<int>(document.workload()->threads());
        f.threads_from_workload = true;
    } else if (info.required_block) {
        f.threads_per_block = product(*info.required_block);
    }
    if (f.threads_per_block > 0) f.occupancy = occupancy_steps(kernel.arch(), f.threads_per_block);
    std::map<QString, int> mix;
    for (const Instruction& i : kernel.instructions())
        ++mix[mix_group(i.unit)];
    for (const auto& [name, count] : mix)
        f.mix.push_back({name, count});
    std::stable_sort(f.mix.begin(), f.mix.end(),
                     [](const MixRow& a, const MixRow& b) { return a.count > b.count; });
    if (document.pair().left())
        f.left = schedule_facts(title_of(document.pair().left_head()), *document.pair().left(),
                                document.pair().left_liveness().get());
    if (document.pair().right())
        f.right = schedule_facts(title_of(document.pair().right_head()), *document.pair().right(),
                                 document.pair().right_liveness().get());
    if (const DiffPtr diff = document.pair().diff()) {
        f.moved = static_cast<int>(diff->moved);
        f.control_changed = static_cast<int>(diff->control);
    }
    return f;
}

KernelInfoPanel::KernelInfoPanel(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QTextBrowser(parent), document_(document), jobs_(jobs) {
    build();
    connect(document, &Document::opened, this, &KernelInfoPanel::facts_stale);
    connect(document, &Document::opened, this, &KernelInfoPanel::limits_stale);
    connect(document, &Document::checker_ready, this, &KernelInfoPanel::facts_stale);
    connect(&document->pair(), &ComparedPair::changed, this, &KernelInfoPanel::facts_stale);
    connect(&document->pair(), &ComparedPair::changed, this, &KernelInfoPanel::limits_stale);
    connect(&document->pair(), &ComparedPair::liveness_changed, this, &KernelInfoPanel::facts_stale);
    connect(document, &Document::leaving, this, [this] {
        limits_timer_.stop();
        limits_.reset();
        explainer_.reset();
    });
    connect(document, &Document::closed, this, [this] { set_facts({}); });
    connect(this, &QTextBrowser::anchorClicked, this, [selection](const QUrl& url) {
        if (url.scheme() == QLatin1String("instr")) selection->select(url.path().toUInt());
    });
    limits_timer_.setSingleShot(true);
    connect(&limits_timer_, &QTimer::timeout, this, &KernelInfoPanel::request_limits);
    facts_timer_.setSingleShot(true);
    connect(&facts_timer_, &QTimer::timeout, this, &KernelInfoPanel::gather);
    facts_stale();
    limits_stale();
}

void KernelInfoPanel::showEvent(QShowEvent* event) {
    if (facts_wanted_) gather();
    QTextBrowser::showEvent(event);
    if (limits_wanted_) limits_timer_.start(0);
}

// One edit emits several change signals.
void KernelInfoPanel::facts_stale() {
    facts_wanted_ = true;
    if (isVisible()) facts_timer_.start(0);
}

void KernelInfoPanel::gather() {
    facts_timer_.stop();
    facts_wanted_ = false;
    if (document_->is_open()) set_facts(gather_facts(*document_));
}

// A running agent changes the pair ten times a second; a hidden dock does no work.
void KernelInfoPanel::limits_stale() {
    constexpr int kPatienceMs = 120;
    limits_wanted_ = true;
    if (isVisible() && !limits_timer_.isActive()) limits_timer_.start(limits_ ? kPatienceMs : 0);
}

void KernelInfoPanel::request_limits() {
    if (!document_ || !document_->is_open() || !document_->pair().right()) return;
    if (!document_->kernel()->arch().decodable()) return;  // the model does not support it
    if (jobs_->busy(QStringLiteral("limits"))) return limits_timer_.start(50);
    limits_wanted_ = false;
    if (!explainer_) explainer_ = std::make_shared<KernelExplainer>();
    jobs_->run<LimitsPtr>(
        QStringLiteral("limits"),
        [explainer = explainer_, left = document_->pair().left(), right = document_->pair().right(),
         workload = document_->workload(), left_title = title_of(document_->pair().left_head()),
         right_title = title_of(document_->pair().right_head())](std::stop_token stop) -> LimitsPtr {
            const LimitsPtr made = make_limits(*explainer, left, right, workload, stop);
            if (!made) return nullptr;
            auto named = std::make_shared<Limits>(*made);
            named->left_title = left_title;
            named->right_title = right_title;
            return named;
        },
        [this](LimitsPtr limits) {
            if (limits && document_->is_open() && limits->kernel == document_->kernel())
                set_limits(std::move(limits));
        });
}

}  // namespace cubinlab::ui
