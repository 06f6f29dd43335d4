// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/dependency_picture.h"

#include <QObject>
#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace cubinlab::ui {
namespace {

QString hex(std::uint32_t offset) {
    return QStringLiteral("0x%1").arg(offset, 4, 16, QLatin1Char('0'));
}

QString mnemonic(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& word : words)
        if (!word.startsWith(QLatin1Char('@'))) return word;
    return text;
}

QString slack_text(int slack) {
    if (slack <= 0) return QObject::tr("critical");
    return QObject::tr("slack %1").arg(slack);
}

Tone tone_of(int slack) {
    if (slack <= 0) return Tone::Critical;
    return slack <= kTightSlack ? Tone::Tight : Tone::Loose;
}

}  // namespace

std::vector<EdgeKind> dependence_kinds() {
    return {
        {"RAW", "Read after write: the consumer needs the value", LineStyle::Solid, 0},
        {"WAR", "Write after read: the register must be read before it is overwritten", LineStyle::Dashed, 1},
        {"WAW", "Write after write: the later value must remain", LineStyle::DashDot, 2},
        {"Memory", "Accesses that may touch the same bytes", LineStyle::Dotted, 3},
        {"Fence", "Nothing may cross this fence or barrier", LineStyle::DashDotDot, 4},
        {"Scoreboard", "Set and wait of one scoreboard", LineStyle::Thick, 5},
        {"Other ordering", "Must keep their order for another reason", LineStyle::Dotted, 6}};
}

QString edge_sentence(const Dependence& edge, const NodeText& from, const NodeText& to) {
    const std::vector<EdgeKind> kinds = dependence_kinds();
    QString text = kinds[static_cast<std::size_t>(edge.kind) % kinds.size()].name;
    const QString resource = QString::fromStdString(edge.resource());
    if (!resource.isEmpty()) text += QObject::tr(" on ") + resource;
    if (edge.scoreboard >= 0) text += QObject::tr(", scoreboard SB%1").arg(edge.scoreboard);
    if (edge.loop_carried) text += QObject::tr(", carried to the next iteration");
    text += QStringLiteral("\n%1 %2 %3 %4 %5\n")
                .arg(mnemonic(from.text), hex(from.offset), QChar(0x2192), mnemonic(to.text), hex(to.offset));
    const bool variable = edge.by_waits;
    text += QObject::tr("latency %1 cycles%2, distance %3 cycles: ")
                .arg(edge.latency)
                .arg(variable ? QObject::tr(" (expected)") : QString())
                .arg(edge.distance);
    const int slack = edge.slack();
    if (slack >= 0)
        text += QObject::tr("slack %1").arg(slack);
    else
        text += QObject::tr("%1 cycles short%2")
                    .arg(-slack)
                    .arg(variable ? QObject::tr(", guarded by a scoreboard") : QString());
    return text;
}

GraphPicture dependency_picture(const DependencyGraph& graph, const std::vector<NodeText>& texts,
                                const QString& title, const std::vector<int>& hidden) {
    GraphPicture picture;
    picture.title = title;
    picture.kinds = dependence_kinds();
    picture.legend = {{Tone::Critical, QObject::tr("no slack (critical)")},
                      {Tone::Tight, QObject::tr("slack 1 to %1 cycles").arg(kTightSlack)},
                      {Tone::Loose, QObject::tr("slack above %1").arg(kTightSlack)}};
    const std::set<InstrId> critical(graph.critical_path.begin(), graph.critical_path.end());
    std::unordered_map<InstrId, std::uint32_t> index;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        index.emplace(graph.nodes[i], i);
        const NodeText text = i < texts.size() ? texts[i] : NodeText{};
        const int slack = i < graph.slack.size() ? graph.slack[i] : 0;
        PictureNode node;
        node.instr = graph.nodes[i];
        node.title = text.text;
        node.detail = hex(text.offset) + QStringLiteral("  ") +
                      (text.known ? slack_text(slack) : QObject::tr("latency unknown"));
        node.tone = text.known ? tone_of(slack) : Tone::Loose;
        node.emphasised = text.known && critical.count(graph.nodes[i]) != 0;
        node.tooltip = text.text + QLatin1Char('\n') + hex(text.offset);
        if (text.known && i < graph.earliest.size())
            node.tooltip += QObject::tr(", earliest issue in cycle %1 of the block").arg(graph.earliest[i]);
        node.tooltip += QStringLiteral("\n") +
                        (!text.known ? QObject::tr("unknown opcode: nothing moves past it, latency unknown")
                         : slack > 0 ? QObject::tr("can be delayed by %1 cycles").arg(slack)
                                     : QObject::tr("no slack: delays the block"));
        if (i < hidden.size() && hidden[i] > 0) {
            node.detail += QStringLiteral("  +%1").arg(hidden[i]);
            node.tooltip +=
                QObject::tr("\n%1 of its neighbours are hidden; select it to show them").arg(hidden[i]);
        }
        picture.nodes.push_back(std::move(node));
    }
    std::set<std::pair<InstrId, InstrId>> critical_steps;
    for (std::size_t i = 1; i < graph.critical_path.size(); ++i)
        critical_steps.emplace(graph.critical_path[i - 1], graph.critical_path[i]);
    for (const Dependence& d : graph.edges) {
        const auto from = index.find(d.from), to = index.find(d.to);
        if (from == index.end() || to == index.end()) continue;
        PictureEdge edge;
        edge.from = from->second;
        edge.to = to->second;
        edge.kind = static_cast<std::uint8_t>(d.kind);
        edge.loop_carried = d.loop_carried;
        edge.emphasised = !d.loop_carried && critical_steps.count({d.from, d.to}) != 0;
        edge.label = picture.keep(picture.kinds[edge.kind % picture.kinds.size()].name + QLatin1Char(' ') +
                                  QString::fromStdString(d.resource()));
        edge.latency = d.latency;
        const auto text = [&](std::uint32_t i) { return i < texts.size() ? texts[i] : NodeText{}; };
        edge.tooltip = picture.keep(edge_sentence(d, text(edge.from), text(edge.to)));
        picture.edges.push_back(std::move(edge));
    }
    return picture;
}

FocusedGraph focus_on_path(const DependencyGraph& whole, InstrId around) {
    std::set<InstrId> kept(whole.critical_path.begin(), whole.critical_path.end());
    if (around != kNone) kept.insert(around);
    std::unordered_map<InstrId, std::set<InstrId>> neighbours;
    for (const Dependence& d : whole.edges) {
        neighbours[d.from].insert(d.to);
        neighbours[d.to].insert(d.from);
    }
    if (around != kNone) kept.insert(neighbours[around].begin(), neighbours[around].end());
    FocusedGraph out;
    out.graph.length = whole.length;
    out.graph.critical_path = whole.critical_path;
    for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
        const InstrId node = whole.nodes[i];
        if (kept.count(node) == 0) continue;
        out.graph.nodes.push_back(node);
        if (i < whole.earliest.size()) out.graph.earliest.push_back(whole.earliest[i]);
        if (i < whole.slack.size()) out.graph.slack.push_back(whole.slack[i]);
        out.hidden.push_back(static_cast<int>(
            std::ranges::count_if(neighbours[node], [&](InstrId other) { return kept.count(other) == 0; })));
    }
    for (const Dependence& d : whole.edges)
        if (kept.count(d.from) != 0 && kept.count(d.to) != 0) out.graph.edges.push_back(d);
    return out;
}

DependencyGraph build_loop_graph(const Schedule& schedule, const std::vector<BlockId>& blocks) {
    DependencyGraph all;
    for (const BlockId block : blocks) {
        DependencyGraph one = build_dependency_graph(schedule, block, blocks.size() == 1);
        for (int& cycle : one.earliest)
            cycle += all.length;
        all.length += one.length;
        all.nodes.insert(all.nodes.end(), one.nodes.begin(), one.nodes.end());
        all.edges.insert(all.edges.end(), one.edges.begin(), one.edges.end());
        all.earliest.insert(all.earliest.end(), one.earliest.begin(), one.earliest.end());
        all.slack.insert(all.slack.end(), one.slack.begin(), one.slack.end());
        all.critical_path.insert(all.critical_path.end(), one.critical_path.begin(), one.critical_path.end());
    }
    if (blocks.size() < 2) return all;
    const Kernel& kernel = *schedule.kernel();
    const std::set<BlockId> inside(blocks.begin(), blocks.end());
    std::set<std::tuple<InstrId, InstrId, int, int, int>> seen;  // several paths lead to one use
    for (Dependence& d : dependences_across_blocks(schedule)) {
        if (inside.count(kernel.block_of(d.from)) == 0 || inside.count(kernel.block_of(d.to)) == 0) continue;
        if (!seen.emplace(d.from, d.to, int(d.kind), int(d.file), int(d.reg)).second) continue;
        d.loop_carried = schedule.position_of(d.to) < schedule.position_of(d.from);
        all.edges.push_back(std::move(d));
    }
    return all;
}

}  // namespace cubinlab::ui
