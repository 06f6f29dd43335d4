// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_exports.h"

#include "ui/base/commands.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/run/reward_chart.h"

namespace cubinlab::ui {
void add_view_exports(Commands& commands, const ExportedViews& views) {
    const auto tr = [](const char* text) { return Commands::tr(text); };
    const auto add = [&](const QString& id, const QString& place, const QString& text, const QString& tip,
                         std::function<void()> run) {
        commands.add(id, text, "", kNoKey, tip, {place}, kAlways, std::move(run));
    };
    const auto curves = [&](const char* suffix, const QString& text) {
        const QString s = QString::fromLatin1(suffix);
        add(QStringLiteral("export.curves_") + s, QStringLiteral("export/curves"), text,
            tr("Write the values or the picture of the curves"),
            [chart = views.chart, s] { chart->ask_and_export(s); });
    };
    curves("csv", tr("Curves as &CSV..."));
    curves("svg", tr("Curves as &SVG..."));
    curves("png", tr("Curves as &PNG..."));
    const auto graph = [&](const QString& id, const QString& name, GraphToolbar* toolbar) {
        for (const char* suffix : {"svg", "png", "dot"}) {
            const QString s = QString::fromLatin1(suffix);
            add(QStringLiteral("export.%1_%2").arg(id, s), QStringLiteral("export/") + id,
                tr("%1 as %2...").arg(name, s.toUpper()), tr("Write the whole graph"),
                [toolbar, s] { toolbar->ask_and_export(s); });
        }
    };
    graph(QStringLiteral("graph"), tr("Dependency graph"), views.dependencies);
    graph(QStringLiteral("flow"), tr("Control flow"), views.flow);
}

}  // namespace cubinlab::ui
