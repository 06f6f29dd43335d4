// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/run/opener.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

constexpr int kNo = std::numeric_limits<int>::min() / 2;
constexpr int kLetter = 4;
constexpr int kWordStart = 12;
constexpr int kRun = 10;  // directly after the letter before
constexpr int kGap = -1;  // each skipped letter between two hits, at most kGapLimit of them
constexpr int kGapLimit = 8;
constexpr qsizetype kLongest = 200;  // of either; names are shorter

bool starts_word(const QString& text, qsizetype i) {
    if (i == 0) return true;
    const QChar before = text[i - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[i].isUpper());
}

constexpr int kAlsoScore = 60;  // the beginning of a word ranks above scattered letters

bool is_also(const PaletteEntry& entry, const QString& pattern) {
    const QString typed = pattern.trimmed();
    return typed.size() > 1 &&
           (QLatin1Char(' ') + entry.also).contains(QLatin1Char(' ') + typed, Qt::CaseInsensitive);
}

constexpr int kRowsShown = 12;
constexpr int kWidth = 640;

// "Group: text", letters that matched in the accent colour and bold, the key in a box at the right.
class EntryDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, option.fontMetrics.height() + 12};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& c = Theme::instance().colors();
        const bool enabled = index.data(PaletteModel::EnabledRole).toBool();
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(c.selection);
            painter->drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 5, 5);
        }
        QRect rest = option.rect.adjusted(14, 0, -14, 0);
        paint_key(painter, option, index, rest);
        paint_name(painter, option, index, enabled, rest);
        painter->restore();
    }

  private:
    static void paint_key(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                          QRect& rest) {
        const ThemeColors& c = Theme::instance().colors();
        QString key = index.data(PaletteModel::KeyRole).toString();
        if (index.data(PaletteModel::OnRole).toBool())
            key = key.isEmpty() ? QObject::tr("on") : QObject::tr("on   %1").arg(key);
        if (key.isEmpty()) return;
        const int width = option.fontMetrics.horizontalAdvance(key) + 14;
        const QRect box(rest.right() - width, rest.top() + 4, width, rest.height() - 8);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(c.border);
        painter->setBrush(c.surface_alt);
        painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter->setPen(c.text_dim);
        painter->setFont(option.font);
        painter->drawText(box, Qt::AlignCenter, key);
        rest.setRight(box.left() - 10);
    }

    static void paint_name(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                           bool enabled, const QRect& rest) {
        const ThemeColors& c = Theme::instance().colors();
        const QString group = index.data(PaletteModel::GroupRole).toString() + QStringLiteral(": ");
        const QString name = group + index.data().toString();
        const QVariantList hits = index.data(PaletteModel::HitsRole).toList();
        // Faint text is too weak on the selection's background.
        const QColor off = option.state & QStyle::State_Selected ? c.text_dim : c.text_faint;
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        int x = rest.left();
        qsizetype next = 0;
        painter->setClipRect(rest);
        const auto is_hit = [&](qsizetype i) { return next < hits.size() && hits[next].toInt() == i; };
        for (qsizetype i = 0; i < name.size() && x < rest.right();) {
            const qsizetype start = i;  // of letters that look alike
            const bool hit = is_hit(i);
            do {
                if (hit) ++next;
                ++i;
            } while (i < name.size() && is_hit(i) == hit && i != group.size());
            painter->setFont(hit ? bold : option.font);
            painter->setPen(!enabled ? off : hit ? c.accent : start < group.size() ? c.text_dim : c.text);
            const QString letters = name.mid(start, i - start);
            painter->drawText(QRect(x, rest.top(), rest.right() - x + 1, rest.height()),
                              Qt::AlignVCenter | Qt::AlignLeft, letters);
            x += painter->fontMetrics().horizontalAdvance(letters);
        }
    }
};

QString tr(const char* text) {
    return QCoreApplication::translate("cubinlab::ui", text);
}

QString group_of(const QString& id) {
    const QString first = id.section(QLatin1Char('.'), 0, 0);
    if (first == QLatin1String("file")) return tr("File");
    if (first == QLatin1String("edit")) return tr("Edit");
    if (first == QLatin1String("go")) return tr("Go");
    if (first == QLatin1String("view")) return tr("View");
    if (first == QLatin1String("layout")) return tr("Layout");
    if (first == QLatin1String("agent")) return tr("Agent");
    if (first == QLatin1String("help")) return tr("Help");
    QString name = first;
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

// Other names of a command, by which people who know NVIDIA's tools look for it.
QString also_called(const QString& id) {
    static const std::pair<const char*, QString> known[] = {
        {"agent.start", tr("tune optimise optimize search run reinforcement learning")},
        {"agent.profile", tr("nsight compute ncu stall reason warp state profiler")},
        {"agent.lock", tr("pin freeze protect")},
        {"agent.continue", tr("resume")},
        {"edit.control", tr("barrier scoreboard stall wait yield reuse control code")},
        {"edit.tighten", tr("stall reduce minimal stalls")},
        {"edit.reschedule", tr("list scheduler reorder")},
        {"edit.try_places", tr("try positions")},
        {"file.measure", tr("benchmark time speedup")},
        {"file.import_profile", tr("nsight ncu stall reason samples")},
        {"file.export_best", tr("patch install save cubin")},
        {"file.export_hand", tr("patch install save cubin")},
        {"file.export_viewed", tr("patch install save cubin")},
        {"file.export_diff", tr("patch")},
        {"file.campaign", tr("campaign batch")},
        {"go.hot_loop", tr("hot loop inner loop bottleneck")},
        {"go.next_wait", tr("stall reason long wait latency hot spot bottleneck")},
        {"replay.minimise", tr("minimise minimize ablation which edits matter")},
        {"view.live", tr("register pressure")},
        {"view.arrows", tr("barrier scoreboard dependence")},
        {"view.show_graph", tr("critical path dependence scoreboard barrier")},
        {"view.show_kernel", tr("bottleneck limits limiter hot loop occupancy stall reason roofline")},
        {"view.show_problems", tr("hazard legality errors")},
        {"view.show_rewards", tr("reward curve gain chart")},
        {"view.show_starts", tr("recompile recompilation ptxas compilation compiler ptx order lineage")},
        {"agent.ptx", tr("recompile ptxas compilation starts source")},
        {"view.show_timeline", tr("issue pipeline hot loop warps")}};
    for (const auto& [command, names] : known)
        if (id == QLatin1String(command)) return names;
    return {};
}

void add_commands(std::vector<PaletteEntry>& entries, MainWindow& window, const QStringList& lately) {
    Commands& commands = window.commands();
    for (QAction* action : commands.all()) {
        PaletteEntry entry;
        entry.id = action->objectName();
        if (entry.id == QLatin1String("view.palette")) continue;
        entry.group = group_of(entry.id);
        entry.text = Commands::plain_text(action);
        entry.key = action->shortcut().toString(QKeySequence::NativeText);
        entry.also = also_called(entry.id);
        entry.enabled = action->isEnabled();
        entry.on = action->isCheckable() && action->isChecked();
        entry.detail = entry.enabled ? action->statusTip() : commands.why_disabled(action);
        entry.run = [action] { action->trigger(); };
        if (const qsizetype place = lately.indexOf(entry.id); place >= 0)
            entry.bonus = static_cast<int>(8 - std::min<qsizetype>(place, 7));
        entries.push_back(std::move(entry));
    }
}

void add_offset(std::vector<PaletteEntry>& entries, MainWindow& window, const QString& typed) {
    const auto offset = parse_offset(typed);
    if (!offset) return;
    PaletteEntry entry;
    entry.id = QStringLiteral("offset");
    entry.group = tr("Go to offset");
    entry.text = QStringLiteral("0x%1").arg(*offset, 4, 16, QLatin1Char('0'));
    entry.bonus = 1000;
    Document& document = window.document();
    if (!document.is_open()) {
        entry.enabled = false;
        entry.detail = tr("No kernel is open.");
    } else if (const SchedulePtr right = document.pair().right(); *offset / kWordBytes >= right->size()) {
        entry.enabled = false;
        entry.detail =
            tr("The kernel ends at 0x%1.").arg(right->size() * kWordBytes, 4, 16, QLatin1Char('0'));
    } else {
        const InstrId id = right->at(static_cast<Position>(*offset / kWordBytes));
        entry.detail = document.text_of(id);
        entry.run = [&window, id] { window.selection().select(id); };
    }
    entries.push_back(std::move(entry));
}

// Entries that open or show something. A negative bonus puts them after commands with the same score.
void offer(std::vector<PaletteEntry>& entries, const QString& id, const QString& group, const QString& text,
           const QString& detail, int bonus, std::function<void()> run) {
    entries.push_back({id, group, text, detail, {}, true, false, std::move(run), bonus});
}

void add_files(std::vector<PaletteEntry>& entries, MainWindow& window) {
    for (const QString& path : window.settings().recent()) {
        const Place place = Place::from(path);
        offer(entries, QStringLiteral("recent:") + path, tr("Open recent"), place.name(), place.folder(), -2,
              [&window, path] { window.open_path(path); });
    }
    for (const SampleInfo& sample : window.start_page().samples())
        offer(entries, QStringLiteral("sample:") + sample.name, tr("Open sample"), sample.name, sample.about,
              -3, [&window, path = sample.path] { window.open_path(path); });
}

void add_kernels_and_windows(std::vector<PaletteEntry>& entries, MainWindow& window) {
    Document& document = window.document();
    const QStringList kernels = document.kernel_names(), shown = called(kernels);
    for (qsizetype i = 0; i < kernels.size(); ++i)
        if (const QString& name = kernels[i];
            kernels.size() > 1 && name != QString::fromStdString(document.kernel()->name()))
            offer(entries, QStringLiteral("kernel:") + name, tr("Kernel of this file"), shown[i],
                  QString::fromStdString(document.path().string()), -2,
                  [&window, name] { window.open_kernel_here(name); });
    for (MainWindow* other : Windows::instance().all())
        if (other != &window)
            offer(entries, QStringLiteral("window"), tr("Switch to window"), other->windowTitle(),
                  tr("Another CubinLab window"), -2, [other] { Windows::bring_up(other); });
}

}  // namespace

// Best score with letter p of the pattern at t in the text, over all positions of the letters before.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text) {
    QString wanted;
    for (const QChar c : pattern)
        if (!c.isSpace()) wanted += c.toLower();
    if (wanted.isEmpty()) return FuzzyMatch{};
    const QString low = text.left(kLongest).toLower();
    const auto rows = static_cast<std::size_t>(std::min(wanted.size(), kLongest));
    const auto columns = static_cast<std::size_t>(low.size());
    if (rows > columns) return {};
    std::vector<std::vector<int>> best(rows, std::vector<int>(columns, kNo));
    std::vector<std::vector<int>> from(rows, std::vector<int>(columns, -1));
    for (std::size_t p = 0; p < rows; ++p)
        for (std::size_t t = p; t < columns; ++t) {
            if (low[static_cast<qsizetype>(t)] != wanted[static_cast<qsizetype>(p)]) continue;
            const int own = kLetter + (starts_word(text, static_cast<qsizetype>(t)) ? kWordStart : 0);
            if (p == 0) {
                best[p][t] = own - static_cast<int>(std::min<std::size_t>(t, kGapLimit));
                continue;
            }
            for (std::size_t before = p - 1; before < t; ++before) {
                if (best[p - 1][before] == kNo) continue;
                const int gap = static_cast<int>(t - before) - 1;
                const int step = gap == 0 ? kRun : kGap * std::min(gap, kGapLimit);
                const int score = best[p - 1][before] + own + step;
                if (score <= best[p][t]) continue;
                best[p][t] = score;
                from[p][t] = static_cast<int>(before);
            }
        }
    const auto end = std::max_element(best.back().begin(), best.back().end());
    if (*end == kNo) return {};
    FuzzyMatch match;
    match.score = *end;
    match.at.resize(rows);
    int at = static_cast<int>(end - best.back().begin());
    for (std::size_t p = rows; p-- > 0;) {
        match.at[p] = at;
        at = from[p][static_cast<std::size_t>(at)];
    }
    return match;
}

void PaletteModel::set_entries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    entries_ = std::move(entries);
    filter();
    endResetModel();
}

void PaletteModel::set_pattern(const QString& pattern) {
    beginResetModel();
    pattern_ = pattern;
    filter();
    endResetModel();
}

void PaletteModel::filter() {
    rows_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const PaletteEntry& entry = entries_[i];
        Row row{i, entry.bonus, {}};
        const auto match = fuzzy_match(pattern_, entry.name());
        if (match) {
            row.score += match->score;
            for (const int at : match->at)
                row.hits << at;
        }
        const bool known = is_also(entry, pattern_);
        if (known) row.score = std::max(row.score, entry.bonus + kAlsoScore);
        // An offset entry matches the typed text completely.
        if (!match && !known && entry.id != QLatin1String("offset")) continue;
        if (!entry.enabled) row.score -= 6;  // prefer enabled commands
        rows_.push_back(std::move(row));
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.score > b.score; });
}

const PaletteEntry* PaletteModel::entry(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return nullptr;
    return &entries_[rows_[static_cast<std::size_t>(row)].entry];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const PaletteEntry* e = index.isValid() ? entry(index.row()) : nullptr;
    if (e == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole:
            return e->text;
        case Qt::AccessibleTextRole: {
            QString text = e->name();
            if (!e->key.isEmpty()) text += QStringLiteral(", ") + e->key;
            if (!e->enabled) text += tr(", not available: %1").arg(e->detail);
            return text;
        }
        case Qt::ToolTipRole:
        case DetailRole:
            return e->detail;
        case GroupRole:
            return e->group;
        case KeyRole:
            return e->key;
        case EnabledRole:
            return e->enabled;
        case OnRole:
            return e->on;
        case HitsRole:
            return rows_[static_cast<std::size_t>(index.row())].hits;
        case IdRole:
            return e->id;
        default:
            return {};
    }
}

// Disabled rows can be selected as well, to show the reason.
Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(Source entries, QWidget* window)
    : QFrame(window), source_(std::move(entries)), model_(new PaletteModel(this)) {
    setObjectName(QStringLiteral("command_palette"));
    setAccessibleName(tr("Command palette"));
    setAutoFillBackground(true);
    edit_ = new QLineEdit(this);
    edit_->setPlaceholderText(tr("Type a command, an offset (0x1270) or a recent file"));
    edit_->setAccessibleName(tr("Search all commands"));
    edit_->installEventFilter(this);
    list_ = new QListView(this);
    list_->setAccessibleName(tr("Matching commands"));
    list_->setModel(model_);
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setFocusPolicy(Qt::NoFocus);  // the keyboard stays in the line
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    detail_ = new QLabel(this);
    detail_->setAccessibleName(tr("Description of the selected command"));
    detail_->setWordWrap(true);
    detail_->setContentsMargins(14, 6, 14, 8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 8, 1, 1);
    layout->setSpacing(6);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(9, 0, 9, 0);
    line->addWidget(edit_);
    layout->addLayout(line);
    layout->addWidget(list_, 1);
    layout->addWidget(detail_);
    connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::typed);
    connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) {
        list_->setCurrentIndex(index);
        run_current();
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &CommandPalette::tell_current);
    const auto recolour = [this] {
        const ThemeColors& c = Theme::instance().colors();
        setStyleSheet(
            QStringLiteral("#command_palette { background: %1; border: 1px solid %2; border-radius: 8px; }"
                           "#command_palette QListView { background: transparent; }"
                           "#command_palette QLabel { color: %3; }")
                .arg(c.raised.name(), c.border.name(), c.text_dim.name()));
    };
    connect(&Theme::instance(), &Theme::changed, this, recolour);
    recolour();
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open(const QString& text) {
    if (!isVisible()) focus_before_ = QApplication::focusWidget();
    {
        const QSignalBlocker quiet(edit_);
        edit_->setText(text);
    }
    typed(text);
    place();
    show();
    raise();
    edit_->setFocus();
    edit_->selectAll();
}

void CommandPalette::close_palette() {
    if (!isVisible()) return;
    const bool had_focus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (had_focus && focus_before_) focus_before_->setFocus();
}

void CommandPalette::typed(const QString& text) {
    model_->set_entries(source_(text));
    model_->set_pattern(text);
    list_->setCurrentIndex(model_->index(0));
    tell_current();
}

void CommandPalette::tell_current() {
    const PaletteEntry* entry = model_->entry(list_->currentIndex().row());
    if (entry == nullptr)
        detail_->setText(tr("No command matches \"%1\".").arg(edit_->text()));
    else if (entry->enabled)
        detail_->setText(entry->detail);
    else
        detail_->setText(tr("Not available: %1").arg(entry->detail));
}

// A command that was disabled when the palette opened may be enabled now (the checker is ready).
const PaletteEntry* CommandPalette::look_again(const QString& id) {
    model_->set_entries(source_(edit_->text()));
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (model_->entry(row)->id != id) continue;
        list_->setCurrentIndex(model_->index(row));
        tell_current();
        return model_->entry(row);
    }
    return nullptr;
}

void CommandPalette::run_current() {
    const PaletteEntry* entry = model_->entry(list_->currentIndex().row());
    if (entry == nullptr) return;
    if (!entry->enabled) entry = look_again(entry->id);
    if (entry == nullptr || !entry->enabled) return;  // the line below says why
    const auto run = entry->run;                      // the entry dies with the palette's next list
    close_palette();
    if (run) run();
}

void CommandPalette::place() {
    const QWidget* window = parentWidget();
    const int row = list_->sizeHintForRow(0) > 0 ? list_->sizeHintForRow(0) : fontMetrics().height() + 12;
    const int width = std::min(kWidth, window->width() - 40);
    const int height = std::min(kRowsShown * row + 120, window->height() - 100);
    setGeometry((window->width() - width) / 2, 64, width, height);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != edit_) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) close_palette();
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();  // arrows and Esc are the palette's here
        if (key == Qt::Key_Escape || key == Qt::Key_Up || key == Qt::Key_Down) event->accept();
        return false;
    }
    if (event->type() != QEvent::KeyPress) return false;
    const int rows = model_->rowCount();
    int row = list_->currentIndex().row();
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            close_palette();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run_current();
            return true;
        case Qt::Key_Up:
            row = row > 0 ? row - 1 : rows - 1;
            break;
        case Qt::Key_Down:
            row = row + 1 < rows ? row + 1 : 0;
            break;
        case Qt::Key_PageUp:
            row = std::max(0, row - kRowsShown + 1);
            break;
        case Qt::Key_PageDown:
            row = std::min(rows - 1, row + kRowsShown - 1);
            break;
        default:
            return false;
    }
    if (rows > 0) list_->setCurrentIndex(model_->index(row));
    return true;
}

std::optional<unsigned> parse_offset(const QString& text) {
    QString digits = text.trimmed();
    const bool marked = digits.startsWith(QLatin1Char(':')) || digits.startsWith(QLatin1Char('@'));
    if (marked) digits = digits.mid(1);
    const bool prefixed = digits.startsWith(QLatin1String("0x"), Qt::CaseInsensitive);
    if (prefixed) digits = digits.mid(2);
    // Letters alone are words: "add" and "face" are offsets only with a prefix.
    const bool has_digit = std::any_of(digits.begin(), digits.end(), [](QChar c) { return c.isDigit(); });
    if (!marked && !prefixed && !has_digit) return {};
    bool ok = false;
    const uint offset = digits.toUInt(&ok, 16);
    return ok ? std::optional<unsigned>(offset) : std::nullopt;
}

std::vector<PaletteEntry> palette_entries(MainWindow& window, const QString& typed,
                                          const QStringList& lately) {
    std::vector<PaletteEntry> entries;
    add_offset(entries, window, typed);
    add_commands(entries, window, lately);
    add_files(entries, window);
    add_kernels_and_windows(entries, window);
    return entries;
}

}  // namespace cubinlab::ui
