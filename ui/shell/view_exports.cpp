// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_exports.h"

#include <QMenu>

#include "ui/base/commands.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/run/reward_chart.h"

namespace cubinlab::ui {
namespace {

QString tr(const char* text) {
    return QObject::tr(text);
}

}  // namespace

void add_view_exports(Commands& commands, QMenu* menu, const ExportedViews& views) {
    QMenu* exports = menu->addMenu(tr("Export &view"));
    const auto add = [&](const char* id, const QString& text, const QString& tip, std::function<void()> run) {
        exports->addAction(commands.add({QString::fromLatin1(id), text, {}, {}, tip}, std::move(run)));
    };
    const QString curves = tr("Write the values or the picture of the curves");
    add("export.curves_csv", tr("Curves as &CSV..."), curves,
        [chart = views.chart] { chart->ask_and_export(QStringLiteral("csv")); });
    add("export.curves_svg", tr("Curves as &SVG..."), curves,
        [chart = views.chart] { chart->ask_and_export(QStringLiteral("svg")); });
    add("export.curves_png", tr("Curves as &PNG..."), curves,
        [chart = views.chart] { chart->ask_and_export(QStringLiteral("png")); });
    const auto graph = [&](const QString& id, const QString& name, GraphToolbar* toolbar) {
        exports->addSeparator();
        for (const char* suffix : {"svg", "png", "dot"}) {
            const QString s = QString::fromLatin1(suffix);
            add((id + QLatin1Char('_') + s).toLatin1().constData(), tr("%1 as %2...").arg(name, s.toUpper()),
                tr("Write the whole graph"), [toolbar, s] { toolbar->ask_and_export(s); });
        }
    };
    graph(QStringLiteral("export.graph"), tr("Dependency graph"), views.dependencies);
    graph(QStringLiteral("export.flow"), tr("Control flow"), views.flow);
}

}  // namespace cubinlab::ui
