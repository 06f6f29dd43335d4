// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/view_audit.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <QTextBrowser>

#include "tests/support/catch.h"
#include "tests/ui/text_contrast.h"
#include "ui/base/theme.h"

namespace cubinlab::ui::test {
namespace {

constexpr double kLeast = 4.5;  // WCAG 2.2, 1.4.3

// What a screen reader would call it: its name, its text, or what stands beside it as its label.
bool has_name(const QWidget* widget) {
    return !widget->accessibleName().isEmpty() || !widget->property("text").toString().isEmpty() ||
           !widget->windowTitle().isEmpty() || !widget->property("title").toString().isEmpty();
}

// Parts that Qt makes inside its own widgets speak through these.
bool part_of_another(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    if (widget->objectName().startsWith(QStringLiteral("qt_"))) return true;
    if (parent == nullptr) return false;
    return qobject_cast<const QComboBox*>(parent) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
           qobject_cast<const QLineEdit*>(parent) != nullptr ||
           parent->inherits("QComboBoxPrivateContainer") || parent->inherits("QTabBar") ||
           parent->inherits("QMenuBar") || parent->inherits("QDockWidget") || parent->inherits("QToolBar") ||
           parent->inherits("QTableCornerButton") || widget->inherits("QHeaderView") ||
           widget->inherits("QTableCornerButton") || parent->inherits("QKeySequenceEdit") ||
           parent->inherits("QTableView");
}

QString told(const QWidget* widget, const QWidget& root) {
    const QPoint at = widget->mapTo(&root, QPoint(0, 0));
    return QStringLiteral("%1 '%2%3' at %4,%5")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
             widget->accessibleName().isEmpty() ? widget->property("text").toString()
                                                : widget->accessibleName())
        .arg(at.x())
        .arg(at.y());
}

bool takes_tab(const QWidget* widget, const QWidget& root) {
    return widget->isVisibleTo(&root) && widget->isEnabledTo(&root) &&
           (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr &&
           !widget->visibleRegion().isEmpty();
}

void add_row(const QString& name, bool dark, double scale, const TextAudit& audit) {
    const QString path = qEnvironmentVariable("CUBINLAB_ACCESS_TABLE");
    if (path.isEmpty()) return;
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append)) return;
    file.write(QStringLiteral("%1\t%2\t%3x\t%4\t%5\n")
                   .arg(name, dark ? QStringLiteral("dark") : QStringLiteral("light"))
                   .arg(scale)
                   .arg(audit.runs.size())
                   .arg(audit.lowest(), 0, 'f', 2)
                   .toUtf8());
}

void keep_picture(const QString& name, bool dark, double scale, const TextAudit& audit) {
    const QString folder = qEnvironmentVariable("CUBINLAB_ACCESS_PICTURES");
    if (folder.isEmpty()) return;
    audit.picture.save(QStringLiteral("%1/%2-%3-%4x.png")
                           .arg(folder, QString(name).replace(QLatin1Char(' '), QLatin1Char('-')),
                                dark ? QStringLiteral("dark") : QStringLiteral("light"))
                           .arg(scale));
}

}  // namespace

QStringList nameless(const QWidget& root) {
    QStringList found;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        const bool takes_part = (widget->focusPolicy() & Qt::TabFocus) != 0 ||
                                qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
                                qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                qobject_cast<const QSlider*>(widget) != nullptr;
        if (takes_part && !part_of_another(widget) && !has_name(widget)) found << told(widget, root);
    }
    return found;
}

QStringList against_reading(const QWidget& root) {
    QList<const QWidget*> order;
    const QWidget* widget = &root;
    do {
        if (widget != &root && root.isAncestorOf(widget) && !widget->isWindow() && takes_tab(widget, root))
            order << widget;
        widget = widget->nextInFocusChain();
    } while (widget != &root);
    QStringList found;
    for (qsizetype i = 1; i < order.size(); ++i) {
        const auto box = [&root](const QWidget* w) {
            return QRect(w->mapTo(&root, QPoint(0, 0)), w->size());
        };
        const QRect from = box(order[i - 1]), to = box(order[i]);
        const bool same_row = from.top() < to.center().y() && to.top() < from.center().y();
        const bool back = same_row && to.right() <= from.left();
        const bool up =
            to.bottom() <= from.top() && to.left() <= from.right();  // a new column may begin above
        if (back || up) found << told(order[i - 1], root) + QStringLiteral(" -> ") + told(order[i], root);
    }
    return found;
}

static QList<QWidget*> stops_of(QWidget& root) {
    QList<QWidget*> order;
    for (QWidget* widget = root.nextInFocusChain(); widget != &root; widget = widget->nextInFocusChain())
        if (root.isAncestorOf(widget) && !widget->isWindow() && takes_tab(widget, root)) order << widget;
    return order;
}

static void bring_up(QWidget& window) {
    window.activateWindow();
    REQUIRE(QTest::qWaitFor([&] { return QApplication::activeWindow() == &window; }, 30000));
}

// Of a part of a window: those that keep the keyboard. In a page of links Tab goes from one to the next.
static QStringList catching_tab(const QList<QWidget*>& stops, const QWidget& root) {
    QStringList found;
    for (QWidget* widget : stops) {
        widget->setFocus(Qt::TabFocusReason);
        const bool links =
            qobject_cast<QTextBrowser*>(widget) != nullptr || qobject_cast<QLabel*>(widget) != nullptr;
        for (int presses = links ? 400 : 1; presses > 0 && widget->hasFocus(); --presses)
            QTest::keyClick(widget, Qt::Key_Tab);
        if (widget->hasFocus()) found << told(widget, root);
    }
    return found;
}

QStringList not_reached(QWidget& root) {
    QList<QWidget*> missing = stops_of(root);
    if (missing.isEmpty() || root.windowType() == Qt::Popup) return {};
    bring_up(*root.window());
    if (!root.isWindow()) return catching_tab(missing, root);
    missing.first()->setFocus(Qt::TabFocusReason);
    for (qsizetype presses = 2 * missing.size() + 4; presses > 0 && !missing.isEmpty(); --presses) {
        QWidget* here = QApplication::focusWidget();
        if (here == nullptr) break;
        missing.removeAll(here);
        QTest::keyClick(here, Qt::Key_Tab);
    }
    QStringList found;
    for (const QWidget* widget : missing)
        found << told(widget, root);
    if (!found.isEmpty())
        found << QStringLiteral("the keyboard is at last with %1")
                     .arg(root.isAncestorOf(QApplication::focusWidget())
                              ? told(QApplication::focusWidget(), root)
                              : QStringLiteral("nothing here"));
    return found;
}

QStringList unseen_focus(QWidget& root) {
    QStringList found;
    bring_up(*root.window());
    for (QWidget* widget : stops_of(root)) {
        widget->setFocus(Qt::TabFocusReason);
        if (!widget->hasFocus()) continue;
        // With what stands just above it: the name of a column, a tab.
        const QRect place = QRect(widget->mapTo(root.window(), QPoint(0, 0)), widget->size())
                                .adjusted(-4, -26, 4, 4)
                                .intersected(root.window()->rect());
        QApplication::processEvents();
        const QImage with = root.window()->grab(place).toImage();
        widget->clearFocus();
        QApplication::processEvents();
        if (with == root.window()->grab(place).toImage()) found << told(widget, root);
    }
    return found;
}

void audit_contrast(const QString& name, QWidget& view) {
    // The theme that there is first, and the other one stays: a change of it costs more than all the rest.
    const bool now = Theme::instance().dark();
    for (const bool dark : {now, !now}) {
        Theme::instance().set_mode(dark ? ThemeMode::Dark : ThemeMode::Light);
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        const TextAudit audit = audit_text(view);
        add_row(name, dark, view.devicePixelRatioF(), audit);
        keep_picture(name, dark, view.devicePixelRatioF(), audit);
        INFO(name.toStdString() << (dark ? ", dark" : ", light"));
        CHECK_FALSE(audit.runs.empty());
        CHECK(audit.below(kLeast).toStdString() == "");
    }
}

void audit_view(const QString& name, QWidget& view) {
    INFO(name.toStdString());
    CHECK(nameless(view).join(QLatin1Char('\n')).toStdString() == "");
    CHECK(against_reading(view).join(QLatin1Char('\n')).toStdString() == "");
    CHECK(not_reached(view).join(QLatin1Char('\n')).toStdString() == "");
    CHECK(unseen_focus(view).join(QLatin1Char('\n')).toStdString() == "");
    audit_contrast(name, view);
}

}  // namespace cubinlab::ui::test
