// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/starts/start_table.h"

#include <QStringList>
#include <algorithm>
#include <limits>

#include "core/gpu/client/gpu_evaluator.h"
#include "ui/base/theme.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {
namespace {

bool is_original(const TunedStart& start) {
    return start.step == 0;
}

bool failed(const TunedStart& start) {
    return start.outcome != OutcomeKind::Ok;
}

std::size_t moved_units(const TunedStart& start) {
    return static_cast<std::size_t>(
        std::ranges::count_if(start.start.keys, [](std::int16_t key) { return key != 0; }));
}

QString gain_text(const TunedStart& start) {
    if (is_original(start)) return {};
    if (failed(start)) return outcome_title(start.outcome);
    return start.measured == 0 ? QString() : percent_text(start.log_speedup);
}

QVariant least() {
    return -std::numeric_limits<double>::max();
}

}  // namespace

QString fresh_text(const TunedStart& start) {
    QStringList parts;
    for (const PooledMeasurement& measured : start.fresh)
        parts << QStringLiteral("%1 %2").arg(QString::fromLatin1(to_string(measured.cache)),
                                             percent_text(measured.speedup.log));
    return parts.join(QStringLiteral(", "));
}

QString options_text(const TunedStart& start) {
    if (is_original(start)) return {};
    QStringList parts;
    for (const std::string& option : start.start.options)
        parts << QString::fromStdString(option);
    QString out = parts.isEmpty() ? StartTable::tr("default") : parts.join(QLatin1Char(' '));
    if (start.start.other_name) out += StartTable::tr(", other name");
    return out;
}

QString order_text(const TunedStart& start) {
    if (is_original(start)) return {};
    const std::size_t moved = moved_units(start);
    return moved == 0 ? StartTable::tr("as in the text")
                      : StartTable::tr("%1 units moved").arg(grouped(static_cast<qint64>(moved)));
}

StartTable::StartTable(QObject* parent) : RowsModel(parent) {
    describe();
}

void StartTable::set_evaluator(const EvaluatorInfo& evaluator) {
    const bool same =
        evaluator_ && evaluator_->kind == evaluator.kind && cache_of(*evaluator_) == cache_of(evaluator);
    evaluator_ = evaluator;
    if (same) return;
    describe();
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void StartTable::describe() {
    const auto number = [](const QString& name, const QString& tip,
                           std::function<qint64(const TunedStart&)> of) {
        return Field{name, tip, Qt::AlignRight, [of](const TunedStart& start) { return grouped(of(start)); },
                     [of](const TunedStart& start) { return QVariant::fromValue<qlonglong>(of(start)); }};
    };
    const bool modelled = evaluator_ && evaluator_->kind == EvaluatorKind::Model;
    const std::optional<Cache> cache = evaluator_ ? cache_of(*evaluator_) : std::nullopt;
    const QString state = modelled               ? tr("Modelled gain")
                          : cache == Cache::Both ? tr("Gain, hot and cold")
                          : cache == Cache::Cold ? tr("Gain, cold")
                          : cache                ? tr("Gain, hot")
                                                 : tr("Gain");
    set_fields({
        {tr("Start"), tr("The step of the run over starts that compiled it first"), Qt::AlignLeft,
         [](const TunedStart& start) { return start_name(start.step); },
         [](const TunedStart& start) { return QVariant::fromValue<qlonglong>(start.step); }},
        {state, tr("Against the original: the mean over all measurements of this code"), Qt::AlignRight,
         [](const TunedStart& start) { return gain_text(start); },
         [](const TunedStart& start) {
             return failed(start) ? least() : QVariant(is_original(start) ? 0.0 : start.log_speedup);
         }},
        {tr("With schedule"), tr("Best gain against the original after the schedule search"), Qt::AlignRight,
         [](const TunedStart& start) {
             return start.best_step != 0 ? percent_text(start.best_log_speedup)
                    : start.searched()   ? tr("none")
                                         : QString();
         },
         [](const TunedStart& start) {
             return start.best_step != 0 ? QVariant(start.best_log_speedup) : least();
         }},
        {tr("Fresh processes"),
         tr("Gain of the best schedule, else of the start as compiled, measured over fresh processes in each "
            "cache state"),
         Qt::AlignRight, [](const TunedStart& start) { return fresh_text(start); },
         [](const TunedStart& start) {
             return start.fresh.empty() ? least() : QVariant(start.fresh.front().speedup.log);
         }},
        number(tr("Steps"), tr("Candidates of the schedule search on this code"),
               [](const TunedStart& start) { return static_cast<qint64>(start.tuned_steps); }),
        {tr("Options"),
         tr("Options of ptxas; \"other name\": compiled under a name with \"cutlass\" in it, or without it"),
         Qt::AlignLeft, [](const TunedStart& start) { return options_text(start); }},
        {tr("PTX order"), tr("Order of the PTX instructions; units that are moved together count once"),
         Qt::AlignLeft, [](const TunedStart& start) { return order_text(start); },
         [](const TunedStart& start) { return QVariant::fromValue<qulonglong>(moved_units(start)); }},
        number(tr("Registers"), tr("Registers of a thread"),
               [](const TunedStart& start) { return start.registers; }),
        number(tr("Instr."), tr("Instructions of the compiled code"),
               [](const TunedStart& start) { return start.instructions; }),
        number(tr("Local"), tr("Stack frame of a thread with its spilled registers, bytes"),
               [](const TunedStart& start) { return start.local_bytes; }),
        {tr("From"), tr("The start whose PTX order was changed"), Qt::AlignLeft,
         [](const TunedStart& start) { return start.parent == 0 ? QString() : start_name(start.parent); },
         [](const TunedStart& start) { return QVariant::fromValue<qlonglong>(start.parent); }},
        {tr("ptxas"), tr("Version of the compiler"), Qt::AlignLeft,
         [](const TunedStart& start) { return QString::fromStdString(start.start.ptxas); }},
    });
}

QVariant StartTable::look(const TunedStart& start, int column, int role) const {
    const ThemeColors& c = Theme::instance().colors();
    if (role == Qt::ForegroundRole) {
        const bool gain = column == Gain && !is_original(start),
                   best = column == Best && start.best_step != 0;
        if (gain && failed(start)) return c.bad;
        const double log = best ? start.best_log_speedup : start.log_speedup;
        if ((gain || best) && !reads_zero(log)) return log > 0 ? c.good : c.bad;
        if (is_original(start)) return c.text_dim;
    }
    if (role == Qt::ToolTipRole && column == Gain && !is_original(start)) {
        const QString times =
            start.measured == 1 ? tr("1 measurement") : tr("%1 measurements").arg(start.measured);
        return start.detail.empty() ? times
                                    : times + QLatin1Char('\n') + QString::fromStdString(start.detail);
    }
    if (role == Qt::ToolTipRole && column == Fresh) {
        QStringList lines;
        for (const PooledMeasurement& measured : start.fresh)
            lines << tr("%1 cache: %2, %3, %4 processes on %5")
                         .arg(QString::fromLatin1(to_string(measured.cache)),
                              percent_interval_text(measured.speedup),
                              QString::fromLatin1(to_string(measured.verdict)),
                              grouped(static_cast<qint64>(measured.loads)),
                              QString::fromStdString(measured.device));
        return lines.join(QLatin1Char('\n'));
    }
    if (role == Qt::ToolTipRole) return text(start, column);
    return {};
}

}  // namespace cubinlab::ui
