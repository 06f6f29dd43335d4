// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/kernel_info.h"

#include <QCoreApplication>
#include <QScrollBar>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/base/theme_colors.h"

namespace cubinlab::ui {
namespace {

struct KernelInfoWords {
    Q_DECLARE_TR_FUNCTIONS(KernelInfo)
};

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
    return n == 0 ? QString() : KernelInfoWords::tr("%1 bytes").arg(grouped(n));
}

QString occupancy_html(const KernelFacts& f, bool narrow) {
    const ThemeColors& c = Theme::instance().colors();
    if (f.threads_per_block == 0)
        return heading(KernelInfoWords::tr("Occupancy")) +
               row(KernelInfoWords::tr("not shown"),
                   KernelInfoWords::tr(
                       "no workload or required block size says how many threads a block has"));
    QString html =
        heading(KernelInfoWords::tr("Occupancy by registers, %1 threads per block%2")
                    .arg(f.threads_per_block)
                    .arg(f.threads_from_workload ? QString() : KernelInfoWords::tr(" (from the cubin)")));
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
                    .arg(c.text_dim.name(), KernelInfoWords::tr("up to %1 registers").arg(s.registers),
                         here ? QStringLiteral("<b>") : QString(),
                         here ? KernelInfoWords::tr("%1 warps \u25C0 here").arg(s.warps)
                              : KernelInfoWords::tr("%1 warps").arg(s.warps),
                         here ? QStringLiteral("</b>") : QString(),
                         narrow ? QString()
                                : bar(static_cast<double>(s.warps) / most, here ? c.accent : rule_of(c)));
    }
    return html;
}

QString stalls_html(const KernelFacts& f) {
    QString html = heading(KernelInfoWords::tr("Stall cycles, each instruction counted once"));
    for (const ScheduleFacts* s : {&f.left, &f.right}) {
        if (s == &f.right && s->title == f.left.title) continue;
        QString text = f.decoded ? KernelInfoWords::tr("%1, %2 of them in loops")
                                       .arg(grouped(s->stall_cycles), grouped(s->loop_stalls))
                                 : grouped(s->stall_cycles);
        if (s->peak_live > 0) text += KernelInfoWords::tr("; at most %1 live registers").arg(s->peak_live);
        html += row(s->title, text);
    }
    if (f.left.title != f.right.title) {
        const qint64 change = f.right.stall_cycles - f.left.stall_cycles;
        html += row(KernelInfoWords::tr("Difference"),
                    KernelInfoWords::tr("%1%2 cycles, %3 moved, %4 control codes changed")
                        .arg(change > 0 ? QStringLiteral("+") : QString(), grouped(change))
                        .arg(f.moved)
                        .arg(f.control_changed));
    }
    return html;
}

}  // namespace

QString mix_group(Unit unit) {
    switch (unit) {
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
        case Unit::Gmma:
            return KernelInfoWords::tr("Tensor");
        case Unit::Fma:
        case Unit::FmaWide:
            return KernelInfoWords::tr("FMA, IMAD");
        case Unit::Fp16:
        case Unit::H2Mma:
            return KernelInfoWords::tr("Half");
        case Unit::Fp64:
            return KernelInfoWords::tr("Double");
        case Unit::Alu:
            return KernelInfoWords::tr("Integer, logic");
        case Unit::Xu:
            return KernelInfoWords::tr("MUFU, conversions");
        case Unit::Mio:
            return KernelInfoWords::tr("Shared memory, shuffles");
        case Unit::Lsu:
        case Unit::Ldc:
        case Unit::Tex:
            return KernelInfoWords::tr("Global memory, constants");
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::R2ur:
        case Unit::S2ur:
            return KernelInfoWords::tr("Uniform");
        case Unit::Cbu:
            return KernelInfoWords::tr("Control flow");
        case Unit::Barrier:
        case Unit::Fence:
        case Unit::Depbar:
        case Unit::AsyncGroup:
            return KernelInfoWords::tr("Barriers, async");
        case Unit::Unknown:
            return KernelInfoWords::tr("Unknown opcode");
        default:
            return KernelInfoWords::tr("Other");
    }
}

QString facts_html(const KernelFacts& f, bool narrow) {
    const ThemeColors& c = Theme::instance().colors();
    QString html = QStringLiteral("<table cellspacing=0 cellpadding=1>");
    html += heading(f.name.toHtmlEscaped());
    if (!f.whole_name.isEmpty() && f.whole_name != f.name)
        html += row(KernelInfoWords::tr("Full name"), f.whole_name);
    html += row(KernelInfoWords::tr("File"), f.file);
    html += row(KernelInfoWords::tr("Architecture"), f.arch);
    html += row(KernelInfoWords::tr("Editing"), f.editing.isEmpty()
                                                    ? KernelInfoWords::tr("possible")
                                                    : KernelInfoWords::tr("view only: %1").arg(f.editing));
    html += row(KernelInfoWords::tr("Code"),
                f.decoded ? KernelInfoWords::tr("%1 instructions, blocks: %2, loops: %3")
                                .arg(grouped(f.instructions))
                                .arg(f.blocks)
                                .arg(f.loops)
                          : KernelInfoWords::tr("%1 instructions, not decoded").arg(grouped(f.instructions)));
    html += row(KernelInfoWords::tr("Code hash"), f.hash);
    html += row(KernelInfoWords::tr("Listing"), f.listing);
    html += heading(KernelInfoWords::tr("Resources"));
    html += row(KernelInfoWords::tr("Registers"), KernelInfoWords::tr("%1 per thread").arg(f.registers));
    html += row(KernelInfoWords::tr("Shared memory, static"), bytes(f.static_shared));
    html += row(KernelInfoWords::tr("Shared memory, dynamic"), bytes(f.dynamic_shared));
    html += row(KernelInfoWords::tr("Local memory"), bytes(f.local));
    html += row(KernelInfoWords::tr("Constant bank 0"), bytes(f.constant));
    html += row(KernelInfoWords::tr("Named barriers"), f.barriers ? QString::number(f.barriers) : QString());
    html += row(KernelInfoWords::tr("Required block"), f.required_block);
    html += row(KernelInfoWords::tr("Maximum threads"), f.max_threads);
    html += row(KernelInfoWords::tr("Parameters"), f.params);
    html += stalls_html(f);
    html += occupancy_html(f, narrow);
    if (!f.decoded) return html + QStringLiteral("</table>");
    html += heading(KernelInfoWords::tr("Instruction mix"));
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
    show_all();
}

void KernelInfoPanel::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    const bool narrow = viewport()->width() < 48 * fontMetrics().averageCharWidth();
    if (narrow == narrow_) return;
    narrow_ = narrow;
    show_all();
}

void KernelInfoPanel::show_all() {
    const int at = verticalScrollBar()->value();
    setHtml(facts_
                ? (limits_ ? limits_html(*limits_, narrow_) : QString()) + facts_html(*facts_, narrow_)
                : QStringLiteral("<p style='color:%1'>%2</p>")
                      .arg(Theme::instance().colors().text_dim.name(), tr("Open a cubin to see its facts.")));
    verticalScrollBar()->setValue(at);
}

}  // namespace cubinlab::ui
