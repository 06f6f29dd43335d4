// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/step_details.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/search/agents/auto_state.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kPassedShown = 6;

QString offset(Position position) {
    return QStringLiteral("0x%1").arg(16 * position, 4, 16, QLatin1Char('0'));
}

QString link(InstrId id, const QString& text) {
    return QStringLiteral("<a href=\"instr:%1\" style=\"text-decoration:none\"><code>%2</code></a>")
        .arg(id)
        .arg(text.toHtmlEscaped());
}

QString colored(const QString& text, const QColor& color, bool bold = false) {
    return QStringLiteral("<span style=\"color:%1%2\">%3</span>")
        .arg(color.name(), bold ? QStringLiteral("; font-weight:600") : QString(), text);
}

QString move_html(const EditDescription& edit, const std::function<QString(InstrId)>& text_of) {
    const ThemeColors& c = Theme::instance().colors();
    QStringList passed;
    for (std::size_t i = 0; i < std::min(edit.past.size(), kPassedShown); ++i)
        passed << link(edit.past[i], text_of(edit.past[i]));
    if (edit.past.size() > kPassedShown)
        passed << QObject::tr("and %1 more").arg(edit.past.size() - kPassedShown);
    return QStringLiteral("<p>%1 %2 %3 &nbsp;<span style=\"color:%4\">%5 &rarr; %6</span><br>%7 %8</p>")
        .arg(link(edit.instr, text_of(edit.instr)),
             colored(edit.direction() < 0 ? QObject::tr("moved up") : QObject::tr("moved down"), c.moved,
                     true),
             QString::number(edit.past.size()), c.text_dim.name(), offset(edit.from), offset(edit.to),
             QObject::tr("past"), passed.join(QStringLiteral(", ")));
}

QString field_html(const EditDescription& edit, const std::function<QString(InstrId)>& text_of) {
    const ThemeColors& c = Theme::instance().colors();
    QStringList changes;
    for (const std::string& change : change_labels(edit.kind, edit.before, edit.after))
        changes << QString::fromStdString(change);
    const auto code = [&](FieldBits bits) {
        return QStringLiteral("<code>%1</code>")
            .arg(QString::fromStdString(field_of(edit.kind).text(bits)));
    };
    return QStringLiteral("<p>%1 &nbsp;%2<br>%3 &rarr; %4</p>")
        .arg(link(edit.instr, text_of(edit.instr)), colored(changes.join(QStringLiteral(", ")), c.warn, true),
             code(edit.before), code(edit.after));
}

QString figure(const StepDetails& d, const Speedup& gain) {
    const bool measured = d.run.evaluator.kind == EvaluatorKind::Gpu;
    const ThemeColors& c = Theme::instance().colors();
    const QColor tone = !measured ? c.warn : gain.low > 0 ? c.good : gain.high < 0 ? c.bad : c.text_dim;
    QString text = colored(percent_text(gain.log), tone, true);
    if (measured) text += QStringLiteral(" ") + interval_text(gain).toHtmlEscaped();
    return text;
}

QString effect_html(const StepDetails& d) {
    const ThemeColors& c = Theme::instance().colors();
    const Outcome& o = d.record.outcome;
    if (!o.ok())
        return QStringLiteral("<p>%1 %2</p>")
            .arg(colored(outcome_title(o.kind), c.bad, true),
                 QString::fromStdString(o.detail).toHtmlEscaped());
    const bool measured = d.run.evaluator.kind == EvaluatorKind::Gpu;
    QStringList rows;
    const auto row = [&](const QString& name, const QString& value) {
        rows << QStringLiteral("<tr><td style=\"color:%1\">%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(c.text_dim.name(), name, value);
    };
    if (const auto effect = effect_of(d))
        row(d.record.parent == 0 ? QObject::tr("against the run's start")
                                 : QObject::tr("against step %1").arg(d.record.parent),
            figure(d, *effect));
    if (d.record.parent != 0) row(QObject::tr("against the run's start"), figure(d, o.speedup));
    row(QObject::tr("verdict"),
        measured ? QString::fromLatin1(to_string(o.verdict)) : QObject::tr("modelled cycles, unmeasured"));
    if (measured && o.pairs > 0) row(QObject::tr("timing pairs"), QString::number(o.pairs));
    return QStringLiteral("<table cellspacing=0>%1</table>").arg(rows.join(QString()));
}

// `auto` reports after each turn what it does next.
Result<std::string> doing_at(SessionHub& session, RunId run, StepId step) {
    auto metrics = TRY(session.metrics(run));
    StepId newest = 0;
    for (const MetricPoint& point : metrics)
        if (point.step < step && point.name == "method") newest = std::max(newest, point.step);
    std::vector<std::pair<std::string_view, double>> figures;
    for (const MetricPoint& point : metrics)
        if (point.step == newest) figures.push_back({point.name, point.value});
    const auto state = AutoState::from_metrics(figures);
    return state ? state->text() : std::string();
}

}  // namespace

Result<StepDetails> load_details(SessionHub& session, RunId run, StepId step) {
    auto info = TRY(session.run(run));
    auto records = TRY(session.steps(run, step - 1, 1));
    if (records.empty() || records.front().step != step)
        return fail(ErrorCode::NotFound, "the run has no such step", session.path().string());
    StepDetails details;
    details.run = std::move(info);
    details.record = std::move(records.front());
    details.record.outcome.samples = {};
    const StepId parent = details.record.parent;
    if (parent > 0) {
        auto before = TRY(session.steps(run, parent - 1, 1));
        if (!before.empty() && before.front().outcome.ok()) details.parent = before.front().outcome;
    }
    auto schedule = TRY(session.schedule_at(run, parent));
    details.described = TRY(describe(schedule, details.record.mutation));
    auto notes = TRY(session.notes(run));
    for (NoteRecord& note : notes)
        if (note.step == step) details.notes.push_back(std::move(note));
    if (details.run.agent == "auto") {
        details.doing = TRY(doing_at(session, run, step));
    }
    return details;
}

std::optional<Speedup> effect_of(const StepDetails& d) {
    const Outcome& o = d.record.outcome;
    if (!o.ok()) return std::nullopt;
    if (d.record.parent == 0) return o.speedup;
    if (!d.parent) return std::nullopt;
    const double gain = o.speedup.log - d.parent->speedup.log;
    const double half = std::hypot((o.speedup.high - o.speedup.low) / 2,
                                   (d.parent->speedup.high - d.parent->speedup.low) / 2);
    return Speedup{gain, gain - half, gain + half};
}

QString details_in_short(const StepDetails& d, const Kernel& kernel) {
    const auto effect = effect_of(d);
    const QString gain = !d.record.outcome.ok() ? outcome_title(d.record.outcome.kind)
                         : effect               ? percent_text(effect->log)
                                                : QStringLiteral("?");
    return QStringLiteral("%1  \u00b7  %2").arg(gain, QString::fromStdString(d.record.mutation.text(kernel)));
}

QString details_html(const StepDetails& d, const std::function<QString(InstrId)>& text_of) {
    const ThemeColors& c = Theme::instance().colors();
    QStringList marks;
    if (d.record.best) marks << colored(QObject::tr("new best"), c.good, true);
    if (d.record.accepted) marks << colored(QObject::tr("accepted"), c.accent, true);
    if (d.record.repeated) marks << colored(QObject::tr("seen before"), c.text_dim);
    if (d.carrying) marks << colored(QObject::tr("essential"), c.warn, true);
    if (marks.isEmpty()) marks << colored(QObject::tr("rejected"), c.text_dim);
    QString html = QStringLiteral("<p><b>%1</b> &nbsp;%2</p>")
                       .arg(QObject::tr("Step %1").arg(grouped(d.record.step)),
                            marks.join(QStringLiteral(" &middot; ")));
    html += effect_html(d);
    for (const EditDescription& edit : d.described)
        html += is_move(edit.kind) ? move_html(edit, text_of) : field_html(edit, text_of);
    if (!d.doing.empty())
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(colored(QObject::tr("The agent:"), c.text_dim),
                         QString::fromStdString(d.doing).toHtmlEscaped());
    for (const NoteRecord& note : d.notes)
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(colored(QObject::tr("Note:"), c.text_dim),
                         QString::fromStdString(note.text).toHtmlEscaped().replace(QLatin1Char('\n'),
                                                                                   QStringLiteral("<br>")));
    return html;
}

}  // namespace cubinlab::ui
