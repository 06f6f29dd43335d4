// SPDX-License-Identifier: GPL-3.0-or-later
// The window without a mouse. What each view owes (names, order of Tab, contrast) is in access_views_test.cpp.
#include <QDockWidget>
#include <QTextBrowser>
#include <algorithm>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/commands.h"
#include "ui/document/kernel_info.h"
#include "ui/document/selection.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

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

QUIET_CASE("Tab leaves every widget of the window: the keyboard is caught nowhere") {
    OpenWindow open;
    open.listing(Side::Left)->setFocus();
    std::set<QWidget*> seen;
    for (int i = 0; i < 400; ++i) {
        QWidget* focus = required(QApplication::focusWidget());
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

QUIET_CASE("the lines that the Kernel dock names are reached and opened by keys") {
    OpenWindow open;
    open.window.findChild<QDockWidget*>(QStringLiteral("dock_kernel"))->raise();
    auto* panel = open.window.findChild<KernelInfoPanel*>();
    REQUIRE(wait_for([&] { return panel->isVisible() && panel->limits() != nullptr; }));
    panel->setFocus();
    QTest::keyClick(panel, Qt::Key_Tab);
    QTest::keyClick(panel, Qt::Key_Return);
    const Explanation& e = *panel->limits()->right;
    // The number before a wait is of all causes, its sentence of the largest: the rest is said.
    bool rest = false;
    for (std::size_t i = 0; i < std::min<std::size_t>(10, e.waits.size()); ++i)
        rest = rest || e.waits[i].cycles > e.waits[i].causes.front().cycles + 1;
    CHECK(panel->toPlainText().contains(QStringLiteral(" cycles other causes")) == rest);
    CHECK(open.window.selection().instr() ==
          open.window.document().kernel()->flow().blocks[e.where.header].first);
}
