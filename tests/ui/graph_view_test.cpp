// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <set>

#include "tests/support/catch.h"
#include "tests/ui/panels_synthetic.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/document/selection.h"
#include "ui/graph/dependency_picture.h"
#include "ui/graph/flow_view.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

PlacedGraphPtr block(std::uint32_t count) {
    std::vector<NodeText> texts;
    const DependencyGraph graph = synthetic::dependency_graph(count, texts);
    return place(dependency_picture(graph, texts, QStringLiteral("Block 3")));
}

// A chain 0 -> 1 -> 2 with a side consumer 0 -> 3; the chain is critical.
PlacedGraphPtr small() {
    DependencyGraph g;
    g.nodes = {10, 11, 12, 13};
    g.earliest = {0, 4, 8, 4};
    g.slack = {0, 0, 0, 5};
    g.critical_path = {10, 11, 12};
    const auto edge = [](InstrId a, InstrId b, DependenceKind kind) {
        Dependence d;
        d.from = a;
        d.to = b;
        d.kind = kind;
        d.reg = 4;
        d.latency = 4;
        d.distance = 6;
        return d;
    };
    g.edges = {edge(10, 11, DependenceKind::Raw), edge(11, 12, DependenceKind::Raw),
               edge(10, 13, DependenceKind::War)};
    return place(dependency_picture(g,
                                    {{QStringLiteral("LDG R4"), 0},
                                     {QStringLiteral("FADD R5"), 16},
                                     {QStringLiteral("FMUL R6"), 32},
                                     {QStringLiteral("MOV R4"), 48}},
                                    QStringLiteral("Block 0")));
}

}  // namespace

TEST_CASE("a large graph is cut down to its critical path and the neighbours of one node", "[graph]") {
    std::vector<NodeText> texts;
    const DependencyGraph whole = synthetic::dependency_graph(300, texts);
    std::vector<std::set<InstrId>> neighbours(300);
    for (const Dependence& d : whole.edges) {
        neighbours[d.from].insert(d.to);
        neighbours[d.to].insert(d.from);
    }
    const std::set<InstrId> path(whole.critical_path.begin(), whole.critical_path.end());
    const FocusedGraph chain = focus_on_path(whole, kNone);
    CHECK(std::set<InstrId>(chain.graph.nodes.begin(), chain.graph.nodes.end()) == path);
    InstrId off = 1;
    while (path.count(off) != 0)
        ++off;
    const FocusedGraph around = focus_on_path(whole, off);
    std::set<InstrId> kept = path;
    kept.insert(off);
    kept.insert(neighbours[off].begin(), neighbours[off].end());
    CHECK(std::set<InstrId>(around.graph.nodes.begin(), around.graph.nodes.end()) == kept);
    for (std::size_t i = 0; i < around.graph.nodes.size(); ++i) {
        std::size_t hidden = 0;
        for (const InstrId other : neighbours[around.graph.nodes[i]])
            hidden += kept.count(other) == 0;
        CHECK(static_cast<std::size_t>(around.hidden[i]) == hidden);
        if (around.graph.nodes[i] == off) CHECK(hidden == 0);
    }
    for (const Dependence& d : around.graph.edges)
        CHECK((kept.count(d.from) != 0 && kept.count(d.to) != 0));
}

QUIET_CASE("clicking a node selects its instruction, and a selection made elsewhere marks the node",
           "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({700, 500}, &selection);
    view.set_graph(small());
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, view.canvas()->node_rect(2).center().toPoint());
    CHECK(selection.instr() == 12);
    selection.select(13);
    CHECK(view.canvas()->selected() == 3);
    selection.select(99);  // of another block
    CHECK(view.canvas()->selected() == kNoNode);
}

TEST_CASE("an unknown opcode is neither critical nor has it slack", "[graph-view]") {
    DependencyGraph g;
    g.nodes = {10, 11};
    g.earliest = {0, 1};
    g.slack = {0, 0};
    g.critical_path = {10, 11};
    const GraphPicture picture = dependency_picture(
        g, {{QStringLiteral("??? 0x7f"), 0, false}, {QStringLiteral("EXIT"), 16}}, QStringLiteral("Block 0"));
    CHECK(picture.nodes[0].detail == QStringLiteral("0x0000  latency unknown"));
    CHECK(picture.nodes[0].tone == Tone::Loose);
    CHECK_FALSE(picture.nodes[0].emphasised);
    CHECK_FALSE(picture.nodes[0].tooltip.contains(QStringLiteral("delays the block")));
    CHECK(picture.nodes[1].detail == QStringLiteral("0x0010  critical"));
}

QUIET_CASE("arrow keys walk along edges and layers, the critical path first", "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({700, 500}, &selection);
    view.set_graph(small());
    QTest::keyClick(view.canvas(), Qt::Key_Home);
    CHECK(selection.instr() == 10);
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    CHECK(selection.instr() == 11);  // not 13: 10 -> 11 is critical
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    CHECK(selection.instr() == 12);
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    CHECK(selection.instr() == 12);  // the end of the walk
    QTest::keyClick(view.canvas(), Qt::Key_Up);
    QTest::keyClick(view.canvas(), Qt::Key_Left);
    QTest::keyClick(view.canvas(), Qt::Key_Right);
    CHECK((selection.instr() == 11 || selection.instr() == 13));
    QTest::keyClick(view.canvas(), Qt::Key_End);
    CHECK(selection.instr() == 13);
    QTest::keyClick(view.canvas(), Qt::Key_C);
    CHECK(selection.instr() == 10);
}

QUIET_CASE("wheel and keys zoom about the pointer, F shows everything", "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({800, 600}, &selection);
    view.set_graph(block(200));
    GraphCanvas* canvas = view.canvas();
    const QPointF at(300, 200);
    const QPointF under = canvas->to_graph(at);
    QWheelEvent wheel(at, canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    const double before = canvas->zoom();
    QApplication::sendEvent(canvas, &wheel);
    CHECK(canvas->zoom() > before);
    CHECK((canvas->to_graph(at) - under).manhattanLength() < 1);
    QTest::keyClick(canvas, Qt::Key_F);
    CHECK(canvas->rect().contains(canvas->node_rect(0).center().toPoint()));
    CHECK(canvas->rect().contains(canvas->node_rect(199).center().toPoint()));
    QTest::keyClick(canvas, Qt::Key_1);
    CHECK(canvas->zoom() == Approx(1));
}

QUIET_CASE("a node at the end of a large graph is brought into view without an empty half of the canvas",
           "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({400, 400}, &selection);
    view.set_graph(block(200));
    GraphCanvas* canvas = view.canvas();
    QTest::keyClick(canvas, Qt::Key_1);
    double top = 1e9, bottom = -1e9;
    for (std::uint32_t node = 0; node < 200; ++node) {
        top = std::min(top, canvas->to_graph(canvas->node_rect(node).topLeft()).y());
        bottom = std::max(bottom, canvas->to_graph(canvas->node_rect(node).bottomLeft()).y());
    }
    for (std::uint32_t node = 0; node < 200; node += 33) {
        canvas->set_selected(kNoNode);
        canvas->set_selected(node);
        CHECK(canvas->rect().contains(canvas->node_rect(node).center().toPoint()));
        constexpr double kMargin = 60;
        CHECK(canvas->to_graph({0, 0}).y() > top - kMargin);
        CHECK(canvas->to_graph(QPointF(0, canvas->height())).y() < bottom + kMargin);
    }
}

QUIET_CASE("a graph laid out while its dock was hidden is shown whole when the dock opens", "[graph-view]") {
    GraphCanvas canvas;
    canvas.resize(60, 30);  // as small as a view is before it is first shown
    canvas.show();
    canvas.set_graph(small());
    canvas.set_selected(2);
    canvas.resize(700, 600);
    settle();
    for (std::uint32_t node = 0; node < 4; ++node)
        CHECK(QRectF(canvas.rect()).contains(canvas.node_rect(node)));
    canvas.zoom_in();  // from here on the view is the reader's
    const double zoom = canvas.zoom();
    canvas.resize(800, 600);
    settle();
    CHECK(canvas.zoom() == zoom);
}

QUIET_CASE("dragging pans and does not select", "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({800, 600}, &selection);
    view.set_graph(block(200));
    const QPointF before = view.canvas()->to_graph({0, 0});
    QTest::mousePress(view.canvas(), Qt::LeftButton, {}, {300, 200});
    QTest::mouseMove(view.canvas(), {330, 230});
    QTest::mouseMove(view.canvas(), {360, 260});
    QTest::mouseRelease(view.canvas(), Qt::LeftButton, {}, {360, 260});
    CHECK((view.canvas()->to_graph({0, 0}) - before).manhattanLength() > 20);
    CHECK_FALSE(selection.has());
}

QUIET_CASE("edge kinds can be hidden one by one", "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({700, 500}, &selection);
    view.set_graph(small());
    auto* raw = required(view.findChild<QToolButton*>(QStringLiteral("graph-kind-RAW")));
    CHECK(raw->text() == QStringLiteral("RAW 2"));
    CHECK_FALSE(view.findChild<QToolButton*>(QStringLiteral("graph-kind-WAW"))->isVisible());  // none of them
    QTest::mouseClick(raw, Qt::LeftButton);
    CHECK((view.canvas()->kinds() & 1U) == 0);
    QTest::keyClick(view.canvas(), Qt::Key_Home);
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    CHECK(selection.instr() == 13);  // only the WAR edge is left to walk
}

TEST_CASE("the edge's sentence names kind, register, both instructions, latency, distance and slack",
          "[graph-view]") {
    Dependence d;
    d.kind = DependenceKind::Raw;
    d.reg = 8;
    d.scoreboard = 2;
    d.latency = 500;
    d.distance = 36;
    const QString text = edge_sentence(d, {QStringLiteral("@!P2 LDG.E.128 R8, [R2]"), 0x120},
                                       {QStringLiteral("FADD R1, R8, R9"), 0x1a0});
    for (const char* part : {"RAW", "R8", "scoreboard SB2", "LDG.E.128 0x0120", "FADD 0x01a0", "latency 500",
                             "distance 36", "464 cycles short"}) {
        INFO(text.toStdString());
        CHECK(text.contains(QLatin1String(part)));
    }
    d.latency = 4;
    d.scoreboard = -1;
    CHECK(edge_sentence(d, {}, {}).contains(QStringLiteral("slack 32")));
}

QUIET_CASE("the whole graph is exported as SVG, PNG and DOT", "[graph-view]") {
    Selection selection;
    GraphView view(&selection);
    view.set_graph(small());
    QTemporaryDir folder;
    const QString base = folder.filePath(QStringLiteral("g"));
    REQUIRE(view.canvas()->export_svg(base + QStringLiteral(".svg")));
    REQUIRE(view.canvas()->export_png(base + QStringLiteral(".png")));
    REQUIRE(view.canvas()->export_dot(base + QStringLiteral(".dot")));
    CHECK(QSvgRenderer(base + QStringLiteral(".svg")).isValid());
    CHECK(QImage(base + QStringLiteral(".png")).width() > 200);
    QFile dot(base + QStringLiteral(".dot"));
    REQUIRE(dot.open(QIODevice::ReadOnly));
    const QByteArray text = dot.readAll();
    CHECK(text.startsWith("digraph"));
    CHECK(text.count("->") == 3);
    CHECK(text.contains("n0 -> n3"));
    CHECK_FALSE(view.canvas()->export_svg(folder.filePath(QStringLiteral("no/such/folder.svg"))));
}

QUIET_CASE("empty, busy and error states say what they are", "[graph-view]") {
    Selection selection;
    Shown<GraphView> view({400, 300}, &selection);
    CHECK(view.canvas()->accessibleDescription().contains(QStringLiteral("Open a cubin")));
    QTest::keyClick(view.canvas(), Qt::Key_Down);  // nothing there: nothing happens
    QTest::mouseClick(view.canvas(), Qt::LeftButton);
    view.set_graph(small());
    view.canvas()->set_message(QStringLiteral("Laying out block 1..."), true);
    CHECK(view.canvas()->graph());  // the old graph stays while the new one is made
    view.canvas()->set_message(QStringLiteral("failed"));
    CHECK_FALSE(view.canvas()->graph());
    view.grab();
}

QUIET_CASE("the flow graph shows loops and selects a block's first instruction", "[graph-view]") {
    FlowGraph flow;
    flow.blocks.resize(3);
    flow.blocks[0] = {0, 4, {1}, {}, false, true, 0, kNone};
    flow.blocks[1] = {4, 6, {1, 2}, {0, 1}, false, false, 1, 1};
    flow.blocks[2] = {10, 2, {}, {1}, false, false, 0, kNone};
    flow.back_edges = {{1, 1}};
    flow.block_of = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2};
    const GraphPicture picture =
        flow_picture(flow, {{0, {}, 4}, {4, {}, 9}, {10, {}, 2}}, QStringLiteral("k"));
    REQUIRE(picture.edges.size() == 3);
    CHECK(picture.kinds[picture.edges[1].kind].name == QStringLiteral("Loop"));
    CHECK(picture.kinds[picture.edges[2].kind].name == QStringLiteral("Next"));
    CHECK(picture.nodes[1].tooltip.contains(QStringLiteral("9 stall cycles")));
    Selection selection;
    Shown<FlowView> view({500, 500}, &selection);
    view.set_graph(place(picture), flow.block_of);
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, view.canvas()->node_rect(2).center().toPoint());
    CHECK(selection.instr() == 10);
    selection.select(7);
    CHECK(view.canvas()->selected() == 1);
}
