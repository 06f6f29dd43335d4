// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a sample open, and waiting for what happens on other threads.
#pragma once
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <fstream>
#include <functional>
#include <string>

#include "tests/support/catch.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/settle.h"
#include "ui/base/message_bar.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/run/run_controller.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"

namespace cubinlab::ui::test {

// Generous, because the machine may be busy; nothing is ever timed by it.
inline bool wait_for(const std::function<bool()>& done, int seconds = 120) {
    return QTest::qWaitFor(done, seconds * 1000);
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string sample(const std::string& name) {
    return std::string(CUBINLAB_SAMPLES) + "/" + name;
}

struct OpenWindow {
    QTemporaryDir folder;
    MainWindow window;

    explicit OpenWindow(const std::string& file = "bmm_mma.cubin") {
        window.resize(1400, 900);
        window.show();
        window.activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(&window, 30000));
        if (file.empty()) return;
        window.open_path(QString::fromStdString(sample(file)));
        REQUIRE(wait_for([&] { return window.document().is_open() && window.document().hand().can_edit(); }));
    }
    QString path(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
    SassView* listing(Side side = Side::Right) { return window.compare_view().pane(side)->view(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(listing(), key, modifiers);
    }
};

// Of schedules alone: the samples have their PTX next to them.
inline RunRequest model_run(const QString& budget, const QString& agent) {
    RunRequest request;
    request.only_reschedules = true;
    request.agent = agent;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = budget;
    return request;
}

// A run of the model, to its end and until it could go on.
inline void run_steps(MainWindow& window, const char* budget, const char* agent = "greedy") {
    const RunRequest request = model_run(QString::fromLatin1(budget), QString::fromLatin1(agent));
    QSignalSpy finished(&window.controller(), &RunController::finished);
    window.start_agent(request);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(wait_for([&] { return window.commands()[QStringLiteral("agent.continue")]->isEnabled(); }));
}

// Names of docks that a tab does not show whole, be it after scrolling to it.
inline QString cut_tabs(const MainWindow& window) {
    QString cut;
    for (QTabBar* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        for (int i = 0; bar->isVisible() && i < bar->count(); ++i) {
            bar->setCurrentIndex(i);
            const QRect tab = bar->tabRect(i);
            const int text = bar->fontMetrics().horizontalAdvance(bar->tabText(i));
            bool whole = bar->elideMode() == Qt::ElideNone && tab.width() > text && bar->rect().contains(tab);
            for (const QToolButton* arrow : bar->findChildren<QToolButton*>())
                whole = whole && !(arrow->isVisible() && arrow->geometry().intersects(tab));
            if (!whole) cut += bar->tabText(i) + QLatin1Char('\n');
        }
    }
    return cut;
}

// Bars of docks that do not show all of their tabs at once.
inline int scrolling_bars(const MainWindow& window) {
    int found = 0;
    for (const QTabBar* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (const QToolButton* arrow : bar->findChildren<QToolButton*>())
            if (bar->isVisible() && arrow->isVisible()) return ++found;
    return found;
}

}  // namespace cubinlab::ui::test
