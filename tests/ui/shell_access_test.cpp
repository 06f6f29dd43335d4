// SPDX-License-Identifier: GPL-3.0-or-later
// The window without eyes or mouse: every widget that takes part has a name, every dialog too.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QGroupBox>
#include <QLineEdit>
#include <QSlider>
#include <QTextBrowser>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/commands.h"
#include "ui/document/kernel_info.h"
#include "ui/document/selection.h"
#include "ui/sessions/session_browser.h"
#include "ui/settings/settings_dialog.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/shell.h"
#include "ui/shell/tour.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

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

void check_names(QWidget* root) {
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
        const bool takes_part = (widget->focusPolicy() & Qt::TabFocus) != 0 ||
                                qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
                                qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                qobject_cast<const QSlider*>(widget) != nullptr;
        if (!takes_part || part_of_another(widget)) continue;
        INFO(widget->metaObject()->className() << " '" << widget->objectName().toStdString() << "' in "
                                               << widget->parentWidget()->metaObject()->className() << " '"
                                               << widget->parentWidget()->objectName().toStdString() << "'");
        CHECK(has_name(widget));
    }
}

}  // namespace

TEST_CASE("every widget that takes the keyboard or the mouse has an accessible name") {
    const NoQtWarnings quiet;
    OpenWindow open;
    for (QDockWidget* dock : open.window.docks()) {
        dock->show();
        dock->raise();
    }
    check_names(&open.window);
    open.window.shell().palette().open();
    check_names(&open.window.shell().palette());
    open.window.shell().palette().close_palette();
    SettingsDialog* settings = open.window.shell().show_settings({});
    for (const char* page : {"look", "tools", "gpu", "agent", "files", "keys"}) {
        settings->show_page(QString::fromLatin1(page));
        check_names(settings);
    }
    check_names(open.window.shell().show_sessions());
    open.window.shell().tour().start();
    check_names(open.window.shell().tour().panel());
    open.window.shell().tour().end();
    open.window.commands()[QStringLiteral("help.docs")]->trigger();
    for (QWidget* top : QApplication::topLevelWidgets())
        if (qobject_cast<QDialog*>(top) != nullptr && top->isVisible()) check_names(top);
}

TEST_CASE(
    "every command has a text and a sentence about it, and is in a menu or the palette by the same name") {
    OpenWindow open("");
    for (const QAction* action : open.window.commands().all()) {
        INFO(action->objectName().toStdString());
        CHECK_FALSE(Commands::plain_text(action).isEmpty());
        CHECK_FALSE(action->statusTip().isEmpty());
        CHECK(action->objectName().contains(QLatin1Char('.')));
    }
}

TEST_CASE("Tab leaves every widget of the window: the keyboard is caught nowhere") {
    const NoQtWarnings quiet;
    OpenWindow open;
    open.listing(Side::Left)->setFocus();
    std::set<QWidget*> seen;
    for (int i = 0; i < 400; ++i) {
        QWidget* focus = QApplication::focusWidget();
        REQUIRE(focus != nullptr);
        if (!seen.insert(focus).second && i > 3 && focus == open.listing(Side::Left)) break;
        QTest::keyClick(focus, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        // In a page of links Tab goes from one to the next, and leaves behind the last.
        for (int links = 0; qobject_cast<QTextBrowser*>(now) != nullptr && now == focus && links < 200;
             ++links) {
            QTest::keyClick(focus, Qt::Key_Tab);
            now = QApplication::focusWidget();
        }
        INFO(focus->metaObject()->className() << " " << focus->accessibleName().toStdString());
        CHECK(now != focus);
        if (now == focus) break;
    }
    CHECK(seen.size() > 12);
}

TEST_CASE("the lines that the Kernel dock names are reached and opened by keys") {
    const NoQtWarnings quiet;
    OpenWindow open;
    open.window.findChild<QDockWidget*>(QStringLiteral("dock_kernel"))->raise();
    auto* panel = open.window.findChild<KernelInfoPanel*>();
    REQUIRE(wait_for([&] { return panel->isVisible() && panel->limits() != nullptr; }));
    panel->setFocus();
    QTest::keyClick(panel, Qt::Key_Tab);
    QTest::keyClick(panel, Qt::Key_Return);
    const Explanation& e = *panel->limits()->right;
    CHECK(open.window.selection().instr() ==
          open.window.document().kernel()->flow().blocks[e.where.header].first);
}
