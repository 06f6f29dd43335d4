// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/pane.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/fitting_label.h"
#include "ui/base/theme.h"
#include "ui/listing/gutter.h"
#include "ui/listing/listing_overlay.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {

constexpr int kMostHead = 280;  // a file may have any name

// Column widths follow the listing's text, so the captions use its size at most.
static QFont caption_font() {
    QFont font = Theme::instance().small_font();
    font.setPointSizeF(std::min(font.pointSizeF(), static_cast<double>(Theme::instance().mono_points())));
    return font;
}

// A line of small names above the columns.
class Captions : public QWidget {
  public:
    Captions(Gutter* gutter, SassView* view, QWidget* parent)
        : QWidget(parent), gutter_(gutter), view_(view) {
        view->installEventFilter(this);
        const auto fit = [this] { setFixedHeight(QFontMetrics(caption_font()).height() + 4); };
        fit();
        connect(&Theme::instance(), &Theme::changed, this, fit);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
        return QWidget::eventFilter(watched, event);
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const ThemeColors& c = Theme::instance().colors();
        painter.fillRect(rect(), c.surface_alt);
        // The listing that has the keyboard is underlined here: a frame around it would cost its scrolling.
        const int line = view_->hasFocus() ? 2 : 1;
        painter.fillRect(0, height() - line, width(), line, view_->hasFocus() ? c.accent : c.border);
        painter.setFont(caption_font());
        painter.setPen(c.text_dim);
        const auto put = [&](int x, int end, const QString& text) {
            const QRect place(x, 0, end - x - 2, height() - 1);
            painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
        };
        const auto columns = gutter_->captions();
        for (std::size_t i = 0; i < columns.size(); ++i)
            put(columns[i].first, i + 1 < columns.size() ? columns[i + 1].first : gutter_->width(),
                columns[i].second);
        put(gutter_->width() + 6, width(), QObject::tr("instruction"));
    }

  private:
    Gutter* gutter_;
    SassView* view_;
};

Pane::Pane(Side side, QWidget* parent) : QWidget(parent), side_(side) {
    bar_ = new QWidget(this);
    bar_->setAutoFillBackground(true);
    slot_ = new ElidingCombo(bar_);
    slot_->setAccessibleName(side == Side::Left ? tr("Schedule on the left") : tr("Schedule on the right"));
    slot_->setToolTip(tr("Schedule shown on this side"));
    facts_ = new FittingLabel(bar_);
    facts_->setAccessibleName(tr("Facts of the schedule"));
    auto* bar_layout = new QHBoxLayout(bar_);
    bar_layout->setContentsMargins(8, 5, 8, 5);
    bar_layout->setSpacing(10);
    bar_layout->addWidget(slot_);
    bar_layout->addWidget(facts_, 1);

    view_ = new SassView(this);
    view_->setAccessibleName(side == Side::Left ? tr("Left listing") : tr("Right listing"));
    gutter_ = new Gutter(view_, side, this);
    overlay_ = new ListingOverlay(view_);
    captions_ = new Captions(gutter_, view_, this);
    if (side == Side::Left) view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* body = new QHBoxLayout;
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(gutter_);
    body->addWidget(view_, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(bar_);
    all->addWidget(captions_);
    all->addLayout(body, 1);

    connect(slot_, &QComboBox::activated, this, [this](int index) {
        Q_EMIT slot_chosen(static_cast<ScheduleSlot>(slot_->itemData(index).toInt()));
    });
    connect(&Theme::instance(), &Theme::changed, this, &Pane::take_theme);
    take_theme();
}

void Pane::take_theme() {
    QPalette palette = facts_->palette();
    palette.setColor(QPalette::WindowText, Theme::instance().colors().text_dim);
    facts_->setPalette(palette);
    captions_->update();
    fit_head();
}

void Pane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_head();
}

// As wide as what it shows, not as the longest it could: the facts beside it need the place. Only the first of them goes
// before its name.
void Pane::fit_head() {
    constexpr int kArrowAndMargins = 40;
    const QMargins margins = bar_->layout()->contentsMargins();
    const int free = width() - margins.left() - margins.right() - bar_->layout()->spacing() - least_facts_;
    const QFontMetrics font = slot_->fontMetrics();
    int longest = 0;
    for (int i = 0; i < slot_->count(); ++i)
        longest = std::max(longest, font.horizontalAdvance(slot_->itemText(i)));
    const int most = std::max(kMostHead, free);
    int width = most;
    // The wording that it will show.
    for (const QString& wording :
         QStringList{slot_->currentText()} + slot_->currentData(ElidingCombo::kShorterRole).toStringList())
        if (const int wide = font.horizontalAdvance(wording) + kArrowAndMargins; wide <= most) {
            width = wide;
            break;
        }
    slot_->setFixedWidth(width);
    slot_->view()->setMinimumWidth(longest + kArrowAndMargins);
}

void Pane::captions_changed() {
    captions_->update();
}

void Pane::set_heads(ScheduleSlot current, const Document& document) {
    const QSignalBlocker quiet(slot_);
    slot_->clear();
    for (const ScheduleSlot slot : {ScheduleSlot::Original, ScheduleSlot::Hand, ScheduleSlot::Best,
                                    ScheduleSlot::Minimal, ScheduleSlot::Viewed, ScheduleSlot::Other}) {
        if ((slot == ScheduleSlot::Viewed || slot == ScheduleSlot::Other || slot == ScheduleSlot::Minimal) &&
            !document.pair().schedule(slot))
            continue;
        QString text = document.pair().title(slot);
        if (slot == ScheduleSlot::Viewed)
            text = tr("Step %1").arg(document.pair().viewed_step().step);
        else if (slot == ScheduleSlot::Other)
            text = document.pair().other_name();
        else if (slot == ScheduleSlot::Best && document.pair().best_step().step != 0)
            text = tr("Agent's best (step %1)").arg(document.pair().best_step().step);
        else if (slot == ScheduleSlot::Minimal && slot == current)
            text = tr("Minimal best: %1").arg(document.pair().minimal_about());
        slot_->addItem(text, static_cast<int>(slot));
        if (slot == ScheduleSlot::Minimal && slot == current)
            slot_->setItemData(
                slot_->count() - 1,
                QStringList{tr("Minimal best: %1").arg(document.pair().minimal_edits()), title_of(slot)},
                ElidingCombo::kShorterRole);
        if (slot == ScheduleSlot::Minimal)
            slot_->setItemData(slot_->count() - 1, document.pair().minimal_about(), Qt::ToolTipRole);
        if (slot == current) slot_->setCurrentIndex(slot_->count() - 1);
    }
    fit_head();
}

void Pane::set_facts(const QStringList& facts) {
    QStringList wordings;
    for (qsizetype n = facts.size(); n > 0; --n)
        wordings << facts.mid(0, n).join(QStringLiteral("  \u00b7  "));
    wordings << QString();  // empty rather than elided
    facts_->set_texts(wordings);
    least_facts_ = facts_->fontMetrics().horizontalAdvance(facts.value(0)) + 2;
    fit_head();
}

}  // namespace cubinlab::ui
