// SPDX-License-Identifier: GPL-3.0-or-later
// File > Capture kernel from program, on small programs and the stand-in driver.
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

#include "tests/ui/stand_in_driver.h"
#include "tests/ui/window_support.h"
#include "ui/shell/capture_dialog.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

struct Asked {
    StandInDriver driver;
    OpenWindow open{""};
    CaptureDialog& dialog;

    Asked() : dialog(open.window.capture_dialog()) {
        open.window.commands()[QStringLiteral("file.capture")]->trigger();
        REQUIRE(dialog.isVisible());
        line("capture_program")->setText(kTests + QStringLiteral("/inject_host"));
        line("capture_folder")->setText(open.folder.path());
        line("capture_out")->setText(QStringLiteral("c"));  // in the working folder
    }
    QLineEdit* line(const char* name) const {
        return dialog.findChild<QLineEdit*>(QString::fromLatin1(name));
    }
    QPushButton* button(const char* name) const {
        return dialog.findChild<QPushButton*>(QString::fromLatin1(name));
    }
    QTableView* table() const { return dialog.findChild<QTableView*>(); }
    void program(const char* scenario, const char* kernel) const {
        line("capture_arguments")
            ->setText(QStringLiteral("getproc %1 \"%2\" %3")
                          .arg(QString::fromLatin1(scenario),
                               QString::fromStdString(sample(std::string(kernel) + ".cubin")),
                               QString::fromLatin1(kernel)));
    }
    void press(const char* name) const {
        QTest::mouseClick(button(name), Qt::LeftButton);
        REQUIRE(wait_for([&] { return !dialog.running(); }));
    }
};

}  // namespace

QUIET_CASE("a program's kernels are listed, and the chosen one is captured and opened with its workload") {
    Asked asked;
    asked.program("many", "softmax");
    asked.press("capture_list");
    REQUIRE(asked.table()->model()->rowCount() == 1);
    CHECK(asked.table()->model()->index(0, 1).data().toString() == QStringLiteral("3012"));
    CHECK(asked.line("capture_kernel")->text() == QStringLiteral("softmax"));
    CHECK(asked.dialog.findChild<QPlainTextEdit*>()->toPlainText().contains(QStringLiteral("sum ")));
    asked.press("capture_start");
    CHECK_FALSE(asked.dialog.isVisible());
    MainWindow& window = asked.open.window;
    REQUIRE(wait_for([&] { return window.document().is_open() && window.document().hand().can_edit(); }));
    CHECK(window.document().kernel()->name() == "softmax");
    CHECK(window.document().path() == asked.open.path("c/softmax.cubin").toStdString());
    CHECK(window.document().workload().has_value());
    window.settings().forget_recent();
}

QUIET_CASE("what goes wrong is said in the dialog, which stays") {
    Asked asked;
    asked.program("many", "softmax");
    const auto said = [&] { return asked.dialog.messages().newest_text(); };
    asked.line("capture_kernel")->setText(QStringLiteral("no_such_kernel"));
    asked.press("capture_start");
    CHECK(said().contains(QStringLiteral("No launch matches")));
    asked.line("capture_kernel")->setText(QStringLiteral("softmax"));
    asked.line("capture_out")->setText(QString::fromStdString(sample("")));
    asked.press("capture_start");
    CHECK(said().contains(QStringLiteral("not empty")));
    asked.line("capture_program")->setText(QStringLiteral("/no/such/program"));
    asked.press("capture_list");
    CHECK(said().contains(QStringLiteral("cannot be started")));
    CHECK(asked.dialog.isVisible());
    asked.line("capture_program")->clear();
    CHECK_FALSE(asked.button("capture_list")->isEnabled());
    CHECK_FALSE(asked.button("capture_start")->isEnabled());
}

QUIET_CASE("Stop and closing the dialog end the program, and a window may be closed while it runs") {
    auto asked = std::make_unique<Asked>();
    asked->line("capture_program")->setText(QStringLiteral("/bin/sleep"));
    asked->line("capture_arguments")->setText(QStringLiteral("1000"));
    QTest::mouseClick(asked->button("capture_list"), Qt::LeftButton);
    CHECK(asked->dialog.running());
    CHECK_FALSE(asked->button("capture_start")->isEnabled());
    CHECK(asked->button("capture_stop")->isEnabled());
    asked->press("capture_stop");
    CHECK(asked->dialog.messages().newest_text().contains(QStringLiteral("Stopped")));
    QTest::mouseClick(asked->button("capture_list"), Qt::LeftButton);
    CHECK(asked->dialog.running());
    QTest::keyClick(&asked->dialog, Qt::Key_Escape);
    CHECK_FALSE(asked->dialog.isVisible());
    REQUIRE(wait_for([&] { return !asked->dialog.running(); }));
    asked->dialog.show();
    QTest::mouseClick(asked->button("capture_list"), Qt::LeftButton);
    CHECK(asked->dialog.running());
    asked.reset();
}
