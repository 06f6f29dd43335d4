// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

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

}  // namespace

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

}  // namespace cubinlab::ui
