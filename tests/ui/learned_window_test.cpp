// SPDX-License-Identifier: GPL-3.0-or-later
// Agent > Replay > What sessions learned.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPointer>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include "tests/ui/window_support.h"
#include "ui/document/selection.h"
#include "ui/sessions/learned_window.h"
#include "ui/shell/shell.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

LearnedWindow& show(OpenWindow& open) {
    open.window.commands()[QStringLiteral("replay.sessions")]->trigger();
    LearnedWindow* learned = open.window.shell().show_learned();
    REQUIRE(learned->isVisible());
    return *learned;
}

template <class T>
T* part(LearnedWindow& learned, const char* name) {
    return learned.findChild<T*>(QString::fromLatin1(name));
}

}  // namespace

TEST_CASE("what sessions learned is what `learn` says, with the lines of the kernel at hand", "[replay]") {
    const NoQtWarnings quiet;
    OpenWindow open;
    Settings().set_sessions_folder(open.folder.path());
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    RunRequest request;
    request.evaluator = QStringLiteral("model");
    request.budget = QStringLiteral("400steps");
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return open.window.controller().active(); }));
    REQUIRE(wait_for([&] { return !open.window.controller().active(); }));
    LearnedWindow& learned = show(open);
    const QAbstractItemModelTester tester(const_cast<LearnedModel*>(&learned.model()));
    REQUIRE(wait_for([&] { return learned.model().rowCount() > 0; }));
    TriedEdits tried;
    REQUIRE(tried.add_session(open.path("s.db").toStdString()));
    const std::vector<TriedPattern> expected = tried.patterns(5);
    REQUIRE(learned.model().rows().size() == expected.size());
    const Kernel& kernel = *open.window.document().kernel();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const LearnedPattern& shown = learned.model().rows()[i];
        CHECK(shown.tried.key == expected[i].key);
        CHECK(shown.tried.tried == expected[i].tried);
        CHECK(shown.tried.mean() == expected[i].mean());
        const QModelIndex effect = learned.model().index(static_cast<int>(i), LearnedModel::Effect);
        CHECK(effect.data().toString().contains(QStringLiteral("modelled")));
        CHECK_FALSE(effect.data(Qt::ForegroundRole).isValid());  // nothing is claimed of a model's figure
        for (const InstrId id : shown.places)
            CHECK(kernel.instruction(id).mnemonic == expected[i].key.opcode);
    }
    // A click on a place goes to the line; the chosen kind stays chosen when the schedule changes.
    auto* table = part<QTableView>(learned, "learned_table");
    int row = -1;
    const auto places_of_row = [&](int at) {
        return table->model()->index(at, LearnedModel::Here).data(LearnedModel::kSortRole).toInt();
    };
    for (int at = 0; at < table->model()->rowCount() && row < 0; ++at)
        if (places_of_row(at) > 1) row = at;
    REQUIRE(row >= 0);
    table->selectRow(row);
    const QString name = table->model()->index(row, LearnedModel::Name).data().toString();
    auto* places = part<QLabel>(learned, "learned_places");
    const QString text = places->text();
    const QString id = text.section(QStringLiteral("href=\""), 2, 2).section(QLatin1Char('"'), 0, 0);
    REQUIRE_FALSE(id.isEmpty());
    Q_EMIT places->linkActivated(id);
    CHECK(open.window.selection().instr() == id.toUInt());
    QSignalSpy looked(&learned, &LearnedWindow::looked);
    learned.findChild<QSpinBox*>()->setValue(6);
    REQUIRE(wait_for([&] { return looked.count() > 0; }));
    CHECK(table->model()->index(table->currentIndex().row(), LearnedModel::Name).data().toString() == name);
    // Without a kernel it says what to do.
    open.window.document().close();
    REQUIRE(wait_for([&] { return places->text().contains(QStringLiteral("Open a kernel")); }));
    Settings().set_sessions_folder({});
}

TEST_CASE("where nothing was learned the window says so", "[replay]") {
    const NoQtWarnings quiet;
    OpenWindow open{""};
    for (const QString& folder : {open.folder.path(), open.path("nowhere")}) {
        Settings().set_sessions_folder(folder);
        LearnedWindow& learned = show(open);
        QSignalSpy looked(&learned, &LearnedWindow::looked);
        REQUIRE(wait_for([&] { return looked.count() > 0; }));
        CHECK(learned.model().rowCount() == 0);
        CHECK(part<QLabel>(learned, "learned_empty")->isVisible());
        CHECK(part<QLabel>(learned, "learned_empty")
                  ->text()
                  .startsWith(QStringLiteral("There is nothing to learn")));
        CHECK(part<QLabel>(learned, "learned_places")->isHidden());
        const QPointer<LearnedWindow> closed(&learned);
        learned.close();
        REQUIRE(wait_for([&] { return closed.isNull(); }));
    }
    Settings().set_sessions_folder({});
}

TEST_CASE("what stands out from chance has a star and a colour, where a GPU measured it", "[replay]") {
    // 64 tries of +1 % or -1 %, all alike but for 0.1 %: sum and squares by hand.
    const auto tried = [](double mean, EvaluatorKind evaluator, bool stands_out) {
        TriedPattern out;
        out.evaluator = evaluator;
        out.tried = 64;
        out.sum = 64 * mean;
        out.squares = 64 * mean * mean + 63 * 0.001 * 0.001;
        out.stands_out = stands_out;
        return LearnedPattern{out, {}};
    };
    LearnedModel model;
    model.set_rows({tried(0.01, EvaluatorKind::Gpu, true), tried(-0.01, EvaluatorKind::Gpu, true),
                    tried(0.01, EvaluatorKind::Gpu, false), tried(0.01, EvaluatorKind::Model, true)});
    const auto interval = [&](int row) { return model.index(row, LearnedModel::Interval); };
    const auto colour = [&](int row) { return interval(row).data(Qt::ForegroundRole).value<QColor>(); };
    const auto starred = [&](int row) { return interval(row).data().toString().endsWith(QLatin1Char('*')); };
    CHECK((starred(0) && starred(1)));
    CHECK_FALSE((starred(2) || starred(3)));
    CHECK(colour(0) == Theme::instance().colors().good);
    CHECK(colour(1) == Theme::instance().colors().bad);
    CHECK_FALSE(interval(2).data(Qt::ForegroundRole).isValid());
    CHECK_FALSE(interval(3).data(Qt::ForegroundRole).isValid());
}
