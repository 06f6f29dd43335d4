// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/source_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QToolTip>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kBar = 5;  // width of a line's colour, pixels

class Margin : public QWidget {
  public:
    explicit Margin(SourceText* text) : QWidget(text), text_(text) {}

  protected:
    void paintEvent(QPaintEvent* event) override { text_->paint_margin(event); }

  private:
    SourceText* text_;
};

}  // namespace

QColor source_line_color(int line) {
    const auto& series = Theme::instance().colors().series;
    return series[static_cast<std::size_t>(line) % series.size()];
}

SourceText::SourceText(QWidget* parent) : QPlainTextEdit(parent), margin_(new Margin(this)) {
    setAccessibleName(tr("Source file"));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int moved) {
        if (moved != 0)
            margin_->scroll(0, moved);
        else
            margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(&Theme::instance(), &Theme::changed, this, &SourceText::apply_theme);
    apply_theme();
}

void SourceText::apply_theme() {
    setFont(Theme::instance().mono_font());
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    setViewportMargins(margin_width(), 0, 0, 0);
    mark();
    margin_->update();
}

int SourceText::margin_width() const {
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    return kBar + digit * 11 + 8;
}

void SourceText::show_file(const QString& text, std::map<int, int> instructions) {
    instructions_ = std::move(instructions);
    line_ = 0;
    if (text != toPlainText()) {
        const QScopedValueRollback<bool> shows(showing_, true);
        problems_.clear();
        setPlainText(text);
    }
    apply_theme();
}

void SourceText::set_editable(bool on) {
    setReadOnly(!on);
    setTextInteractionFlags(on ? Qt::TextEditorInteraction
                               : Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void SourceText::set_problems(std::map<int, QString> lines) {
    problems_ = std::move(lines);
    mark();
    margin_->update();
}

void SourceText::go_to_line(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    setTextCursor(QTextCursor(block));
    centerCursor();
    setFocus();
}

bool SourceText::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint at = viewport()->mapFromGlobal(help->globalPos());
    const auto found = problems_.find(cursorForPosition(at).blockNumber() + 1);
    QToolTip::showText(help->globalPos(), found == problems_.end() ? QString() : found->second, this);
    return true;
}

void SourceText::choose_line(int line) {
    line_ = line;
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (line > 0 && block.isValid()) {
        QTextCursor cursor(block);
        setTextCursor(cursor);
        const int top = static_cast<int>(blockBoundingGeometry(block).translated(contentOffset()).top());
        if (top < fontMetrics().height() || top > viewport()->height() - 3 * fontMetrics().height())
            centerCursor();
    }
    mark();
}

void SourceText::mark() {
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = document()->findBlockByNumber(line_ - 1);
    if (line_ > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(Theme::instance().colors().selection);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks << mark;
    }
    for (const auto& [line, words] : problems_) {
        const QTextBlock wrong = document()->findBlockByNumber(line - 1);
        if (!wrong.isValid()) continue;
        QTextEdit::ExtraSelection mark;
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(Theme::instance().colors().bad);
        mark.cursor = QTextCursor(wrong);
        mark.cursor.select(QTextCursor::LineUnderCursor);
        marks << mark;
    }
    setExtraSelections(marks);
}

void SourceText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect area = contentsRect();
    margin_->setGeometry(area.left(), area.top(), margin_width(), area.height());
}

void SourceText::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (isReadOnly() && event->button() == Qt::LeftButton && !textCursor().hasSelection())
        Q_EMIT line_chosen(cursorForPosition(event->pos()).blockNumber() + 1);
}

// Up and down go from line to line; Enter chooses, and Ctrl+Up and Down the next line with instructions.
void SourceText::keyPressEvent(QKeyEvent* event) {
    if (!isReadOnly()) return QPlainTextEdit::keyPressEvent(event);
    const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
    const int here = textCursor().blockNumber() + 1;
    if ((up || down) && event->modifiers() == Qt::ControlModifier) {
        const auto after = instructions_.upper_bound(here);
        const auto before = instructions_.lower_bound(here);
        if (down && after != instructions_.end()) Q_EMIT line_chosen(after->first);
        if (up && before != instructions_.begin()) Q_EMIT line_chosen(std::prev(before)->first);
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return Q_EMIT line_chosen(here);
    if ((up || down) && event->modifiers() == Qt::NoModifier) {
        moveCursor(up ? QTextCursor::Up : QTextCursor::Down);
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void SourceText::paint_margin(QPaintEvent* event) {
    QPainter painter(margin_);
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(event->rect(), c.surface_alt);
    if (document()->isEmpty()) return;
    painter.setFont(font());
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > event->rect().bottom()) break;
        const int line = block.blockNumber() + 1;
        const int top = static_cast<int>(place.top()), height = static_cast<int>(place.height());
        const auto found = instructions_.find(line);
        if (found != instructions_.end()) {
            painter.fillRect(0, top, kBar, height, source_line_color(line));
            painter.setPen(c.text_dim);
            painter.drawText(kBar + 2, top, 4 * digit, height, Qt::AlignRight | Qt::AlignVCenter,
                             grouped(static_cast<qint64>(found->second)));
        }
        painter.setPen(problems_.count(line) != 0     ? c.bad
                       : found != instructions_.end() ? source_line_color(line)
                                                      : c.text_faint);
        painter.drawText(kBar + 5 * digit, top, 5 * digit + 6, height, Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line));
    }
}

}  // namespace cubinlab::ui
