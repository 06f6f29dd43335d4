// SPDX-License-Identifier: GPL-3.0-or-later
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/tab_order.h"
#include "ui/base/theme.h"
#include "ui/shell/tour.h"

namespace cubinlab::ui {
namespace {

constexpr int kWidth = 380;
constexpr int kEdge = 22;

}  // namespace

TourPanel::TourPanel(QWidget* window) : QFrame(window) {
    setObjectName(QStringLiteral("tour_panel"));
    setAccessibleName(tr("Tour"));
    progress_ = new QLabel(this);
    progress_->setAccessibleName(tr("Step of the tour"));
    title_ = new QLabel(this);
    title_->setAccessibleName(tr("What this step is about"));
    QFont bold = Theme::instance().ui_font();
    bold.setPointSize(bold.pointSize() + 3);
    bold.setWeight(QFont::DemiBold);
    title_->setFont(bold);
    title_->setWordWrap(true);
    text_ = new QLabel(this);
    text_->setAccessibleName(tr("What to do"));
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::RichText);
    done_ = new QLabel(tr("\u2713 done"), this);
    done_->setAccessibleName(tr("This step is done"));
    act_ = new QPushButton(this);
    back_ = new QPushButton(tr("Back"), this);
    next_ = new QPushButton(tr("Next"), this);
    close_ = new QPushButton(tr("End the tour"), this);
    auto* top = new QHBoxLayout;
    top->addWidget(progress_, 1);
    top->addWidget(done_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(close_);
    buttons->addStretch(1);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 14, 18, 14);
    layout->setSpacing(9);
    layout->addLayout(top);
    layout->addWidget(title_);
    layout->addWidget(text_, 1);
    layout->addWidget(act_, 0, Qt::AlignLeft);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    tab_as_laid_out(*this);
    connect(back_, &QPushButton::clicked, this, &TourPanel::back);
    connect(next_, &QPushButton::clicked, this, &TourPanel::next);
    connect(act_, &QPushButton::clicked, this, &TourPanel::act);
    connect(close_, &QPushButton::clicked, this, &TourPanel::ended);
    const auto recolour = [this] {
        const ThemeColors& c = Theme::instance().colors();
        setStyleSheet(
            QStringLiteral("#tour_panel { background: %1; border: 2px solid %2; border-radius: 10px; }")
                .arg(c.raised.name(), c.accent.name()));
        QPalette dim = progress_->palette();
        dim.setColor(QPalette::WindowText, c.text_dim);
        progress_->setPalette(dim);
        QPalette good = done_->palette();
        good.setColor(QPalette::WindowText, c.good);
        done_->setPalette(good);
    };
    connect(&Theme::instance(), &Theme::changed, this, recolour);
    recolour();
    window->installEventFilter(this);
}

void TourPanel::show_step(const TourStep& step, int number, int count, bool done) {
    progress_->setText(tr("Step %1 of %2").arg(number).arg(count));
    title_->setText(step.title);
    text_->setText(step.text);
    act_->setText(step.action);
    act_->setVisible(!step.action.isEmpty());
    act_->setDefault(!done);
    done_->setVisible(done);
    back_->setEnabled(number > 1);
    next_->setText(number == count ? tr("Finish") : tr("Next"));
    place();
    show();
    raise();
}

void TourPanel::say(const QString& why_not) {
    const QString told = QStringLiteral("<p style='color:%1'>%2</p>")
                             .arg(Theme::instance().colors().warn.name(), why_not.toHtmlEscaped());
    if (!text_->text().endsWith(told)) text_->setText(text_->text() + told);
    place();
}

void TourPanel::place() {
    const QWidget* window = parentWidget();
    const int wide = std::max(kWidth, layout()->totalMinimumSize().width());  // larger text needs more
    const int width = std::min(wide, window->width() - 2 * kEdge);
    setFixedWidth(width);
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    resize(width, std::max(height, 150));
    move(window->width() - this->width() - kEdge, window->height() - this->height() - kEdge - 26);
    clear_buttons();
}

// It lies over the window: no button below it is out of reach. Up, above those that it would cover; where that covers
// others, it stays.
void TourPanel::clear_buttons() {
    const auto covered = [this](const QRect& place) {
        QRect all;
        for (QPushButton* each : parentWidget()->findChildren<QPushButton*>()) {
            if (isAncestorOf(each) || each->window() != window()) continue;
            each->installEventFilter(this);  // it may come, or move below the panel, later
            if (!each->isVisible()) continue;
            const QRect there(each->mapTo(parentWidget(), QPoint()), each->size());
            if (there.intersects(place)) all |= there;
        }
        return all;
    };
    const QRect below = covered(geometry());
    if (below.isNull()) return;
    const QRect above = geometry().translated(0, below.top() - kEdge / 2 - geometry().bottom());
    if (above.top() > kEdge && covered(above).isNull()) move(above.topLeft());
}

bool TourPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool moved =
        event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show;
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != parentWidget() && moved && isVisible() && !placing_) {
        placing_ = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                placing_ = false;
                if (isVisible()) place();
            },
            Qt::QueuedConnection);
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace cubinlab::ui
