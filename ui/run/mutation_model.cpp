// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/mutation_model.h"

#include <QBrush>
#include <QFont>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr std::uint32_t kNoInstr = (1U << 18) - 1;

constexpr std::size_t kCached = 4096;

}  // namespace

bool StepFilter::everything() const {
    return *this == StepFilter{};
}

bool StepFilter::admits(const StepBrief& brief, std::span<const InstrId> further) const {
    if (!brief.present || !((kinds >> brief.kind) & 1U) || !((outcomes >> brief.outcome) & 1U)) return false;
    if ((accepted_only && !brief.accepted) || (best_only && !brief.best)) return false;
    if (instructions.empty()) return true;
    const auto wanted = [&](InstrId id) { return id < instructions.size() && instructions[id]; };
    return wanted(brief.instr) || std::any_of(further.begin(), further.end(), wanted);
}

void StepIndex::clear() {
    briefs_.clear();
    further_.clear();
    further_ids_.clear();
}

void StepIndex::add(const StepRecord& record) {
    if (record.step <= last() || record.step > last() + 100'000'000) return;
    briefs_.resize(static_cast<std::size_t>(record.step - 1), StepBrief{});
    StepBrief b{};
    b.instr = std::min<std::uint32_t>(record.mutation.instr(), kNoInstr);
    b.kind = static_cast<std::uint32_t>(record.mutation.kind()) & 15U;
    b.outcome = static_cast<std::uint32_t>(record.outcome.kind) & 7U;
    b.verdict = static_cast<std::uint32_t>(record.outcome.verdict) & 3U;
    b.accepted = record.accepted;
    b.best = record.best;
    b.repeated = record.repeated;
    b.present = 1;
    const std::size_t before = further_ids_.size();
    keep_further(record);
    b.several = further_ids_.size() > before;
    briefs_.push_back(b);
}

void StepIndex::keep_further(const StepRecord& record) {
    const auto begin = static_cast<std::ptrdiff_t>(further_ids_.size());
    for (const Edit& edit : record.mutation.edits)
        if (edit.instr != record.mutation.instr()) further_ids_.push_back(edit.instr);
    std::sort(further_ids_.begin() + begin, further_ids_.end());
    further_ids_.erase(std::unique(further_ids_.begin() + begin, further_ids_.end()), further_ids_.end());
    if (static_cast<std::size_t>(begin) < further_ids_.size())
        further_.push_back({static_cast<std::uint32_t>(record.step), static_cast<std::uint32_t>(begin)});
}

std::span<const InstrId> StepIndex::further(StepId step) const {
    if (!at(step).several) return {};
    const auto found = std::lower_bound(further_.begin(), further_.end(), step,
                                        [](const Further& f, StepId s) { return f.step < s; });
    const auto next = std::next(found);
    const std::size_t end = next == further_.end() ? further_ids_.size() : next->begin;
    return std::span(further_ids_).subspan(found->begin, end - found->begin);
}

bool StepIndex::has(StepId step) const {
    return step >= 1 && step <= last() && at(step).present;
}

StepId StepIndex::next(StepId from, int direction, const StepFilter& filter) const {
    StepId step = direction > 0 ? std::max<StepId>(0, from) + 1 : std::min(last() + 1, from) - 1;
    for (; step >= 1 && step <= last(); step += direction > 0 ? 1 : -1)
        if (admits(step, filter)) return step;
    return 0;
}

MutationModel::MutationModel(QObject* parent) : QAbstractTableModel(parent) {}

void MutationModel::begin_run(const RunInfo& run) {
    beginResetModel();
    run_ = run;
    index_.clear();
    rows_.clear();
    cache_.clear();
    age_.clear();
    asked_.clear();
    measured_.reset();
    first_ = 0;
    shown_ = 0;
    endResetModel();
    Q_EMIT measurements_changed();
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
    Q_EMIT total_changed(0);
}

void MutationModel::append(const std::vector<StepRecord>& steps) {
    const bool filtered = !filter_.everything();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const StepId before = index_.last();
        index_.add(steps[i]);
        if (index_.last() == before) continue;
        if (filtered && index_.admits(steps[i].step, filter_))
            rows_.push_back(static_cast<std::uint32_t>(steps[i].step));
        if (i + kCached >= steps.size()) keep(steps[i]);
    }
    resize_window(room_);
    Q_EMIT total_changed(total());
}

void MutationModel::keep(StepRecord record) {
    record.outcome.samples = {};
    const StepId step = record.step;
    const auto [it, fresh] = cache_.insert_or_assign(step, std::move(record));
    if (!fresh) return;
    age_.push_back(step);
    if (age_.size() <= kCached) return;
    cache_.erase(age_.front());
    age_.pop_front();
}

void MutationModel::deliver(const std::vector<StepRecord>& records) {
    bool any = false;
    for (const StepRecord& r : records) {
        any = asked_.erase(r.step) > 0 || any;
        keep(r);
    }
    if (any && shown_ > 0) Q_EMIT dataChanged(index(0, 0), index(shown_ - 1, kColumns - 1));
}

void MutationModel::set_measurements(const StepMeasurements& measured) {
    measured_ = measured;
    window_changed();
    Q_EMIT measurements_changed();
}

const HandFigure* MutationModel::measured(StepId step) const {
    const StepMeasurement* found = measured_at(measured_, step);
    return found ? &found->figure : nullptr;
}

void MutationModel::set_texts(std::vector<QString> by_instr,
                              std::function<QString(const Mutation&)> describe) {
    texts_ = std::move(by_instr);
    describe_ = std::move(describe);
    window_changed();
}

void MutationModel::set_filter(const StepFilter& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    rebuild_rows();
    first_ = std::clamp<qint64>(first_, 0, std::max<qint64>(0, total() - room_));
    resize_window(room_);
    window_changed();
    Q_EMIT total_changed(total());
}

void MutationModel::rebuild_rows() {
    rows_.clear();
    if (filter_.everything()) return;
    for (StepId s = 1; s <= index_.last(); ++s)
        if (index_.admits(s, filter_)) rows_.push_back(static_cast<std::uint32_t>(s));
}

std::vector<bool> MutationModel::instructions_matching(const QString& text) const {
    const QString wanted = text.trimmed();
    if (wanted.isEmpty()) return {};
    std::vector<bool> match(std::max<std::size_t>(texts_.size(), 1), false);
    bool hex = false;
    const uint offset = wanted.startsWith(QLatin1String("0x")) ? wanted.mid(2).toUInt(&hex, 16) : 0;
    for (std::size_t i = 0; i < texts_.size(); ++i)
        match[i] = hex ? offset / 16 == i : texts_[i].contains(wanted, Qt::CaseInsensitive);
    return match;
}

qint64 MutationModel::total() const {
    return filter_.everything() ? index_.last() : static_cast<qint64>(rows_.size());
}

StepId MutationModel::step_of_row(qint64 row) const {
    if (row < 0 || row >= total()) return 0;
    return filter_.everything() ? row + 1 : static_cast<StepId>(rows_[static_cast<std::size_t>(row)]);
}

qint64 MutationModel::row_of_step(StepId step) const {
    if (filter_.everything()) return std::min(step, index_.last()) - 1;
    const auto after = std::upper_bound(rows_.begin(), rows_.end(), static_cast<std::uint32_t>(step));
    return static_cast<qint64>(after - rows_.begin()) - 1;
}

void MutationModel::set_window(qint64 first, int count) {
    room_ = std::max(0, count);
    const qint64 from = std::clamp<qint64>(first, 0, std::max<qint64>(0, total() - room_));
    const bool moved = from != first_;
    first_ = from;
    resize_window(room_);
    if (moved) window_changed();
    want_missing();
}

void MutationModel::resize_window(int count) {
    const int wanted = static_cast<int>(std::min<qint64>(count, total() - first_));
    if (wanted > shown_) {
        beginInsertRows({}, shown_, wanted - 1);
        shown_ = wanted;
        endInsertRows();
    } else if (wanted < shown_) {
        beginRemoveRows({}, std::max(0, wanted), shown_ - 1);
        shown_ = std::max(0, wanted);
        endRemoveRows();
    }
}

void MutationModel::window_changed() {
    if (shown_ > 0) Q_EMIT dataChanged(index(0, 0), index(shown_ - 1, kColumns - 1));
}

void MutationModel::want_missing() {
    if (!fetcher_) return;
    std::vector<StepId> missing;
    for (int row = 0; row < shown_; ++row) {
        const StepId step = step_of_row(first_ + row);
        if (index_.has(step) && !cache_.count(step) && asked_.insert(step).second) missing.push_back(step);
    }
    // Requests again a step that did not arrive (it was not on disk yet).
    if (asked_.size() > 4 * kCached) asked_.clear();
    if (!missing.empty()) fetcher_(std::move(missing));
}

const StepRecord* MutationModel::record(StepId step) const {
    const auto found = cache_.find(step);
    return found == cache_.end() ? nullptr : &found->second;
}

int MutationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shown_;
}
int MutationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

// A header has the alignment of its column.
int MutationModel::alignment(int column) {
    const bool number =
        column == Step || column == Time || column == Gain || column == Interval || column == Reward;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant MutationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    const bool gpu = run_.evaluator.kind == EvaluatorKind::Gpu;
    if (role == Qt::DisplayRole) {
        const QString titles[kColumns] = {
            tr("Step"),     tr("Time"),    tr("Kind"),     tr("Instruction"),
            tr("Change"),   tr("Outcome"), tr("Verdict"),  gpu ? tr("Speed-up") : tr("Gain (model)"),
            tr("Interval"), tr("Reward"),  tr("Decision"), tr("Measured")};
        return titles[section];
    }
    if (role == Qt::ToolTipRole && (section == Gain || section == Interval))
        return figure_name(run_.evaluator.kind) + tr(", against the starting schedule of the run");
    if (role == Qt::ToolTipRole && section == Measured)
        return tr("Measured gain against the original over fresh loads (F8), next to the run's own figure");
    if (role == Qt::ToolTipRole && section == Mark)
        return tr(
            "best: new best of the run; accepted: the agent continued from it; rejected: it did not; "
            "repeated: same code as an earlier step, not re-evaluated");
    return {};
}

QVariant MutationModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= shown_ || at.column() >= kColumns) return {};
    const StepId step = step_of_row(first_ + at.row());
    if (role == StepRole) return static_cast<qlonglong>(step);
    if (role == Qt::TextAlignmentRole) return alignment(at.column());
    const StepRecord* r = record(step);
    if (role == InstrRole) return r ? r->mutation.instr() : kNone;
    if (!r) {
        if (role != Qt::DisplayRole) return {};
        return at.column() == Step ? QVariant(grouped(step)) : QVariant(QStringLiteral("..."));
    }
    switch (role) {
        case Qt::DisplayRole:
            return text(*r, at.column());
        case Qt::ToolTipRole:
            if (at.column() == Measured) {
                const HandFigure* figure = measured(step);
                if (!figure) return {};
                return figure->outcome == OutcomeKind::Ok
                           ? interval_text(figure->speedup) + QStringLiteral(" %, ") + figure->detail
                           : figure->detail;
            }
            if (!r->outcome.detail.empty()) return QString::fromStdString(r->outcome.detail);
            return at.column() == Instr || at.column() == Change ? text(*r, at.column()) : QVariant();
        case Qt::ForegroundRole:
            return color(*r, at.column());
        case Qt::BackgroundRole:
            return r->best ? QVariant(QBrush(Theme::instance().colors().good_soft)) : QVariant();
        case Qt::FontRole: {
            if (at.column() == Instr || at.column() == Change) return Theme::instance().mono_font();
            return {};
        }
        default:
            return {};
    }
}

QVariant MutationModel::text(const StepRecord& r, int column) const {
    const QLatin1Char space(' ');
    switch (column) {
        case Step:
            return grouped(r.step);
        case Time:
            return duration_text(static_cast<double>(r.time_us) * 1e-6);
        case Kind:
            return kind_title(r.mutation.kind());
        case Instr: {
            const InstrId id = r.mutation.instr();
            return id < texts_.size() ? texts_[id]
                   : id == kNone      ? QStringLiteral("-")
                                      : QStringLiteral("#%1").arg(id);
        }
        case Change:
            return describe_ ? describe_(r.mutation) : QString::fromStdString(r.mutation.encode());
        case OutcomeText:
            return outcome_title(r.outcome.kind);
        case VerdictText: {
            if (!r.outcome.ok()) return QStringLiteral("-");
            // A model result has no verdict: FASTER would claim a measurement.
            if (run_.evaluator.kind == EvaluatorKind::Model) return tr("modelled");
            return QString::fromLatin1(to_string(r.outcome.verdict));
        }
        case Gain:
            return r.outcome.ok() ? percent_text(r.outcome.speedup.log) : QStringLiteral("-");
        case Interval:
            if (!r.outcome.ok() || run_.evaluator.kind == EvaluatorKind::Model) return QStringLiteral("-");
            return interval_text(r.outcome.speedup);
        case Reward:
            return QString::number(r.reward, 'g', 4);
        case Mark: {
            QStringList marks;
            if (r.best) marks << tr("best");
            if (r.accepted) marks << tr("accepted");
            if (r.repeated) marks << tr("repeated");
            if (marks.isEmpty()) marks << tr("rejected");
            return marks.join(QStringLiteral(", "));
        }
        case Measured: {
            const HandFigure* figure = measured(r.step);
            if (!figure) return {};
            if (figure->outcome != OutcomeKind::Ok) return outcome_title(figure->outcome);
            return percent_text(figure->speedup.log) + space +
                   QString::fromLatin1(to_string(figure->verdict));
        }
        default:
            return {};
    }
}

QVariant MutationModel::color(const StepRecord& r, int column) const {
    const ThemeColors& c = Theme::instance().colors();
    if (column == OutcomeText && !r.outcome.ok()) return QBrush(c.bad);
    // Green marks a gain: a rejected step has none.
    const bool kept = r.accepted || r.best;
    if (column == Measured) {
        const HandFigure* figure = measured(r.step);
        if (!figure) return {};
        if (figure->outcome != OutcomeKind::Ok || figure->verdict == Verdict::Slower) return QBrush(c.bad);
        return QBrush(figure->verdict == Verdict::Faster && kept ? c.good : c.text_dim);
    }
    if (column == Mark) return QBrush(r.best ? c.good : r.accepted ? c.accent : c.text_dim);
    if (column == VerdictText || column == Gain) {
        if (!r.outcome.ok()) return QBrush(c.text_dim);
        if (r.outcome.speedup.log > 0 && !kept) return QBrush(c.text_dim);
        if (run_.evaluator.kind == EvaluatorKind::Model)
            return QBrush(reads_zero(r.outcome.speedup.log) ? c.text_dim
                          : r.outcome.speedup.log > 0       ? c.good
                                                            : c.bad);
        switch (r.outcome.verdict) {
            case Verdict::Faster:
                return QBrush(c.good);
            case Verdict::Slower:
                return QBrush(c.bad);
            default:
                return QBrush(c.text_dim);
        }
    }
    if (column == Time || column == Kind || column == Interval) return QBrush(c.text_dim);
    return {};
}

}  // namespace cubinlab::ui
