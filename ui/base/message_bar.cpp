// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/message_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// HTML takes the narrow space inside of numbers for one where a line may end; before "%" core's messages have such a one.
QString html_of(const QString& text) {
    const QString nbsp(QChar::Nbsp);
    // The first lines of a compiler's output have the error.
    constexpr int kMostLines = 6;
    QStringList lines = text.trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.size() > kMostLines) lines = lines.mid(0, kMostLines - 1) << QString(QChar(0x2026));
    return lines.join(QLatin1Char('\n'))
        .toHtmlEscaped()
        .replace(QLatin1Char('\n'), QStringLiteral("<br>"))
        .replace(QChar(0x202F), nbsp)
        .replace(QStringLiteral(" %"), nbsp + QLatin1Char('%'));
}

constexpr std::size_t kShown = 3;
constexpr int kLookAgainMs = 1000;
// Minimum width of text, icon and cross next to the buttons, pixels.
constexpr int kTextBeside = 330;

struct Look {
    QString icon;
    QColor ink, paper;
};

Look look_of(MessageKind kind) {
    const ThemeColors& c = Theme::instance().colors();
    switch (kind) {
        case MessageKind::Info:
            return {QStringLiteral("info"), c.info, c.info_soft};
        case MessageKind::Done:
            return {QStringLiteral("done"), c.good, c.good_soft};
        case MessageKind::Warning:
            return {QStringLiteral("warning"), c.warn, c.warn_soft};
        case MessageKind::Error:
            return {QStringLiteral("warning"), c.bad, c.bad_soft};
        case MessageKind::Refused:
            return {QStringLiteral("refused"), c.bad, c.bad_soft};
    }
    return {};
}

class MessageItem : public QWidget {
  public:
    MessageItem(const Message& message, QWidget* parent)
        : QWidget(parent), kind_(message.kind), about_(message.about), lasts_(message.lasts) {
        setAttribute(Qt::WA_StyledBackground);
        setObjectName(QStringLiteral("message_item"));
        restyle();
        QObject::connect(&Theme::instance(), &Theme::changed, this, [this] { restyle(); });
    }
    MessageKind kind() const { return kind_; }
    const QString& about() const { return about_; }
    bool lasts() const { return lasts_; }
    QLabel* icon = nullptr;
    QGridLayout* grid = nullptr;
    QWidget* buttons = nullptr;   // null: it has none
    QToolButton* more = nullptr;  // "2 more": messages that are kept back

    // Next to the text, or below it if the text would get only a few words per line.
    void place_buttons(int across) {
        if (buttons == nullptr) return;
        const bool below = across - buttons->sizeHint().width() < kTextBeside;
        if (below == below_) return;
        below_ = below;
        grid->removeWidget(buttons);
        below ? grid->addWidget(buttons, 1, 1, Qt::AlignLeft)
              : grid->addWidget(buttons, 0, 2, Qt::AlignVCenter);
    }

    void add(QPushButton* button, const DisabledReason& why_not) {
        if (why_not) ways_.emplace_back(button, why_not);
    }
    void update_actions() {
        for (const auto& [button, why_not] : ways_) {
            const QString why = why_not();
            button->setEnabled(why.isEmpty());
            button->setToolTip(why);
        }
    }

    void restyle() {
        const Look look = look_of(kind_);
        const ThemeColors& c = Theme::instance().colors();
        setStyleSheet(
            QStringLiteral(
                "#message_item { background: %1; border-bottom: 1px solid %3; border-left: 3px solid %2; }"
                "#message_item QLabel { color: %4; background: transparent; }"
                "#message_item QPushButton { background: transparent; border: 1px solid %2; color: %4; "
                "padding: 2px 9px; }"
                "#message_item QPushButton:hover { background: %5; }"
                "#message_item QPushButton:disabled { border-color: %3; color: %6; }")
                .arg(look.paper.name(), look.ink.name(), c.border.name(), c.text.name(), c.surface.name(),
                     c.text_dim.name()));
        if (icon != nullptr) icon->setPixmap(themed_icon(look.icon).pixmap(16, 16));
    }

  private:
    MessageKind kind_;
    QString about_;
    bool lasts_;
    bool below_ = false;
    std::vector<std::pair<QPushButton*, DisabledReason>> ways_;
};

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent) {
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(0);
    setAccessibleName(tr("Messages"));
    // Not what its buttons ask for beside the text: in a window that gets narrower they go below it.
    setMinimumWidth(kTextBeside);
    if (parent != nullptr) parent->installEventFilter(this);
    hide();
}

// The remaining height in the column before the window would have to grow.
int MessageBar::room() const {
    const QWidget* around = parentWidget();
    const auto* column = around != nullptr ? qobject_cast<QVBoxLayout*>(around->layout()) : nullptr;
    if (column == nullptr) return QWIDGETSIZE_MAX;
    const QMargins margins = column->contentsMargins();
    int others = margins.top() + margins.bottom();
    for (int i = 0; i < column->count(); ++i) {
        QLayoutItem* item = column->itemAt(i);
        if (item->widget() != this && !item->isEmpty())
            others += item->minimumSize().height() + column->spacing();
    }
    return around->height() - others;
}

// The newest always stays; a hidden one returns when a newer one is dismissed.
void MessageBar::fit() {
    const QWidget* around = parentWidget();
    const int across = around != nullptr ? around->width() : width();
    constexpr int kShare = 6;
    const int share = around != nullptr && !all_ ? around->height() / kShare : QWIDGETSIZE_MAX;
    const int most = std::min(room(), share);
    int taken = 0, kept_back = 0;
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
        auto* each = static_cast<MessageItem*>(*item);
        each->place_buttons(across);
        each->more->hide();
        taken += std::max(each->heightForWidth(across), each->minimumSizeHint().height());
        const bool shown = item == items_.rbegin() || taken <= most;
        each->setVisible(shown);
        kept_back += !shown;
    }
    if (kept_back == 0) return;
    QToolButton* more = static_cast<MessageItem*>(items_.back())->more;
    more->setText(tr("%n more", nullptr, kept_back));
    more->setVisible(true);
}

void MessageBar::show_all_kept() {
    all_ = true;
    fit();
}

// A layout reparents it.
bool MessageBar::event(QEvent* event) {
    if (event->type() == QEvent::ParentChange && parentWidget() != nullptr)
        parentWidget()->installEventFilter(this);
    return QWidget::event(event);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) fit();
    return QWidget::eventFilter(watched, event);
}

QWidget* MessageBar::make(const Message& message) {
    auto* item = new MessageItem(message, this);
    QGridLayout* grid = item->grid = new QGridLayout(item);
    grid->setContentsMargins(11, 6, 6, 6);
    grid->setHorizontalSpacing(9);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    item->icon = new QLabel(item);
    item->restyle();
    grid->addWidget(item->icon, 0, 0, Qt::AlignVCenter);
    auto* text = new QLabel(item);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setText(QStringLiteral("<b>%1</b>&nbsp; %2").arg(html_of(message.title), html_of(message.text)));
    // Little, or the message would keep the window from the width at which its buttons go below.
    text->setMinimumWidth(60);
    if (message.text.contains(QLatin1Char('\n'))) text->setToolTip(message.text);
    grid->addWidget(text, 0, 1);
    QHBoxLayout* row = nullptr;
    if (!message.actions.empty()) {
        item->buttons = new QWidget(item);
        row = new QHBoxLayout(item->buttons);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(9);
        grid->addWidget(item->buttons, 0, 2, Qt::AlignVCenter);
    }
    for (const MessageAction& action : message.actions) {
        auto* button = new QPushButton(action.text, item->buttons);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(action.text);
        connect(button, &QPushButton::clicked, this, [this, run = action.run, item] {
            remove(item);
            run();
        });
        row->addWidget(button);
        item->add(button, action.why_not);
    }
    item->update_actions();
    auto* close = new QToolButton(item);
    close->setIcon(themed_icon(QStringLiteral("close")));
    close->setAccessibleName(tr("Dismiss this message"));
    close->setToolTip(tr("Dismiss"));
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, this, [this, item] { remove(item); });
    item->more = new QToolButton(item);
    item->more->setObjectName(QStringLiteral("message_more"));
    item->more->setFocusPolicy(Qt::TabFocus);
    item->more->setToolTip(tr("Show all messages"));
    item->more->setAccessibleName(tr("Show all messages"));
    item->more->hide();
    connect(item->more, &QToolButton::clicked, this, &MessageBar::show_all_kept);
    grid->addWidget(item->more, 0, 3, Qt::AlignVCenter);
    grid->addWidget(close, 0, 4, Qt::AlignVCenter);
    item->setAccessibleName(message.title + QStringLiteral(": ") + message.text);
    return item;
}

void MessageBar::post(const Message& message) {
    all_ = false;
    clear(message.kind);
    if (message.lasts) clear_about(message.about);
    while (items_.size() >= kShown) {
        const auto passing = std::find_if(items_.begin(), items_.end(), [](QWidget* item) {
            return !static_cast<MessageItem*>(item)->lasts();
        });
        remove(passing != items_.end() ? *passing : items_.front());
    }
    QWidget* item = make(message);
    items_.push_back(item);
    layout_->addWidget(item);
    fit();
    show();
    QAccessibleEvent alert(item, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    if (message.seconds > 0) QTimer::singleShot(message.seconds * 1000, item, [this, item] { let_go(item); });
}

// Not under the pointer: the message below would move up and a click would hit another button.
void MessageBar::let_go(QWidget* item) {
    if (underMouse())
        QTimer::singleShot(kLookAgainMs, item, [this, item] { let_go(item); });
    else
        remove(item);
}

void MessageBar::remove(QWidget* item) {
    const auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) return;
    items_.erase(found);
    item->hide();
    item->deleteLater();
    setVisible(!items_.empty());
    fit();
}

void MessageBar::clear(MessageKind kind) {
    const std::vector<QWidget*> now = items_;
    for (QWidget* item : now)
        if (const auto* each = static_cast<MessageItem*>(item); each->kind() == kind && !each->lasts())
            remove(item);
}

void MessageBar::clear_about(const QString& about) {
    const std::vector<QWidget*> now = items_;
    for (QWidget* item : now)
        if (static_cast<MessageItem*>(item)->about() == about) remove(item);
}

void MessageBar::clear_all() {
    while (!items_.empty())
        remove(items_.back());
}

void MessageBar::clear_all_but(const QStringList& abouts) {
    const std::vector<QWidget*> now = items_;
    for (QWidget* item : now)
        if (!abouts.contains(static_cast<MessageItem*>(item)->about())) remove(item);
}

void MessageBar::update_actions() {
    for (QWidget* item : items_)
        static_cast<MessageItem*>(item)->update_actions();
}

QString MessageBar::newest_text() const {
    return items_.empty() ? QString() : items_.back()->accessibleName();
}
int MessageBar::count() const {
    return static_cast<int>(items_.size());
}

}  // namespace cubinlab::ui
