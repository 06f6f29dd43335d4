// SPDX-License-Identifier: GPL-3.0-or-later
// Programs, libraries and Triton caches in the window: which kernel is asked, found by typing, and remembered.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QUrl>

#include "tests/ui/window_support.h"
#include "ui/run/opener.h"
#include "ui/shell/kernel_chooser.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

QString data(const char* name) {
    return QStringLiteral(CUBINLAB_TEST_DATA "/containers/") + QString::fromLatin1(name);
}

KernelChooser* asked(MainWindow& window) {
    REQUIRE(wait_for([&] {
        auto* chooser = window.findChild<KernelChooser*>();
        return chooser != nullptr && chooser->isVisible();
    }));
    return window.findChild<KernelChooser*>();
}

}  // namespace

QUIET_CASE("a program asks which kernel, typing and Enter choose one, and recent files remember it") {
    OpenWindow open("");
    open.window.open_path(data("exec_size_stripped"));
    KernelChooser* chooser = asked(open.window);
    CHECK(chooser->shown() == 12);
    bool named = false;
    for (const QLabel* label : chooser->findChildren<QLabel*>())
        named = named || label->text().contains(QStringLiteral("exec_size_stripped, program: 12 kernels"));
    CHECK(named);
    const auto* heads = chooser->findChild<QTableView*>()->model();
    CHECK(heads->headerData(KernelModel::CodeColumn, Qt::Horizontal).toString() == QStringLiteral("Code, B"));
    QTest::keyClicks(chooser->filter(), QStringLiteral("gemm"));
    CHECK(chooser->shown() == 3);
    chooser->filter()->clear();
    chooser->expression()->setChecked(true);
    QTest::keyClicks(chooser->filter(), QStringLiteral("^void demo::saxpy<double"));
    CHECK(chooser->shown() == 3);
    QTest::keyClicks(chooser->filter(), QStringLiteral("("));
    CHECK(chooser->shown() == 3);  // half an expression narrows nothing
    QTest::keyClick(chooser->filter(), Qt::Key_Backspace);
    QTest::keyClick(chooser->filter(), Qt::Key_Down);
    QTest::keyClick(chooser->filter(), Qt::Key_Return);
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    const Document& document = open.window.document();
    CHECK(document.kernel()->name() == "_ZN4demo5saxpyIdLi2EEEvPT_PKS1_S1_i");
    CHECK_FALSE(document.image().isEmpty());
    CHECK(open.window.windowTitle().contains(QStringLiteral("demo::saxpy<double, 2>")));
    const Arch arch = document.kernel()->arch();

    const QString recent = open.window.settings().recent().first();
    CHECK(Place::from(recent).path == data("exec_size_stripped"));
    CHECK(Place::from(recent).image == document.image());
    open.window.opener().close();
    open.window.open_path(recent);  // not asked again
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(document.kernel()->name() == "_ZN4demo5saxpyIdLi2EEEvPT_PKS1_S1_i");
    CHECK(document.kernel()->arch() == arch);
    open.window.settings().forget_recent();
}

QUIET_CASE("a wish that means several kernels narrows the table, one that means none does not") {
    OpenWindow open("");
    open.window.open_path(data("exec_size_stripped"), QStringLiteral("regex:^void demo::saxpy<double"));
    KernelChooser* chooser = asked(open.window);
    CHECK(chooser->expression()->isChecked());
    CHECK(chooser->filter()->text() == QStringLiteral("^void demo::saxpy<double"));
    CHECK(chooser->shown() == 3);
    QTest::keyClick(chooser->filter(), Qt::Key_Escape);
    CHECK_FALSE(open.window.document().is_open());
}

TEST_CASE("the table shows names without result and arguments, and is searched by all of them") {
    auto container = required(Container::open(data("exec_size_stripped").toStdString()));
    auto choices = std::make_shared<KernelChoices>(choices_of(*container, {}, {}));
    const KernelModel model(*choices);
    bool seen = false;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex name = model.index(row, KernelModel::NameColumn);
        if (name.data().toString() != QStringLiteral("demo::saxpy<double, 2>")) continue;
        seen = true;
        const QString whole = name.data(KernelModel::kFilterRole).toString();
        CHECK(whole.startsWith(QStringLiteral("void demo::saxpy<double, 2>(double*")));
        CHECK(whole.contains(QStringLiteral("_ZN4demo5saxpyIdLi2EEEvPT_PKS1_S1_i")));
        CHECK(name.data(Qt::ToolTipRole).toString() == whole);
    }
    CHECK(seen);
}

QUIET_CASE("a cache folder that is dropped opens its only kernel, what holds none is told") {
    OpenWindow open("");
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(data("triton"))});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&open.window, &enter);  // Qt drops only where something was dragged to
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&open.window, &drop);
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(open.window.document().kernel()->name() == "add");
    CHECK(open.window.document().path().filename() == "add.cubin");
    const KernelPtr before = open.window.document().kernel();
    open.window.messages().clear_all();
    open.window.open_path(data("lto.o"));
    REQUIRE(wait_for([&] { return open.window.messages().count() == 1; }));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("LTO-IR")));
    CHECK(open.window.document().kernel() == before);
    open.window.settings().forget_recent();
}

QUIET_CASE("the table of kernels keeps the promises of a model, giving up leaves what is open alone") {
    auto container = required(Container::open(data("exec_rdc").toStdString()));
    auto choices = std::make_shared<KernelChoices>(choices_of(*container, {}, {}));
    KernelModel model(*choices);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    REQUIRE(model.rowCount() == 7);
    // What is linked comes first, the largest of it before all.
    for (int i = 1; i < model.rowCount(); ++i) {
        const KernelEntry &before = model.row(i - 1)->entry, &k = model.row(i)->entry;
        INFO(i);
        CHECK(before.relocatable <= k.relocatable);
        if (before.relocatable == k.relocatable) CHECK(before.code_size >= k.code_size);
    }
    OpenWindow open;
    const KernelPtr before = open.window.document().kernel();
    open.window.open_path(data("exec_rdc"));
    QTest::keyClick(asked(open.window)->filter(), Qt::Key_Escape);
    CHECK(open.window.document().kernel() == before);
}

TEST_CASE("places as text: a path alone, or with kernel and image, whatever the path holds") {
    for (const Place& place : {Place{QStringLiteral("/a/b"), {}, {}},
                               Place{QStringLiteral("/a b"), QStringLiteral("k"), QStringLiteral("3")},
                               Place{QStringLiteral("/a\nb\nc\nd"), QStringLiteral("k"), {}}}) {
        const Place again = Place::from(place.text());
        CHECK(again.path == place.path);
        CHECK(again.kernel == place.kernel);
        CHECK(again.image == place.image);
    }
}

TEST_CASE("the kernel's box names what is open, also where another kernel cannot be opened any more") {
    OpenWindow open("");
    const QString file = open.path("several.cubin");
    REQUIRE(QFile::copy(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/distances.90a.cubin"), file));
    open.window.open_path(file);
    if (!wait_for([&] { return open.window.document().is_open(); }, 3)) {
        KernelChooser* chooser = asked(open.window);
        QTest::keyClick(chooser->filter(), Qt::Key_Down);
        QTest::keyClick(chooser->filter(), Qt::Key_Return);
    }
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    auto* box = required(open.window.findChild<QComboBox*>(QStringLiteral("kernels")));
    REQUIRE(box->count() > 1);
    const QString shown = box->currentData().toString();
    CHECK(shown == QString::fromStdString(open.window.document().kernel()->name()));
    REQUIRE(QFile::remove(file));
    const Qt::Key key = box->currentIndex() + 1 < box->count() ? Qt::Key_Down : Qt::Key_Up;
    QTest::keyClick(box, key);
    REQUIRE(wait_for([&] { return open.window.messages().isVisible(); }));
    CHECK(box->currentData().toString() == shown);
    CHECK(shown == QString::fromStdString(open.window.document().kernel()->name()));
}
