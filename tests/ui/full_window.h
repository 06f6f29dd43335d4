// SPDX-License-Identifier: GPL-3.0-or-later
// A window with something in every view: a hand edit, a run of the model, a selection in the hot loop.
#pragma once
#include <QDockWidget>

#include "tests/ui/window_support.h"

namespace cubinlab::ui::test {

struct FullWindow : OpenWindow {
    FullWindow() {
        window.controller().set_session_path(path("s.db").toStdString());
        window.selection().select(0x127);
        key(Qt::Key_Up, Qt::AltModifier);
        REQUIRE(wait_for([&] { return window.document().hand().tree().can_undo(); }));
        bool over = false;
        QObject::connect(&window.controller(), &RunController::finished, &window, [&] { over = true; });
        window.start_agent(model_run(QStringLiteral("300steps"), QStringLiteral("greedy")));
        REQUIRE(wait_for([&] { return over; }));
        window.selection().select(0x127);
    }
    QDockWidget* dock(const char* name) {
        auto* found =
            required(window.findChild<QDockWidget*>(QString::fromLatin1(name), Qt::FindDirectChildrenOnly));
        found->show();
        found->raise();
        REQUIRE(wait_for([&] { return found->widget()->isVisible(); }));
        settle();
        return found;
    }
};

}  // namespace cubinlab::ui::test
