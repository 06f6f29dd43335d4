// SPDX-License-Identifier: GPL-3.0-or-later
// The tour, taken as a newcomer would: by its buttons, to its end.
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/ui/window_support.h"
#include "ui/document/kernel_info.h"
#include "ui/shell/shell.h"
#include "ui/shell/start_page.h"
#include "ui/shell/tour.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

QPushButton* button(QWidget* root, const char* text) {
    for (auto* each : root->findChildren<QPushButton*>())
        if (each->text() == QString::fromLatin1(text) && each->isVisible()) return each;
    return nullptr;
}

}  // namespace

TEST_CASE("the tour leads from the start page to an export, each step by its own button") {
    const NoQtWarnings quiet;
    OpenWindow open("");
    MainWindow& window = open.window;
    window.controller().set_session_path(open.path("tour.db").toStdString());
    REQUIRE(wait_for([&] { return !window.start_page().samples().empty(); }));
    QTest::mouseClick(button(&window.start_page(), "Two-minute tour"), Qt::LeftButton);
    Tour& tour = window.shell().tour();
    REQUIRE(tour.running());
    TourPanel* panel = tour.panel();
    REQUIRE(panel->isVisible());
    CHECK(window.rect().contains(panel->geometry()));
    CHECK(tour.step() == 0);
    CHECK(window.findChild<QWidget*>(QStringLiteral("tour_ring")) != nullptr);

    QTest::mouseClick(button(panel, "Open the sample bmm_mma"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return tour.step() == 1 && window.document().can_edit(); }));
    // The second step answers its own question: what limits the kernel is told where it points.
    QTest::mouseClick(button(panel, "Show what limits it"), Qt::LeftButton);
    auto* kernel_panel = window.findChild<KernelInfoPanel*>();
    REQUIRE(kernel_panel->isVisible());
    REQUIRE(wait_for([&] { return kernel_panel->toPlainText().contains(QStringLiteral("Limited by")); }));
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(panel, "Select a load and move it up"), Qt::LeftButton);
    CHECK(*window.document().head(Head::Hand) != *window.document().head(Head::Original));
    const InstrId moved = window.selection().instr();
    CHECK(std::string(window.document().kernel()->instruction(moved).mnemonic).substr(0, 2) == "LD");
    CHECK(window.document().checker()->check(*window.document().head(Head::Hand)).empty());
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return window.controller().gpu().has_value(); }));
    QTest::mouseClick(button(panel, "Measure it (F8)"), Qt::LeftButton);
    const auto shows_done = [&] {
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("done")) && label->isVisible()) return true;
        return false;
    };
    REQUIRE(wait_for(shows_done));
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    CHECK_FALSE(shows_done());
    QTest::mouseClick(button(panel, "Run 2000 steps"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return shows_done() && window.document().best_step().step != 0; }));
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(panel, "Show the best step and its first change"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return window.document().right_head() == Head::Viewed; }));
    QTest::mouseClick(button(panel, "Back"), Qt::LeftButton);
    CHECK(tour.step() == 4);
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    CHECK(tour.step() == tour.count() - 2);
    window.actions().export_to(Head::Best, open.path("tour.cubin"));
    REQUIRE(wait_for(shows_done));
    CHECK(QFile::exists(open.path("tour.cubin")));
    QTest::mouseClick(button(panel, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(panel, "Show the sessions"), Qt::LeftButton);
    auto* sessions = window.findChild<QDialog*>(QStringLiteral("session_browser"));
    REQUIRE((sessions != nullptr && sessions->isVisible()));
    sessions->close();
    QTest::mouseClick(button(panel, "Finish"), Qt::LeftButton);
    CHECK_FALSE(tour.running());
    CHECK_FALSE(panel->isVisible());
}

TEST_CASE("a step of the tour that the open kernel has nothing for says so") {
    const NoQtWarnings quiet;
    OpenWindow open("softmax.cubin");
    Tour& tour = open.window.shell().tour();
    tour.start();
    for (const int step : {2, 5, 6}) {  // move a load, find the edit, export the best
        tour.show_step(step);
        const auto texts = [&] {
            QString all;
            for (const QLabel* label : tour.panel()->findChildren<QLabel*>())
                if (label->isVisible()) all += label->text();
            return all;
        };
        const QString before = texts();
        const bool edited = open.window.document().tree().can_undo();
        tour.act();
        INFO("step " << step << ": " << texts().toStdString());
        CHECK((texts() != before || open.window.document().tree().can_undo() != edited));
        CHECK(open.window.rect().contains(tour.panel()->geometry()));
    }
}

TEST_CASE("without the samples the tour begins with any kernel, and says why") {
    const NoQtWarnings quiet;
    MainWindow window;  // they are read when events are
    window.resize(1024, 700);
    window.show();
    REQUIRE(window.start_page().samples().empty());
    Tour& tour = window.shell().tour();
    tour.start();
    REQUIRE(button(tour.panel(), "Open a kernel...") != nullptr);
    tour.act();
    auto* asked = window.findChild<QFileDialog*>();
    REQUIRE(asked != nullptr);
    asked->close();
    // When they are there the first step has its sample.
    REQUIRE(wait_for([&] { return button(tour.panel(), "Open the sample bmm_mma") != nullptr; }));
}

TEST_CASE("the tour's panel covers no button of the start page") {
    const NoQtWarnings quiet;
    OpenWindow open("");
    Tour& tour = open.window.shell().tour();
    for (const QSize size : {QSize(1024, 700), QSize(1400, 900)}) {
        open.window.resize(size);
        REQUIRE(wait_for([&] { return open.window.size() == size; }));
        QApplication::processEvents();
        tour.start();
        for (const QPushButton* each : open.window.start_page().findChildren<QPushButton*>()) {
            INFO(each->text().toStdString());
            CHECK(wait_for(
                [&] {
                    const QRect now(each->mapTo(&open.window, QPoint()), each->size());
                    return !each->isVisible() || !now.intersects(tour.panel()->geometry());
                },
                10));
        }
        tour.end();
    }
}

TEST_CASE("the tour's panel fits small windows and ends when told to") {
    const NoQtWarnings quiet;
    OpenWindow open("");
    open.window.resize(900, 620);
    Tour& tour = open.window.shell().tour();
    tour.start();
    for (int step = 0; step < tour.count(); ++step) {
        tour.show_step(step);
        INFO(step);
        CHECK(open.window.rect().contains(tour.panel()->geometry()));
        for (const QLabel* label : tour.panel()->findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap())
                CHECK(label->height() >= label->heightForWidth(label->width()));
    }
    QTest::mouseClick(button(tour.panel(), "End the tour"), Qt::LeftButton);
    CHECK_FALSE(tour.running());
}
