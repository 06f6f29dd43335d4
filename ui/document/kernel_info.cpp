// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/kernel_info.h"

#include <QObject>
#include <QScrollBar>
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <map>

#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/kernel_name.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {
namespace {

QString heading(const QString& text) {
    return QStringLiteral(
               "<tr><td colspan=3 style='padding-top:10px; padding-bottom:2px'><b>%1</b></td></tr>")
        .arg(text);
}

QString row(const QString& name, const QString& value) {
    if (value.isEmpty()) return {};
    // A long value would make a narrow panel break a name of one word anywhere.
    const QString whole =
        name.contains(QLatin1Char(' ')) ? QString() : QStringLiteral("; white-space:nowrap");
    return QStringLiteral("<tr><td style='color:%1; padding-right:12px%4'>%2</td><td colspan=2>%3</td></tr>")
        .arg(Theme::instance().colors().text_dim.name(), name, value.toHtmlEscaped(), whole);
}

// A bar of text blocks: it scales with the font and is read out as nothing by screen readers.
QString bar(double share, const QColor& color) {
    constexpr int kMost = 5;  // no longer, or the dock at its first width would scroll sideways
    const int full = std::clamp(static_cast<int>(share * kMost + 0.5), share > 0 ? 1 : 0, kMost);
    return QStringLiteral("<span style='color:%1; white-space:nowrap'>%2</span>")
        .arg(color.name(), QString(full, QChar(0x2586)));
}

QString bytes(qint64 n) {
    return n == 0 ? QString() : QObject::tr("%1 bytes").arg(grouped(n));
}

QString occupancy_html(const KernelFacts& f, bool narrow) {
    const ThemeColors& c = Theme::instance().colors();
    if (f.threads_per_block == 0)
        return heading(QObject::tr("Occupancy")) +
               row(QObject::tr("not shown"),
                   QObject::tr("no workload or required block size says how many threads a block has"));
    QString html = heading(QObject::tr("Occupancy by registers, %1 threads per block%2")
                               .arg(f.threads_per_block)
                               .arg(f.threads_from_workload ? QString() : QObject::tr(" (from the cubin)")));
    int most = 1;
    for (const OccupancyStep& s : f.occupancy)
        most = std::max(most, s.warps);
    int below = 0;
    for (const OccupancyStep& s : f.occupancy) {
        const bool here = f.registers > below && f.registers <= s.registers;
        below = s.registers;
        html += QStringLiteral(
                    "<tr><td style='color:%1; padding-right:12px'>%2</td><td "
                    "style='padding-right:8px; white-space:nowrap'>%3%4%5</td><td "
                    "style='white-space:nowrap'>%6</td></tr>")
                    .arg(c.text_dim.name(), QObject::tr("up to %1 registers").arg(s.registers),
                         here ? QStringLiteral("<b>") : QString(),
                         here ? QObject::tr("%1 warps \u25C0 here").arg(s.warps)
                              : QObject::tr("%1 warps").arg(s.warps),
                         here ? QStringLiteral("</b>") : QString(),
                         narrow ? QString()
                                : bar(static_cast<double>(s.warps) / most, here ? c.accent : rule_of(c)));
    }
    return html;
}

QString stalls_html(const KernelFacts& f) {
    QString html = heading(QObject::tr("Stall cycles, each instruction counted once"));
    for (const ScheduleFacts* s : {&f.left, &f.right}) {
        if (s == &f.right && s->title == f.left.title) continue;
        QString text = f.decoded ? QObject::tr("%1, %2 of them in loops")
                                       .arg(grouped(s->stall_cycles), grouped(s->loop_stalls))
                                 : grouped(s->stall_cycles);
        if (s->peak_live > 0) text += QObject::tr("; at most %1 live registers").arg(s->peak_live);
        html += row(s->title, text);
    }
    if (f.left.title != f.right.title) {
        const qint64 change = f.right.stall_cycles - f.left.stall_cycles;
        html += row(QObject::tr("Difference"),
                    QObject::tr("%1%2 cycles, %3 moved, %4 control codes changed")
                        .arg(change > 0 ? QStringLiteral("+") : QString(), grouped(change))
                        .arg(f.moved)
                        .arg(f.control_changed));
    }
    return html;
}

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

QString mix_group(Unit unit) {
    switch (unit) {
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
        case Unit::Gmma:
            return QObject::tr("Tensor");
        case Unit::Fma:
        case Unit::FmaWide:
            return QObject::tr("FMA, IMAD");
        case Unit::Fp16:
        case Unit::H2Mma:
            return QObject::tr("Half");
        case Unit::Fp64:
            return QObject::tr("Double");
        case Unit::Alu:
            return QObject::tr("Integer, logic");
        case Unit::Xu:
            return QObject::tr("MUFU, conversions");
        case Unit::Mio:
            return QObject::tr("Shared memory, shuffles");
        case Unit::Lsu:
        case Unit::Ldc:
        case Unit::Tex:
            return QObject::tr("Global memory, constants");
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::R2ur:
        case Unit::S2ur:
            return QObject::tr("Uniform");
        case Unit::Cbu:
            return QObject::tr("Control flow");
        case Unit::Barrier:
        case Unit::Fence:
        case Unit::Depbar:
        case Unit::AsyncGroup:
            return QObject::tr("Barriers, async");
        case Unit::Unknown:
            return QObject::tr("Unknown opcode");
        default:
            return QObject::tr("Other");
    }
}

QString facts_html(const KernelFacts& f, bool narrow) {
    const ThemeColors& c = Theme::instance().colors();
    QString html = QStringLiteral("<table cellspacing=0 cellpadding=1>");
    html += heading(f.name.toHtmlEscaped());
    if (!f.whole_name.isEmpty() && f.whole_name != f.name)
        html += row(QObject::tr("Full name"), f.whole_name);
    html += row(QObject::tr("File"), f.file);
    html += row(QObject::tr("Architecture"), f.arch);
    html += row(QObject::tr("Editing"),
                f.editing.isEmpty() ? QObject::tr("possible") : QObject::tr("view only: %1").arg(f.editing));
    html += row(QObject::tr("Code"),
                f.decoded ? QObject::tr("%1 instructions, blocks: %2, loops: %3")
                                .arg(grouped(f.instructions))
                                .arg(f.blocks)
                                .arg(f.loops)
                          : QObject::tr("%1 instructions, not decoded").arg(grouped(f.instructions)));
    html += row(QObject::tr("Code hash"), f.hash);
    html += row(QObject::tr("Listing"), f.listing);
    html += heading(QObject::tr("Resources"));
    html += row(QObject::tr("Registers"), QObject::tr("%1 per thread").arg(f.registers));
    html += row(QObject::tr("Shared memory, static"), bytes(f.static_shared));
    html += row(QObject::tr("Shared memory, dynamic"), bytes(f.dynamic_shared));
    html += row(QObject::tr("Local memory"), bytes(f.local));
    html += row(QObject::tr("Constant bank 0"), bytes(f.constant));
    html += row(QObject::tr("Named barriers"), f.barriers ? QString::number(f.barriers) : QString());
    html += row(QObject::tr("Required block"), f.required_block);
    html += row(QObject::tr("Maximum threads"), f.max_threads);
    html += row(QObject::tr("Parameters"), f.params);
    html += stalls_html(f);
    html += occupancy_html(f, narrow);
    if (!f.decoded) return html + QStringLiteral("</table>");
    html += heading(QObject::tr("Instruction mix"));
    const int most = f.mix.empty() ? 1 : std::max(1, f.mix.front().count);
    for (const MixRow& m : f.mix)
        html += QStringLiteral(
                    "<tr><td style='color:%1; padding-right:12px'>%2</td><td align=right "
                    "style='padding-right:8px; white-space:nowrap'>%3 (%4 %)</td><td "
                    "style='white-space:nowrap'>%5</td></tr>")
                    .arg(c.text_dim.name(), m.name, grouped(m.count))
                    .arg(100.0 * m.count / std::max(1, f.instructions), 0, 'f', 1)
                    .arg(narrow ? QString() : bar(static_cast<double>(m.count) / most, c.series[0]));
    return html + QStringLiteral("</table>");
}

KernelInfoPanel::KernelInfoPanel(QWidget* parent) : QTextBrowser(parent) {
    build();
}

void KernelInfoPanel::build() {
    setAccessibleName(tr("Kernel facts"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    connect(&Theme::instance(), &Theme::changed, this, &KernelInfoPanel::show_all);
    set_facts({});
}

void KernelInfoPanel::set_facts(const std::optional<KernelFacts>& facts) {
    facts_ = facts;
    show_all();
}

void KernelInfoPanel::set_limits(LimitsPtr limits) {
    limits_ = std::move(limits);
    if (facts_wanted_ && document_)
        gather();
    else
        show_all();
    Q_EMIT limits_changed();
}

void KernelInfoPanel::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    const bool narrow = viewport()->width() < 48 * fontMetrics().averageCharWidth();
    if (narrow == narrow_) return;
    narrow_ = narrow;
    show_all();
}

void KernelInfoPanel::show_all() {
    QString html =
        facts_ ? (limits_ ? limits_html(*limits_, narrow_) : QString()) + facts_html(*facts_, narrow_)
               : QStringLiteral("<p style='color:%1'>%2</p>")
                     .arg(Theme::instance().colors().text_dim.name(), tr("Open a cubin to see its facts."));
    if (html == html_) return;  // the layout of some hundred cells is work
    html_ = std::move(html);
    since_shown_.start();
    const int at = verticalScrollBar()->value();
    setHtml(html_);
    verticalScrollBar()->setValue(at);
}

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
        f.left = schedule_facts(document.pair().title(document.pair().left_slot()), *document.pair().left(),
                                document.pair().left_liveness().get());
    if (document.pair().right())
        f.right = schedule_facts(document.pair().title(document.pair().right_slot()),
                                 *document.pair().right(), document.pair().right_liveness().get());
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
    connect(&facts_timer_, &QTimer::timeout, this, [this] {
        if (!limits_coming()) gather();  // both are shown together
    });
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

bool KernelInfoPanel::limits_coming() const {
    return limits_ && document_->is_open() && document_->kernel()->arch().editable() &&
           (limits_timer_.isActive() || jobs_->busy(QStringLiteral("limits")));
}

// A running agent changes the pair ten times a second; a hidden dock does no work. One edit is shown soon, the next
// ones twice a second.
void KernelInfoPanel::limits_stale() {
    constexpr qint64 kPatienceMs = 120, kEveryMs = 500;
    limits_wanted_ = true;
    if (!isVisible() || limits_timer_.isActive()) return;
    const qint64 rest = since_shown_.isValid() ? kEveryMs - since_shown_.elapsed() : 0;
    limits_timer_.start(limits_ ? static_cast<int>(std::max(kPatienceMs, rest)) : 0);
}

void KernelInfoPanel::request_limits() {
    if (!document_ || !document_->is_open() || !document_->pair().right()) return;
    if (!document_->kernel()->arch().editable()) return;  // the model does not support it
    if (jobs_->busy(QStringLiteral("limits"))) return limits_timer_.start(50);
    limits_wanted_ = false;
    if (!explainer_) explainer_ = std::make_shared<KernelExplainer>();
    jobs_->run<LimitsPtr>(
        QStringLiteral("limits"),
        [explainer = explainer_, left = document_->pair().left(), right = document_->pair().right(),
         workload = document_->workload(),
         left_title = document_->pair().title(document_->pair().left_slot()),
         right_title =
             document_->pair().title(document_->pair().right_slot())](std::stop_token stop) -> LimitsPtr {
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
            else if (facts_wanted_)
                gather();
        });
}

}  // namespace cubinlab::ui
