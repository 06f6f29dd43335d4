// SPDX-License-Identifier: GPL-3.0-or-later
// What the check of a file by itself finds is said when it is opened, as command `check` says it; and names
// and texts of files are shown as they are.
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>

#include "core/schedule/cubin_writer.h"
#include "tests/ui/window_support.h"
#include "ui/base/plain_text.h"
#include "ui/document/problems_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// The sample with the stalls of its fixed-latency producers cut to 1: results are read too early.
std::string too_early(const QString& path) {
    const KernelPtr kernel = *Kernel::load(*Cubin::open(sample("bmm_mma.cubin")));
    Schedule broken(kernel);
    const CheckReport clean = *check_kernel(kernel);
    REQUIRE(clean.hazards.empty());
    for (InstrId id = 0; id < kernel->size(); ++id) {
        ControlCode control = broken.control(id);
        if (control.stall < 4 || control.stall > 6 || control.write_barrier != kNoBarrier) continue;
        control.stall = 1;
        control.yield = false;
        broken.set_control(id, control);
    }
    const std::vector<std::byte> image = CubinWriter::create(kernel)->image(broken);
    std::ofstream(path.toStdString(), std::ios::binary)
        .write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
    return path.toStdString();
}

QDockWidget* problems_dock(MainWindow& window) {
    return window.findChild<QDockWidget*>(QStringLiteral("dock_problems"));
}

}  // namespace

QUIET_CASE("a file with findings: on open, on the tab and in the list what `check` says", "[problems]") {
    OpenWindow open("bmm_mma.cubin");
    auto* panel = open.window.findChild<ProblemsPanel*>();
    Document& document = open.window.document();
    const auto checked = [&] { return document.file_check().state == FileCheck::State::Done; };
    REQUIRE(wait_for(checked));
    CHECK(panel->file_count() == 0);
    CHECK(problems_dock(open.window)->windowTitle() == QStringLiteral("Problems"));
    CHECK(open.window.messages().count() == 0);

    const std::string path = too_early(open.path("early.cubin"));
    open.window.open_path(QString::fromStdString(path));
    REQUIRE(wait_for([&] { return document.is_open() && document.path() == path && checked(); }));
    const CheckReport said = *check_kernel(*Kernel::load(*Cubin::open(path)));
    REQUIRE(said.hazards.size() >= 3);
    CHECK(document.file_check().report->hazards.size() == said.hazards.size());
    CHECK(panel->file_count() == static_cast<int>(said.hazards.size()));
    CHECK(problems_dock(open.window)->windowTitle() ==
          QStringLiteral("Problems (%1)").arg(said.hazards.size()));
    CHECK(open.window.messages().newest_text().contains(
        QStringLiteral("File check: %1 findings").arg(said.hazards.size())));
    // Against itself it is what it is: that is another question, and answered apart.
    REQUIRE(wait_for([&] { return document.hand().can_edit(); }));
    CHECK(document.pair().problems().empty());

    open.window.open_path(QString::fromStdString(sample("rmsnorm.cubin")));
    REQUIRE(wait_for([&] { return document.path().filename() == "rmsnorm.cubin" && checked(); }));
    CHECK(problems_dock(open.window)->windowTitle() == QStringLiteral("Problems"));
    CHECK(open.window.messages().count() == 0);
}

QUIET_CASE("no label, message box or tool tip takes a text for a page", "[plain-text]") {
    OpenWindow open("");
    const QString name = QStringLiteral("<b>not bold</b>.cubin");
    QWidget* window = &open.window;

    QLabel label(name, window);
    label.show();
    CHECK(label.textFormat() == Qt::PlainText);

    QMessageBox box(QMessageBox::Warning, QStringLiteral("Delete?"), name, QMessageBox::Ok, window);
    box.setInformativeText(name);
    box.open();
    int texts = 0;
    for (const auto* each : box.findChildren<QLabel*>()) {
        if (!each->text().contains(QStringLiteral("<b>"))) continue;
        ++texts;
        CHECK(each->textFormat() == Qt::PlainText);
    }
    CHECK(texts == 2);
    box.close();

    CHECK(plain_tip(QStringLiteral("R4 < R5 & R6")) == QStringLiteral("R4 < R5 & R6"));
    CHECK(plain_tip(name) == QStringLiteral("<span>&lt;b&gt;not bold&lt;/b&gt;.cubin</span>"));

    // The tip of a widget, and of an item of a list.
    const auto shown_tip = [] {
        for (const QWidget* top : QApplication::topLevelWidgets())
            if (top->inherits("QTipLabel") && top->isVisible())
                return static_cast<const QLabel*>(top)->text();
        return QString();
    };
    const auto hover = [](QWidget* widget, const QPoint& at) {
        QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &help);
    };
    label.setToolTip(name);
    hover(&label, {2, 2});
    CHECK(shown_tip() == plain_tip(name));
    QListWidget list(window);
    list.resize(200, 80);
    auto* item = new QListWidgetItem(name, &list);
    item->setToolTip(QStringLiteral("<h1>large</h1>"));
    list.show();
    hover(list.viewport(), list.visualItemRect(item).center());
    CHECK(shown_tip() == plain_tip(QStringLiteral("<h1>large</h1>")));
    g_qt_warnings.removeAll(QStringLiteral("This plugin does not support raise()"));  // the offscreen one
}

QUIET_CASE("a file whose name is a page of HTML is named as it is", "[plain-text]") {
    OpenWindow open("");
    const QString path = open.path("<img src=x><h1>k<i>.cubin");
    QFile::copy(QString::fromStdString(sample("rmsnorm.cubin")), path);
    open.window.open_path(path);
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    CHECK(open.window.windowTitle().contains(QStringLiteral("<h1>k<i>.cubin")));
    for (const auto* label : open.window.findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("<h1>"))) {
            INFO(label->text().toStdString());
            CHECK(label->textFormat() == Qt::PlainText);
        }

    // A message shows rich text of its own, with what it tells escaped.
    const QString bad = open.path("<img src=x><h1>bad<i>.cubin");
    QFile broken(bad);
    REQUIRE(broken.open(QIODevice::WriteOnly));
    broken.write("no cubin");
    broken.close();
    open.window.open_path(bad);
    REQUIRE(wait_for(
        [&] { return open.window.messages().newest_text().contains(QStringLiteral("<h1>bad<i>")); }));
    int told = 0;
    for (const auto* label : open.window.messages().findChildren<QLabel*>()) {
        if (!label->text().contains(QStringLiteral("bad"))) continue;
        ++told;
        CHECK(label->text().contains(QStringLiteral("&lt;h1&gt;bad&lt;i&gt;")));
        CHECK_FALSE(label->text().contains(QStringLiteral("<h1>")));
    }
    CHECK(told == 1);
}
