// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/control_editor.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>

#include "core/sass/opcode_help.h"
#include "ui/base/flow_layout.h"
#include "ui/base/job_runner.h"
#include "ui/base/plain_text.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kCell = 21;
constexpr int kHeight = 20;

const auto kTag = QStringLiteral("control-legality");

QString help_text(const char* field) {
    const OpcodeHelp* help = control_field_help(field);
    return help == nullptr ? QString()
                           : QString::fromUtf8(help->text.data(), static_cast<qsizetype>(help->text.size()));
}

}  // namespace

StallStrip::StallStrip(QWidget* parent) : QWidget(parent) {
    setFixedSize(sizeHint());
    setAccessibleName(tr("Stall counts, legal and illegal"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize StallStrip::sizeHint() const {
    return {16 * kCell + 1, kHeight};
}

QRect StallStrip::cell(int stall) const {
    return {stall * kCell, 0, kCell, kHeight - 1};
}

void StallStrip::set_value(int stall, int present) {
    value_ = stall;
    present_ = present;
    update();
}

void StallStrip::set_reasons(const std::array<QString, 16>& reasons) {
    reasons_ = reasons;
    update();
}

int StallStrip::stall_at(const QPoint& at) const {
    const int stall = at.x() / kCell;
    return rect().contains(at) && stall >= 0 && stall < 16 ? stall : -1;
}

void StallStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    painter.setFont(Theme::instance().small_font());
    for (int stall = 0; stall < 16; ++stall) {
        const QRect box = cell(stall);
        const bool legal = reasons_[static_cast<std::size_t>(stall)].isEmpty();
        painter.fillRect(box, stall == value_ ? c.accent_soft : legal ? c.surface : c.bad_soft);
        painter.setPen(stall == value_ ? c.accent : c.border);
        painter.drawRect(box.adjusted(0, 0, stall == 15 ? 0 : -1, 0));
        painter.setPen(legal ? c.text : c.text_dim);
        painter.drawText(box, Qt::AlignCenter, QString::number(stall));
        if (!legal) {  // a sign beside the colour
            painter.setPen(c.bad);
            painter.drawLine(box.topLeft() + QPoint(3, 3), box.bottomRight() - QPoint(3, 3));
        }
        if (stall == present_) painter.fillRect(box.left() + 4, box.bottom() - 2, kCell - 8, 2, c.text_dim);
    }
}

void StallStrip::mousePressEvent(QMouseEvent* event) {
    if (const int stall = stall_at(event->position().toPoint()); stall >= 0) Q_EMIT chosen(stall);
}

bool StallStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int stall = stall_at(help->pos());
    if (stall < 0) return true;
    const QString& reason = reasons_[static_cast<std::size_t>(stall)];
    QToolTip::showText(help->globalPos(),
                       reason.isEmpty() ? tr("%n cycle(s): legal", "", stall) : plain_tip(reason), this);
    return true;
}

ControlEditor::ControlEditor(Document* document, JobRunner* jobs, QWidget* parent)
    : QFrame(parent), document_(document), jobs_(jobs) {
    setObjectName(QStringLiteral("control_editor"));
    setAccessibleName(tr("Control code editor"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    title_ = new QLabel(this);
    title_->setAccessibleName(tr("Instruction"));
    title_->setTextFormat(Qt::RichText);
    code_ = new QLabel(this);
    code_->setAccessibleName(tr("Current and draft control code"));
    layout->addWidget(title_);
    layout->addWidget(code_);

    stall_ = new QSpinBox(this);
    stall_->setRange(0, 15);
    stall_->setAccessibleName(tr("Stall count, cycles"));
    stall_->setFixedWidth(52);
    stall_->setAlignment(Qt::AlignRight);
    strip_ = new StallStrip(this);
    connect(stall_, &QSpinBox::valueChanged, this, [this](int value) {
        ControlCode code = draft_;
        code.stall = static_cast<std::uint8_t>(value);
        change(code);
    });
    // Reports a rejected key: "150" must not silently become "15".
    connect(stall_->findChild<QLineEdit*>(), &QLineEdit::inputRejected, this, [this] {
        QToolTip::showText(stall_->mapToGlobal(QPoint(0, stall_->height())),
                           tr("The stall count must be 0 to 15 cycles."), stall_);
    });
    connect(strip_, &StallStrip::chosen, stall_, &QSpinBox::setValue);
    layout->addWidget(make_row(tr("Stall"), "stall", {stall_, strip_}));

    yield_ = make_chip(tr("Y"), tr("Yield requested"), [this](bool on) {
        ControlCode code = draft_;
        code.yield = on;
        change(code);
    });
    for (std::size_t slot = 0; slot < reuse_.size(); ++slot) {
        const QString letter(QLatin1Char(static_cast<char>('a' + slot)));
        reuse_[slot] =
            make_chip(letter, tr("Keep operand %1 in the reuse cache").arg(letter), [this, slot](bool) {
                ControlCode code = draft_;
                code.reuse = static_cast<std::uint8_t>(draft_.reuse ^ (1u << slot));
                change(code);
            });
    }
    auto* reuse_title = new QLabel(tr("Reuse"), this);
    reuse_title->setToolTip(help_text("reuse"));
    layout->addWidget(make_row(tr("Yield"), "yield", {yield_, reuse_title, reuse_[0], reuse_[1], reuse_[2]}));

    for (std::size_t i = 0; i < wait_.size(); ++i)
        wait_[i] = make_chip(QStringLiteral("SB%1").arg(i), tr("Wait for SB%1").arg(i), [this, i](bool) {
            ControlCode code = draft_;
            code.wait_mask = static_cast<std::uint8_t>(draft_.wait_mask ^ (1u << i));
            change(code);
        });
    layout->addWidget(
        make_row(tr("Wait for"), "wait", {wait_[0], wait_[1], wait_[2], wait_[3], wait_[4], wait_[5]}));
    make_barrier_row(read_, tr("Read barrier"), "read", &ControlCode::read_barrier);
    make_barrier_row(write_, tr("Write barrier"), "write", &ControlCode::write_barrier);
    hints_ = new HintRows(this);
    connect(hints_, &HintRows::chosen, this, &ControlEditor::change_hint);
    layout->addWidget(hints_);

    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Legality of the draft"));
    verdict_->setMinimumHeight(34);
    verdict_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    go_ = new QPushButton(this);
    go_->setObjectName(QStringLiteral("control_go"));
    go_->setAccessibleName(tr("Go to the other instruction"));
    go_->setVisible(false);
    connect(go_, &QPushButton::clicked, this, [this] {
        if (!legality_.draft.refused) return;
        const Hazard& hazard = *legality_.draft.refused;
        Q_EMIT go_to_asked(hazard.earlier == id_ ? hazard.later : hazard.earlier);
    });
    apply_ = new QPushButton(tr("Apply  (Enter)"), this);
    apply_->setAccessibleName(tr("Apply the control code"));
    connect(apply_, &QPushButton::clicked, this, &ControlEditor::commit);
    auto* cancel = new QPushButton(tr("Cancel  (Esc)"), this);
    cancel->setAccessibleName(tr("Discard the draft"));
    connect(cancel, &QPushButton::clicked, this, &ControlEditor::dismiss);
    layout->addWidget(verdict_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(go_);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(apply_);
    layout->addLayout(buttons);
    setFixedWidth(530);
    tab_as_laid_out(*this);

    for (QWidget* widget : findChildren<QWidget*>())
        widget->installEventFilter(this);
    connect(&document_->hand(), &HandEditor::changed, this, [this] {
        if (isVisible() && document_->is_open() && !dirty()) edit(id_);
    });
    connect(document_, &Document::leaving, this, &ControlEditor::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &ControlEditor::take_theme);
    take_theme();
    hide();
}

QToolButton* ControlEditor::make_chip(const QString& text, const QString& name,
                                      std::function<void(bool)> toggled) {
    auto* chip = new QToolButton(this);
    chip->setText(text);
    chip->setCheckable(true);
    chip->setAccessibleName(name);
    chip->setFocusPolicy(Qt::StrongFocus);
    chip->setProperty("chip", true);
    connect(chip, &QToolButton::toggled, this, [this, toggled = std::move(toggled)](bool on) {
        if (!showing_) toggled(on);
    });
    return chip;
}

QWidget* ControlEditor::make_row(const QString& title, const char* help,
                                 std::initializer_list<QWidget*> widgets) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    auto* name = new QLabel(title, row);
    name->setFixedWidth(88);
    name->setToolTip(help_text(help));
    layout->addWidget(name);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    layout->addStretch(1);
    return row;
}

void ControlEditor::make_barrier_row(std::array<QToolButton*, 7>& chips, const QString& title,
                                     const char* help, std::uint8_t ControlCode::*field) {
    for (std::size_t i = 0; i < chips.size(); ++i) {
        const QString name = i < 6 ? tr("%1: SB%2").arg(title).arg(i) : tr("%1: none").arg(title);
        chips[i] =
            make_chip(i < 6 ? QStringLiteral("SB%1").arg(i) : tr("none"), name, [this, i, field](bool) {
                ControlCode code = draft_;
                code.*field = barrier_of_index(i);
                change(code);
            });
    }
    layout()->addWidget(
        make_row(title, help, {chips[6], chips[0], chips[1], chips[2], chips[3], chips[4], chips[5]}));
}

void ControlEditor::edit(InstrId id) {
    if (!document_->is_open() || id == kNone) return;
    id_ = id;
    hint_ = present_hint();
    change(document_->pair().schedule(ScheduleSlot::Hand)->control(id));
}

// Of a row of barriers: the chosen one, or the first.
void ControlEditor::focus_field(const char* name) {
    const std::string_view field = name;
    QWidget* target = stall_;
    if (field == "yield") target = yield_;
    const auto chosen = [&target](const auto& chips) {
        const auto on = std::ranges::find_if(chips, &QToolButton::isChecked);
        target = on == chips.end() ? chips.front() : *on;
    };
    if (field == "wait") chosen(wait_);
    if (field == "read") chosen(read_);
    if (field == "write") chosen(write_);
    target->setFocus(Qt::ShortcutFocusReason);
    if (target == stall_) stall_->selectAll();
}

void ControlEditor::fit_height(int most) {
    const auto space = [this](int margin, int spacing) {
        layout()->setContentsMargins(12, margin, 12, margin);
        layout()->setSpacing(spacing);
        adjustSize();
    };
    space(9, 6);
    if (height() > most) space(5, 2);
}

bool ControlEditor::dirty() const {
    return document_->is_open() && id_ != kNone &&
           (!(draft_ == document_->pair().schedule(ScheduleSlot::Hand)->control(id_)) ||
            !(hint_ == present_hint()));
}

CacheHint ControlEditor::present_hint() const {
    return CacheHint::from_bits(document_->pair().schedule(ScheduleSlot::Hand)->field(kHintField, id_));
}

// Each hint is legal or not by itself, so the answer about the control code stays.
void ControlEditor::change_hint(const CacheHint& hint) {
    hint_ = hint;
    show_draft();
    if (judged_) show_legality();
}

void ControlEditor::change(const ControlCode& draft) {
    draft_ = draft;
    judged_ = false;
    show_draft();
    request_legality();
}

void ControlEditor::show_draft() {
    const SchedulePtr hand = document_->pair().schedule(ScheduleSlot::Hand);
    const ControlCode now = hand->control(id_);
    showing_ = true;
    title_->setText(
        QStringLiteral("<b>%1</b>&nbsp; %2")
            .arg(document_->name_of(id_, *hand).toHtmlEscaped(), document_->text_of(id_).toHtmlEscaped()));
    QString before = QString::fromStdString(now.text()), after = QString::fromStdString(draft_.text());
    if (const CacheHint present = present_hint(); !(hint_ == present)) {
        before += QStringLiteral("  ") + QString::fromStdString(present.text());
        after += QStringLiteral("  ") + QString::fromStdString(hint_.text());
    }
    code_->setText(before == after ? before : QStringLiteral("%1  \u2192  %2").arg(before, after));
    hints_->show_hint(hand->kernel()->arch(), hand->kernel()->instruction(id_), hint_);
    {
        const QSignalBlocker quiet(stall_);
        stall_->setValue(draft_.stall);
    }
    strip_->set_value(draft_.stall, now.stall);
    yield_->setChecked(draft_.yield);
    for (std::size_t i = 0; i < wait_.size(); ++i)
        wait_[i]->setChecked((draft_.wait_mask >> i) & 1);
    for (std::size_t i = 0; i < read_.size(); ++i) {
        read_[i]->setChecked(draft_.read_barrier == barrier_of_index(i));
        write_[i]->setChecked(draft_.write_barrier == barrier_of_index(i));
    }
    for (std::size_t i = 0; i < reuse_.size(); ++i)
        reuse_[i]->setChecked((draft_.reuse >> i) & 1);
    showing_ = false;
    verdict_->setText(dirty() ? tr("Checking ...") : tr("Unchanged."));
    verdict_->setStyleSheet({});
    go_->hide();
    apply_->setEnabled(dirty());
}

void ControlEditor::request_legality() {
    if (!document_->hand().can_edit()) return;
    const SchedulePtr hand = document_->pair().schedule(ScheduleSlot::Hand);
    jobs_->run<ControlLegality>(
        kTag,
        [checker = document_->checker(), hand, id = id_, draft = draft_](std::stop_token stop) {
            return check_control(*checker, *hand, id, draft, stop);
        },
        [this, hand](ControlLegality legality) {
            legality_ = std::move(legality);
            judged_on_ = hand;
            judged_ = true;
            if (document_->is_open()) show_legality();
        });
}

QString ControlEditor::reason_of(const FieldVerdict& verdict) const {
    if (verdict.legal()) return {};
    return document_->explanation_of(*verdict.refused, *document_->pair().schedule(ScheduleSlot::Hand));
}

void ControlEditor::mark(QToolButton* chip, const FieldVerdict& verdict, const QString& legal_text) {
    const QString reason = reason_of(verdict);
    chip->setToolTip(reason.isEmpty() ? legal_text : tr("Illegal: %1").arg(reason));
    chip->setAccessibleDescription(chip->toolTip());
    if (chip->property("illegal").toBool() == !reason.isEmpty()) return;
    chip->setProperty("illegal", !reason.isEmpty());
    chip->style()->unpolish(chip);
    chip->style()->polish(chip);
}

void ControlEditor::show_legality() {
    std::array<QString, 16> reasons;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        reasons[i] = reason_of(legality_.stall[i]);
    strip_->set_reasons(reasons);
    mark(yield_, legality_.yield, tr("Toggle the yield request"));
    for (std::size_t i = 0; i < wait_.size(); ++i)
        mark(wait_[i], legality_.wait[i], tr("Toggle the wait for SB%1").arg(i));
    for (std::size_t i = 0; i < read_.size(); ++i) {
        mark(read_[i], legality_.read[i],
             i < 6 ? tr("SB%1 is released when the sources are read").arg(i) : tr("No read barrier"));
        mark(write_[i], legality_.write[i],
             i < 6 ? tr("SB%1 is released when the result is written").arg(i) : tr("No write barrier"));
    }
    for (std::size_t i = 0; i < reuse_.size(); ++i)
        mark(reuse_[i], legality_.reuse[i], tr("Toggle reuse of this operand by the next instruction"));
    if (!dirty()) return;
    const bool legal = legality_.draft.legal();
    const ThemeColors& c = Theme::instance().colors();
    verdict_->setText(verdict_text());
    verdict_->setStyleSheet(QStringLiteral("color: %1").arg((legal ? c.good : c.bad).name()));
    apply_->setEnabled(legal);
    if (legal) return;
    const Hazard& hazard = *legality_.draft.refused;
    const InstrId other = hazard.earlier == id_ ? hazard.later : hazard.earlier;
    if (other == kNone || other == id_) return;
    go_->setText(
        tr("Go to %1").arg(document_->name_of(other, *document_->pair().schedule(ScheduleSlot::Hand))));
    go_->setAccessibleName(go_->text());
    go_->show();
}

QString ControlEditor::verdict_text() const {
    if (!judged_) return {};
    if (legality_.draft.legal()) return tr("Legal.");
    return tr("Rejected (%1): %2")
        .arg(QLatin1String(to_string(legality_.draft.refused->rule)), reason_of(legality_.draft));
}

void ControlEditor::commit() {
    if (!document_->is_open() || id_ == kNone) return;
    if (!dirty()) {
        dismiss();
        return;
    }
    // The message bar shows a rejection.
    const bool known = judged_ && judged_on_ == document_->pair().schedule(ScheduleSlot::Hand);
    const bool done = hint_ == present_hint()
                          ? document_->hand().set_control(id_, draft_, known ? &legality_.answer : nullptr)
                          : document_->hand().set_fields(
                                id_, {{EditKind::Control, draft_.bits()}, {EditKind::Hint, hint_.bits()}});
    if (!done) return;
    hide();
    Q_EMIT committed();
}

void ControlEditor::dismiss() {
    jobs_->cancel(kTag);
    if (isHidden()) return;
    hide();
    Q_EMIT dismissed();
}

bool ControlEditor::eventFilter(QObject* watched, QEvent* event) {
    // Fields take Enter and Esc for themselves otherwise; the window's shortcuts must not take them either.
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        const bool button = qobject_cast<QPushButton*>(watched) != nullptr;
        if ((enter && !button) || key->key() == Qt::Key_Escape) {
            if (event->type() == QEvent::ShortcutOverride)
                event->accept();
            else if (enter)
                commit();
            else
                dismiss();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void ControlEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        commit();
    // Arrow keys of a field must not move the selection of the listing behind.
    event->accept();
}

void ControlEditor::take_theme() {
    const ThemeColors& c = Theme::instance().colors();
    code_->setFont(Theme::instance().mono_font());
    setStyleSheet(
        QStringLiteral("#control_editor { background: %1; border: 1px solid %2; border-radius: 6px; }"
                       "#control_editor QLabel { color: %3; background: transparent; }"
                       "#control_editor QToolButton[chip=\"true\"] { background: %4; border: 1px solid %5; "
                       "padding: 2px 7px; color: %3; }"
                       "#control_editor QToolButton[chip=\"true\"]:checked { background: %6; "
                       "border-color: %2; font-weight: 600; }"
                       "#control_editor QToolButton[illegal=\"true\"] { color: %7; border: 1px dashed %7; "
                       "text-decoration: line-through; }"
                       "#control_editor QToolButton[chip=\"true\"]:focus { border: 2px solid %2; }")
            .arg(c.raised.name(), c.accent.name(), c.text.name(), c.surface.name(), c.border.name(),
                 c.accent_soft.name(), c.bad.name()));
}

}  // namespace cubinlab::ui
