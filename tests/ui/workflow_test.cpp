// SPDX-License-Identifier: GPL-3.0-or-later
// The main job of a new user, by events of the window system alone: open a kernel that nobody prepared, read what limits
// it, move an instruction, be refused, run the agent, find the three edits that matter most, export them, verify them.
// At most 15 clicks and keys, none of them outside of the window.
#include <QApplication>
#include <QFileDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QWindow>
#include <algorithm>

#include "tests/ui/window_support.h"
#include "ui/document/kernel_info.h"
#include "ui/replay/edits_page.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// No QUIET_CASE: the offscreen platform says that it can neither raise a window nor grab the keyboard.

// Sends to the top-level window what its user does there, and counts it.
class Hands {
  public:
    explicit Hands(MainWindow& window) : window_(window) {}

    void click(const QWidget& at, const QPoint& where) {
        QWidget* top = at.window();
        INFO(at.objectName().toStdString() << " at " << where.x() << "," << where.y());
        REQUIRE(at.visibleRegion().contains(where));
        const QPoint place = at.mapTo(top, where);
        REQUIRE(top->rect().contains(place));
        REQUIRE((top->childAt(place) == &at || at.isAncestorOf(top->childAt(place))));  // nothing covers it
        QTest::mouseClick(top->windowHandle(), Qt::LeftButton, {}, place);
        ++used_;
    }
    void click(const QWidget& at) { click(at, at.rect().center()); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(active(), key, modifiers);
        ++used_;
    }
    void type(const QString& text) {
        for (const QChar letter : text)
            QTest::keyClick(active(), letter.toLatin1());
        ++used_;
    }
    // A window manager gives the keyboard back to the window when its dialog closes; the offscreen platform has none.
    void come_back() {
        window_.activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(&window_, 30000));
    }
    int used() const { return used_; }

  private:
    QWindow* active() const {
        const QWidget* top = QApplication::activeWindow();
        return (top != nullptr ? top : &window_)->windowHandle();
    }
    MainWindow& window_;
    int used_ = 0;
};

const QPushButton& message_button(MainWindow& window, const char* text) {
    for (const auto* button : window.messages().findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QLatin1String(text)) return *button;
    FAIL("no message offers " << text);
    std::abort();
}

// A row in sight whose instruction can move up.
int movable_row(OpenWindow& open) {
    const Document& document = open.window.document();
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    const SassView* view = open.listing();
    for (int row = view->first_visible_row(); row < view->first_visible_row() + view->visible_rows(); ++row) {
        const InstrId id = open.window.compare_view().rows().instr(row, Side::Right);
        if (id != kNone && !document.kernel()->pinned(id) &&
            document.checker()->slots(hand, id).lowest < hand.position_of(id))
            return row;
    }
    return -1;
}

void first_tuning(const QSize& size) {
    OpenWindow open("");
    MainWindow& window = open.window;
    window.resize(size);
    settle();
    REQUIRE(window.size() == size);
    Hands hands(window);
    // Compiled for the tests of the decoder: no workload, no listing, no session.
    const QString cubin = open.path("mine.cubin");
    REQUIRE(QFile::copy(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/k2.90a.cubin"), cubin));

    hands.key(Qt::Key_O, Qt::ControlModifier);
    REQUIRE(wait_for([&] { return window.findChild<QFileDialog*>() != nullptr; }));
    REQUIRE(wait_for([&] { return QApplication::activeWindow() == window.findChild<QFileDialog*>(); }));
    hands.type(cubin);
    hands.key(Qt::Key_Return);
    Document& document = window.document();
    REQUIRE(wait_for([&] { return document.is_open() && document.hand().can_edit(); }));
    hands.come_back();

    // What limits it is in sight without a click.
    const auto* info = required(window.findChild<KernelInfoPanel*>());
    REQUIRE(wait_for([&] { return info->limits() != nullptr; }));
    CHECK(info->isVisible());
    CHECK(info->toPlainText().contains(QStringLiteral("Bottleneck")));

    SassView* view = open.listing();
    const int row = movable_row(open);
    REQUIRE(row >= 0);
    hands.click(*view->viewport(),
                QPoint(40, (row - view->first_visible_row()) * view->row_height() + view->row_height() / 2));
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    hands.key(Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
    CHECK(wait_for([&] { return document.hand().tree().can_undo(); }));
    hands.key(Qt::Key_Up, Qt::AltModifier);
    CHECK(wait_for([&] { return refused.count() == 1; }));
    CHECK(window.messages().isVisible());

    QSignalSpy finished(&window.controller(), &RunController::finished);
    hands.key(Qt::Key_F5);
    REQUIRE(wait_for([&] {
        return window.controller().progress().best_step != 0 && window.controller().progress().steps > 400;
    }));
    hands.key(Qt::Key_F5, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(wait_for([&] { return window.commands()[QStringLiteral("replay.minimise")]->isEnabled(); }));
    settle();
    hands.click(message_button(window, "Find essential edits"));
    const auto* page = required(window.findChild<EditsPage*>());
    REQUIRE(wait_for([&] { return page->ranking().has_value() && page->isVisible(); }));
    settle();
    REQUIRE(page->model()->rowCount() >= 3);
    const QRect third = page->table()->visualRect(page->table()->model()->index(2, EditsModel::What));
    CHECK(page->table()->viewport()->rect().contains(third.center()));
    hands.click(*page->table()->viewport(), QPoint(third.left() + 20, third.center().y()));
    CHECK(page->first()->value() == 3);

    QSignalSpy exported(&window.actions(), &ScheduleActions::exported);
    hands.click(*required(page->findChild<QToolButton*>(QStringLiteral("export_first_edits"))));
    REQUIRE(wait_for([&] { return window.findChild<QFileDialog*>() != nullptr; }));
    REQUIRE(wait_for([&] { return QApplication::activeWindow() == window.findChild<QFileDialog*>(); }));
    hands.key(Qt::Key_Return);
    REQUIRE(wait_for([&] { return exported.count() == 1; }));
    const QString written = exported[0][0].toString();
    CHECK(exported[0][1].toString().contains(QStringLiteral("unmeasured")));

    QSignalSpy compared(&window.actions(), &ScheduleActions::compared);
    hands.come_back();
    hands.key(Qt::Key_F8);
    REQUIRE(wait_for([&] { return compared.count() == 1; }));
    CHECK(window.messages().newest_text().contains(QStringLiteral("model"), Qt::CaseInsensitive));

    INFO(hands.used() << " clicks and keys");
    CHECK(hands.used() <= 15);
    // The file is a legal reschedule with three groups of edits.
    const auto file = required(Cubin::open(written.toStdString()));
    const auto schedule = required(Schedule::match(document.kernel(), **file));
    CHECK(document.checker()->check(*schedule).empty());
    CHECK(*schedule == *page->ranking()->with_first(3));
}

}  // namespace

TEST_CASE("a new user tunes a kernel with at most 15 clicks and keys", "[workflow]") {
    first_tuning({1440, 900});
}

TEST_CASE("a new user tunes a kernel with at most 15 clicks and keys on a small screen", "[workflow]") {
    first_tuning({800, 600});
}
