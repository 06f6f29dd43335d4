// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/room_audit.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>
#include <vector>

#include "ui/base/fitting_label.h"
#include "ui/hand/control_editor.h"

namespace cubinlab::ui::test {
namespace {

QString described(const QWidget& widget) {
    const QString text = widget.property("text").toString().left(40);
    return QStringLiteral("%1 %2 '%3'")
        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
             text.isEmpty() ? widget.accessibleName() : text);
}

template <class... Kinds>
bool is_any(const QWidget* widget) {
    return (... || (qobject_cast<const Kinds*>(widget) != nullptr));
}

// Qt's own parts of a widget: the field of a spin box, the arrows of a tab bar, the viewport of a table.
bool is_part(const QWidget& widget) {
    for (const QWidget* above = widget.parentWidget(); above != nullptr && !widget.isWindow();
         above = above->parentWidget()) {
        if (is_any<QComboBox, QAbstractSpinBox, QTabBar, QHeaderView, QAbstractItemView>(above)) return true;
        if (above->isWindow()) break;
    }
    return widget.objectName().startsWith(QLatin1String("qt_"));
}

bool can_scroll(const QWidget& widget) {
    for (const QWidget* above = widget.parentWidget(); above != nullptr; above = above->parentWidget())
        if (is_any<QAbstractScrollArea>(above)) return true;
    return false;
}

QString room(const QWidget& widget, int has, int needs) {
    return QStringLiteral("cut: %1: %2 of %3 pixels").arg(described(widget)).arg(has).arg(needs);
}

QString cut_label(const QLabel& label) {
    if (label.text().isEmpty() || is_any<EmptyNote>(&label)) return {};
    if (label.wordWrap()) {
        const int needs = label.heightForWidth(label.width()) - 1;  // a rich text rounds up
        return label.height() < needs ? room(label, label.height(), needs) : QString();
    }
    const int needs = label.minimumSizeHint().width();
    return label.width() < needs ? room(label, label.width(), needs) : QString();
}

QString cut_button(const QAbstractButton& button) {
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    if (button.text().isEmpty() || (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly))
        return {};
    const QSize needs = button.minimumSizeHint();
    return button.width() < needs.width() ? room(button, button.width(), needs.width()) : QString();
}

QString cut_combo(const QComboBox& combo) {
    if (is_any<ElidingCombo>(&combo)) return {};
    QStyleOptionComboBox option;
    option.initFrom(&combo);
    option.editable = combo.isEditable();
    const int has = combo.style()
                        ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &combo)
                        .width();
    const int needs = combo.fontMetrics().horizontalAdvance(combo.currentText());
    return has < needs ? room(combo, has, needs) : QString();
}

QString cut_line(const QLineEdit& line) {
    const bool spin = is_any<QAbstractSpinBox>(line.parentWidget());
    const QString shown = spin                    ? line.displayText()
                          : line.text().isEmpty() ? line.placeholderText()
                                                  : QString();
    const QMargins margins = line.textMargins();
    constexpr int kOwnMargins = 4;  // of QLineEdit, both sides
    const int has = line.contentsRect().width() - margins.left() - margins.right() - kOwnMargins;
    const int needs = line.fontMetrics().horizontalAdvance(shown);
    return has < needs ? room(line, has, needs) + QLatin1Char(' ') + shown : QString();
}

QStringList cut_tabs_of(const QTabBar& bar) {
    QStringList found;
    for (int i = 0; i < bar.count(); ++i)
        if (bar.isTabVisible(i) &&
            bar.tabRect(i).width() < bar.fontMetrics().horizontalAdvance(bar.tabText(i)))
            found << room(bar, bar.tabRect(i).width(), bar.fontMetrics().horizontalAdvance(bar.tabText(i)));
    return found;
}

QStringList cut_heads(const QHeaderView& head) {
    QStringList found;
    for (int i = 0; i < head.count(); ++i) {
        if (head.isSectionHidden(i) || head.orientation() != Qt::Horizontal) continue;
        const QString text = head.model()->headerData(i, Qt::Horizontal).toString();
        const int needs = head.fontMetrics().horizontalAdvance(text);
        if (head.sectionSize(i) < needs)
            found << room(head, head.sectionSize(i), needs) + QLatin1Char(' ') + text;
    }
    return found;
}

QStringList cut_texts_of(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) return {cut_label(*label)};
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return {cut_button(*button)};
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) return {cut_combo(*combo)};
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) return {cut_line(*line)};
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) return cut_tabs_of(*bar);
    if (const auto* head = qobject_cast<const QHeaderView*>(&widget)) return cut_heads(*head);
    return {};
}

bool is_control(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return !label->text().isEmpty() && !is_any<EmptyNote>(label);
    return is_any<QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QTabBar, QSlider, FittingLabel,
                  QAbstractScrollArea>(&widget);
}

struct Control {
    const QWidget* widget;
    QRect place;    // in the root
    bool floating;  // lies over the listings for a while, by intention
};

bool floats(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (is_any<ControlEditor>(widget)) return true;
    return false;
}

QStringList covered(const std::vector<Control>& controls) {
    QStringList found;
    for (std::size_t i = 0; i < controls.size(); ++i)
        for (std::size_t k = i + 1; k < controls.size(); ++k) {
            const Control &a = controls[i], &b = controls[k];
            const QRect shared = a.place.intersected(b.place);
            if (shared.width() < 2 || shared.height() < 2 || a.floating != b.floating) continue;
            if (a.widget->isAncestorOf(b.widget) || b.widget->isAncestorOf(a.widget)) continue;
            found << QStringLiteral("covered: %1 and %2 share %3x%4")
                         .arg(described(*a.widget), described(*b.widget))
                         .arg(shared.width())
                         .arg(shared.height());
        }
    return found;
}

}  // namespace

QStringList without_room(const QWidget& root) {
    QStringList found;
    const auto* editor = root.findChild<ControlEditor*>();
    const bool editing = editor != nullptr && editor->isVisible();
    std::vector<Control> controls;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty() || widget->window() != root.window())
            continue;
        found << cut_texts_of(*widget);
        if (!is_control(*widget) || is_part(*widget) ||
            widget->testAttribute(Qt::WA_TransparentForMouseEvents))
            continue;
        const QRect seen = widget->visibleRegion().boundingRect();
        controls.push_back({widget, seen.translated(widget->mapTo(&root, QPoint(0, 0))), floats(widget)});
        if (editing && !floats(widget)) continue;  // the editor lies over it
        if (!can_scroll(*widget) && !is_any<QAbstractScrollArea>(widget) && seen.size() != widget->size())
            found << QStringLiteral("cut by what holds it: %1: %2x%3 of %4x%5")
                         .arg(described(*widget))
                         .arg(seen.width())
                         .arg(seen.height())
                         .arg(widget->width())
                         .arg(widget->height());
    }
    found << covered(controls);
    found.removeAll(QString());
    found.removeDuplicates();
    return found;
}

}  // namespace cubinlab::ui::test
