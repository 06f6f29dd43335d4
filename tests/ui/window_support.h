// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a sample open, and waiting for what happens on other threads.
#pragma once
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <functional>
#include <string>

#include "tests/support/catch.h"
#include "tests/ui/panels_warnings.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/shell/main_window.h"
#include "ui/base/message_bar.h"
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
        REQUIRE(wait_for([&] { return window.document().is_open() && window.document().can_edit(); }));
    }
    QString path(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
    SassView* listing(Side side = Side::Right) { return window.compare_view().pane(side)->view(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(listing(), key, modifiers);
    }
};

}  // namespace cubinlab::ui::test
