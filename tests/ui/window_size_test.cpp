// SPDX-License-Identifier: GPL-3.0-or-later
// The window on small screens: it takes the size it is given, and nothing in it lies over anything else.
#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "tests/ui/window_support.h"
#include "ui/base/message_bar.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/run/agent_bar.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"
#include "ui/run/step_panel.h"
#include "ui/settings/settings_dialog.h"
#include "ui/shell/start_page.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// Visible children of one widget that share pixels.
QStringList overlaps(const QWidget& parent) {
    QStringList found;
    QList<QWidget*> shown;
    for (QObject* child : parent.children())
        if (auto* widget = qobject_cast<QWidget*>(child);
            widget != nullptr && !widget->isWindow() && widget->isVisible() && !widget->size().isEmpty())
            shown << widget;
    for (qsizetype i = 0; i < shown.size(); ++i)
        for (qsizetype k = i + 1; k < shown.size(); ++k)
            if (shown[i]->geometry().intersects(shown[k]->geometry()))
                found << QStringLiteral("%1 %2 and %3 %4")
                             .arg(QLatin1String(shown[i]->metaObject()->className()), shown[i]->objectName(),
                                  QLatin1String(shown[k]->metaObject()->className()), shown[k]->objectName());
    return found;
}

void check_size(MainWindow& window, QSize size) {
    window.resize(size);
    settle();
    CHECK(window.width() == size.width());
    CHECK(window.height() == size.height());
    for (QDockWidget* dock : window.docks()) {
        dock->raise();
        settle();
        INFO(dock->objectName().toStdString());
        CHECK(window.width() == size.width());
        CHECK(window.height() == size.height());
    }
    for (QToolBar* bar : window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        CHECK(overlaps(*bar).join(QLatin1Char('\n')).toStdString() == "");
    CHECK(overlaps(*window.statusBar()).join(QLatin1Char('\n')).toStdString() == "");
    CHECK(window.rect().contains(window.centralWidget()->geometry()));
    // A low and narrow dock leaves things out; what it shows, it shows whole.
    auto* replay = window.findChild<QDockWidget*>(QStringLiteral("dock_replay"), Qt::FindDirectChildrenOnly);
    replay->raise();
    settle();
    const auto* steps = replay->findChild<StepPanel*>();
    CHECK(steps->isVisible());
    CHECK(steps->height() >= steps->heightForWidth(steps->width()));
    const auto* filters = steps->parentWidget()->findChild<StepFilterBar*>();
    CHECK((!filters->isVisible() || filters->height() >= filters->heightForWidth(filters->width())));
    CHECK(overlaps(*steps).join(QLatin1Char('\n')).toStdString() == "");
    // What a listing shows is named whole.
    for (const Side side : {Side::Left, Side::Right}) {
        const QComboBox& head = *window.compare_view().pane(side)->slot_choice();
        CHECK(head.width() >= head.fontMetrics().horizontalAdvance(head.currentText()) + 30);
    }
    const auto* chart = window.findChild<RewardChart*>();
    CHECK(overlaps(*chart).join(QLatin1Char('\n')).toStdString() == "");
}

// Buttons and labels whose text is wider than they are.
QString cut_texts(const QWidget& root) {
    QString out;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (button != nullptr && button->text().isEmpty()) continue;
        if (label != nullptr && (label->wordWrap() || label->text().isEmpty())) continue;
        if ((button == nullptr && label == nullptr) || widget->inherits("cubinlab::ui::FittingLabel"))
            continue;  // a fitting label shortens its text and has all of it in its tooltip
        if (widget->width() < widget->minimumSizeHint().width())
            out += (button != nullptr ? button->text() : label->text()) + QLatin1Char('\n');
    }
    return out;
}

}  // namespace

TEST_CASE("no text of docks, dialogs and start page is cut", "[size]") {
    OpenWindow open;
    open.window.resize(1440, 900);
    for (QDockWidget* dock : open.window.docks()) {
        MainWindow::bring_forward(dock);
        settle();
        INFO(dock->objectName().toStdString());
        CHECK(cut_texts(open.window).toStdString() == "");
    }
    CHECK(scrolling_bars(open.window) == 0);
    CHECK(cut_tabs(open.window).toStdString() == "");
    // Smaller than its words: the tabs scroll, and none is cut.
    open.window.resize(1024, 700);
    settle();
    CHECK(cut_tabs(open.window).toStdString() == "");
    // Larger text has larger dialogs, which scroll down at most.
    Theme::instance().set_ui_points(Theme::instance().default_ui_points() + 4);
    SettingsDialog* settings = open.window.show_settings(QStringLiteral("gpu"));
    settle();
    for (const QScrollArea* area : settings->findChildren<QScrollArea*>())
        if (area->isVisible()) CHECK(area->horizontalScrollBar()->maximum() == 0);
    settings->close();
    open.window.commands()[QStringLiteral("file.capture")]->trigger();
    auto* captured = open.window.findChild<QTableView*>(QStringLiteral("capture_table"));
    for (int c = 0; c < captured->horizontalHeader()->count(); ++c)
        CHECK(captured->columnWidth(c) >= captured->horizontalHeader()->sectionSizeHint(c));
    captured->window()->close();
    Theme::instance().set_ui_points(0);
    open.window.opener().close();
    settle();
    CHECK(cut_texts(open.window.start_page()).toStdString() == "");
}

TEST_CASE("a first window leaves room on the screen, and one that was closed has its size again", "[size]") {
    Settings().set_layout({}, {});
    const QSize screen = QGuiApplication::primaryScreen()->availableGeometry().size();
    // Inside of the screen with the frame of the window: a larger one is cut to it.
    const QSize closed = QSize(1100, 720).boundedTo(screen - QSize(8, 34));
    {
        MainWindow window;
        CHECK(window.width() <= std::max(screen.width(), window.minimumSizeHint().width()));
        CHECK(window.width() < 1500);  // what its docks would like side by side is more
        window.resize(closed);
        window.show();
        settle();
        REQUIRE(window.size() == closed);
        window.close();
    }
    MainWindow again;
    again.show();
    settle();
    CHECK(again.size() == closed);
}

TEST_CASE("a size kept from a much wider screen is not taken: the window is that of a first start",
          "[size]") {
    Settings().set_layout({}, {});
    QByteArray kept;
    QSize first;
    {
        MainWindow window;
        first = window.size();
        kept = window.saveGeometry();
    }
    // As QWidget::saveGeometry writes it: two rectangles, screen, two flags, then the width of the screen.
    constexpr int kScreenWidth = 4 + 2 + 2 + 16 + 16 + 4 + 1 + 1;
    kept[kScreenWidth + 1] = 0x01;  // 65,536 pixels and more
    Settings().set_layout(kept, {});
    MainWindow window;
    CHECK(window.size() == first);
    Settings().set_layout({}, {});
}

TEST_CASE("the window keeps the size it is given before it is shown, down to 1024 x 700", "[size]") {
    for (const QSize size : {QSize(1280, 800), QSize(1024, 700)}) {
        MainWindow window;
        window.resize(size);
        window.show();
        settle();
        CHECK(window.size() == size);
        window.open_path(QString::fromStdString(sample("bmm_mma.cubin")));
        REQUIRE(wait_for([&] { return window.document().hand().can_edit(); }));
        settle();
        CHECK(window.size() == size);
        for (const Side side : {Side::Left, Side::Right}) {
            const SassView& text = *window.compare_view().pane(side)->view();
            CHECK(text.viewport()->width() > 12 * text.fontMetrics().averageCharWidth());
        }
        CHECK(scrolling_bars(window) == 0);
        CHECK(cut_tabs(window).toStdString() == "");
    }
}

TEST_CASE("a run, a selection and every dock fit in a small window, and after a wide one", "[size]") {
    OpenWindow w;
    w.window.controller().set_session_path(
        w.path("a-session-with-a-name-that-is-longer-than-anybody-would-want.db").toStdString());
    bool over = false;
    QObject::connect(&w.window.controller(), &RunController::finished, &w.window, [&] { over = true; });
    const RunRequest request = model_run(QStringLiteral("200steps"), QStringLiteral("greedy"));
    w.window.start_agent(request);
    REQUIRE(wait_for([&] { return over; }));
    w.window.selection().select(0x127);
    w.window.controller().view_step(100);
    const auto check_sizes = [&] {
        for (const QSize size : {QSize(1024, 700), QSize(1800, 1000), QSize(1280, 800), QSize(1024, 700)})
            check_size(w.window, size);
    };
    check_sizes();
    // With curves of the agent's own, whose names are long.
    w.window.findChild<RewardChart*>()->add_metrics(
        {{100, "brought_group", 0.01}, {100, "a_name_without_a_title", 1}});
    check_sizes();
}

QUIET_CASE("docks have their room again after the window was small, unless another size was chosen",
           "[size]") {
    OpenWindow open;
    open.window.resize(1400, 900);
    settle();
    QDockWidget* bottom = open.window.dock(QStringLiteral("dock_rewards"));
    QDockWidget* right = open.window.dock(QStringLiteral("dock_graph"));
    for (QDockWidget* dock : {bottom, right})
        MainWindow::bring_forward(dock);
    settle();
    const int height = bottom->height(), width = right->width();
    const auto resized = [&](int to_width, int to_height) {
        open.window.resize(to_width, to_height);
        settle();
    };
    resized(800, 600);
    REQUIRE(bottom->height() < height);
    resized(1400, 900);
    CHECK(std::abs(bottom->height() - height) <= 2);
    CHECK(std::abs(right->width() - width) <= 2);
    // A splitter that is moved meanwhile is a choice.
    resized(1400, 650);
    const QPoint splitter(bottom->geometry().center().x(), bottom->geometry().top() - 2);
    QTest::mousePress(&open.window, Qt::LeftButton, {}, splitter);
    QTest::mouseMove(&open.window, splitter - QPoint(0, 20));
    QTest::mouseRelease(&open.window, Qt::LeftButton, {}, splitter - QPoint(0, 20));
    settle();
    const int chosen = bottom->height();
    resized(1400, 900);
    CHECK(bottom->height() < height);
    CHECK(bottom->height() >= chosen);
}

QUIET_CASE("docks keep a share of a small window, also of a layout that a larger one left", "[size]") {
    constexpr int kLeast = 200;
    {
        OpenWindow open;
        QDockWidget* bottom = open.window.dock(QStringLiteral("dock_rewards"));
        REQUIRE(wait_for([&] { return bottom->height() > kLeast; }));
        open.window.resize(1024, 700);
        CHECK(wait_for([&] { return open.window.height() == 700 && bottom->height() >= kLeast; }, 20));
        open.window.resize(1400, 900);
        open.window.close();
    }
    MainWindow small;
    small.resize(1024, 700);
    small.show();
    small.open_path(QString::fromStdString(sample("bmm_mma.cubin")));
    REQUIRE(wait_for([&] { return small.document().hand().can_edit(); }));
    CHECK(wait_for([&] { return small.dock(QStringLiteral("dock_rewards"))->height() >= kLeast; }, 20));
}

TEST_CASE("in a narrow window an agent can be started, and the search field comes when it is asked for",
          "[size]") {
    OpenWindow open;
    MainWindow& window = open.window;
    window.resize(900, 640);
    settle();
    auto* bar = window.findChild<QToolBar*>(QStringLiteral("agent_bar"));
    for (const char* id : {"agent.start", "agent.pause", "agent.stop"}) {
        INFO(id);
        CHECK(bar->widgetForAction(window.commands()[QString::fromLatin1(id)])->isVisible());
    }
    auto* rest = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    REQUIRE(rest->isVisible());  // for the seed
    const QImage picture = rest->grab().toImage();
    bool drawn = false;
    for (int x = 0; x < picture.width(); ++x)
        for (int y = 4; y < picture.height() - 4; ++y)
            drawn = drawn || picture.pixel(x, y) != picture.pixel(0, picture.height() / 2);
    CHECK(drawn);
    window.commands()[QStringLiteral("edit.find")]->trigger();
    auto* find = window.findChild<QLineEdit*>(QStringLiteral("find"));
    CHECK(wait_for([&] { return find->isVisible() && find->hasFocus(); }, 5));
}

TEST_CASE("messages take room from the listings, never from the screen", "[size]") {
    OpenWindow open;
    MainWindow& window = open.window;
    window.resize(1024, 700);
    settle();
    const QString text =
        QStringLiteral("A sentence that goes on for two lines and a half of the window. ").repeated(4);
    for (const MessageKind kind : {MessageKind::Info, MessageKind::Warning, MessageKind::Error}) {
        window.messages().post(kind, QStringLiteral("Title"), text);
        settle();
        CHECK(window.size() == QSize(1024, 700));
    }
    CHECK(window.messages().count() == 3);
    // In a higher window there is room for all, where they are asked for.
    window.resize(1024, 1000);
    settle();
    for (auto* more : window.messages().findChildren<QToolButton*>(QStringLiteral("message_more")))
        if (more->isVisible()) {
            QTest::mouseClick(more, Qt::LeftButton);
            break;
        }
    CHECK(wait_for([&] {
        const QList<QWidget*> items =
            window.messages().findChildren<QWidget*>(QStringLiteral("message_item"));
        return std::all_of(items.begin(), items.end(), [](const QWidget* item) { return item->isVisible(); });
    }));
    CHECK(window.size() == QSize(1024, 1000));
}

TEST_CASE("in a narrow window the buttons of a message stand below its text", "[size]") {
    OpenWindow open;
    MainWindow& window = open.window;
    window.resize(1800, 800);
    settle();
    Message message{MessageKind::Info,
                    QStringLiteral("A title of some words"),
                    QStringLiteral("A sentence that says what is shown and why nothing was changed."),
                    {},
                    0};
    for (const char* text : {"A button that has some more words than one would want",
                             "Another one of about that length, with a word or two more"})
        message.actions.push_back({QString::fromLatin1(text), [] {}});
    window.messages().post(message);
    settle();
    const auto* item = window.messages().findChild<QWidget*>(QStringLiteral("message_item"));
    const auto* button = item->findChild<QPushButton*>();
    const QLabel* text = nullptr;
    for (const QLabel* label : item->findChildren<QLabel*>())
        if (label->wordWrap()) text = label;
    REQUIRE(text != nullptr);
    const auto below = [&] { return button->mapTo(item, QPoint()).y() > text->geometry().bottom(); };
    CHECK_FALSE(below());
    window.resize(900, 600);
    settle();
    CHECK(window.size() == QSize(900, 600));
    CHECK(below());
    CHECK(text->height() >= text->heightForWidth(text->width()));
    window.resize(1800, 800);
    settle();
    CHECK_FALSE(below());
}

TEST_CASE("the run that is shown is named whole where there is room, at every size of text", "[size]") {
    OpenWindow w;
    w.window.resize(1800, 1000);
    run_steps(w.window, "50steps");
    const auto* runs = w.window.findChild<RunChooser*>();
    for (int more = 0; more < 12; ++more) {
        Theme::instance().set_ui_points(Theme::instance().default_ui_points() + more);
        INFO(more);
        CHECK(wait_for([&] { return runs->shown_text() == runs->currentText(); }, 5));
    }
    Theme::instance().set_ui_points(0);
}
