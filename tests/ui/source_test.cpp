// SPDX-License-Identifier: GPL-3.0-or-later
// The source beside the listings: a cubin of nvcc -lineinfo whose lines readelf decoded (tests/core/cubin/cubin_test.cpp),
// line and instruction choose each other, and a file that is not there is named and may be chosen.
#include "ui/source/source_view.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include "core/sass/word.h"
#include "tests/ui/panels_warnings.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/source/source_text.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

constexpr char kCubin[] = CUBINLAB_TEST_DATA "/cubins/variants.90.cubin";

bool come(const std::function<bool()>& done) {
    QElapsedTimer clock;
    for (clock.start(); clock.elapsed() < 120000;) {
        if (done()) return true;
        QTest::qWait(5);
    }
    return done();
}

struct Opened {
    JobRunner jobs;
    Document document{jobs};
    Selection selection;
    SourceView view{&document, &selection, &jobs};

    Opened(const QString& file, const char* kernel) {
        QObject::connect(&document, &Document::opened, &selection,
                         [this] { selection.begin(document.kernel()->size()); });
        view.resize(700, 400);
        view.show();
        document.open(file.toStdString(), QString::fromLatin1(kernel));
        REQUIRE(come([&] { return document.is_open(); }));
    }
    bool shows(const QString& part) {
        return come([&] { return view.told().contains(part); });
    }
};

}  // namespace

TEST_CASE("the line of the selected instruction is shown, and a line chooses its instructions", "[source]") {
    const NoQtWarnings quiet;
    Opened open(QString::fromLatin1(kCubin), "k_lines");
    REQUIRE(open.shows(QStringLiteral("variants.cu")));
    REQUIRE(come([&] { return open.view.text()->document()->blockCount() > 10; }));
    const SourceText& text = *open.view.text();
    QFile source(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.cu"));
    REQUIRE(source.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(source.readAll()).split(QLatin1Char('\n'));
    CHECK(text.document()->findBlockByNumber(10).text() == lines[10]);

    // As readelf has them: 0x210 line 14, 0x310 line 13, 0x380 line 8, of an inlined function.
    for (const auto& [offset, line] :
         {std::pair(0x0, 11), {0x210, 14}, {0x310, 13}, {0x380, 8}, {0x390, 14}}) {
        open.selection.select(static_cast<quint32>(offset / 16));
        INFO(offset);
        CHECK(text.chosen_line() == line);
    }
    // With the mouse: the first of line 8's, all of them as a range.
    const SourceMap& map = *open.view.map();
    const std::vector<InstrId>& of_8 = map.of(0, 8);
    REQUIRE_FALSE(of_8.empty());
    const QTextBlock block = text.document()->findBlockByNumber(7);
    QTextCursor cursor(block);
    const QRect place = text.cursorRect(cursor);
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, place.center() + QPoint(2, 0));
    CHECK(open.selection.instr() == of_8.front());
    CHECK(text.chosen_line() == 8);
    if (of_8.size() > 1) CHECK(open.selection.range() == of_8);
    // By keys: the next line that instructions came from.
    const auto next = map.by_line[0].upper_bound(8);
    REQUIRE(next != map.by_line[0].end());
    QTest::keyClick(open.view.text(), Qt::Key_Down, Qt::ControlModifier);
    CHECK(text.chosen_line() == next->first);
    CHECK(open.selection.instr() == next->second.front());
    QTest::keyClick(open.view.text(), Qt::Key_Up, Qt::ControlModifier);
    CHECK(open.selection.instr() == of_8.front());
    open.document.close();
    REQUIRE(come([&] { return open.view.map() == nullptr; }));
    CHECK(text.document()->isEmpty());
}

TEST_CASE("a source that is not there is named, and another place is taken", "[source]") {
    const NoQtWarnings quiet;
    QTemporaryDir folder;
    const QString cubin = folder.filePath(QStringLiteral("alone.cubin"));
    REQUIRE(QFile::copy(QString::fromLatin1(kCubin), cubin));
    Opened open(cubin, "k_lines");
    REQUIRE(open.shows(QStringLiteral("Not found: ")));
    CHECK(open.view.told().contains(QStringLiteral("variants.cu")));
    CHECK(open.view.text()->document()->isEmpty());
    const auto buttons = open.view.findChildren<QToolButton*>();
    CHECK(std::any_of(buttons.begin(), buttons.end(), [](const QToolButton* b) { return b->isVisible(); }));
    open.view.take_file(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.cu"));
    REQUIRE(come([&] { return !open.view.text()->document()->isEmpty(); }));
    CHECK_FALSE(open.view.told().contains(QStringLiteral("Not found")));
    open.selection.select(0x380 / 16);
    CHECK(open.view.text()->chosen_line() == 8);
}

TEST_CASE("a kernel without a line table says how to get one", "[source]") {
    const NoQtWarnings quiet;
    Opened open(QStringLiteral(CUBINLAB_SAMPLES "/softmax.cubin"), "");
    REQUIRE(open.shows(QStringLiteral("-lineinfo")));
    CHECK(open.view.map() == nullptr);
}
