// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/gui_bench.h"
#include "tests/ui/stall_watch.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "ui/base/theme.h"

using namespace cubinlab::ui;
using namespace cubinlab::ui::bench;

static void init_resources() {
    Q_INIT_RESOURCE(icons);
}

namespace {

void print(const Figures& figures, double load) {
    std::printf("| what | figure | budget | |\n|---|---|---|---|\n");
    for (const Figure& f : figures) {
        const QString budget =
            f.budget == 0 ? QStringLiteral("-")
                          : QStringLiteral("%1 %2 %3")
                                .arg(f.at_least ? QStringLiteral("at least") : QStringLiteral("at most"))
                                .arg(f.budget)
                                .arg(QString::fromStdString(f.unit));
        std::printf("| %s | %.1f %s | %s | %s |\n", f.name.c_str(), f.value, f.unit.c_str(),
                    qPrintable(budget),
                    f.budget == 0 ? ""
                    : f.good()    ? "ok"
                                  : "MISSED");
    }
    std::printf("\nLoad of the machine at the end (1 minute): %.1f\n", load);
}

void print_json(const Figures& figures, double load) {
    nlohmann::json out{{"load", load}, {"figures", nlohmann::json::array()}};
    for (const Figure& f : figures)
        out["figures"].push_back({{"name", f.name},
                                  {"value", f.value},
                                  {"unit", f.unit},
                                  {"budget", f.budget},
                                  {"at_least", f.at_least},
                                  {"ok", f.good()},
                                  {"about", f.about}});
    std::printf("%s\n", out.dump(2).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    WatchedApplication app(argc, argv);
    init_resources();
    Theme::instance().apply_to(app, ThemeMode::Light);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Benchmark of the window"));
    parser.addHelpOption();
    const auto option = [&](const char* name, const char* value, const char* about, const QString& start) {
        parser.addOption(
            {QString::fromLatin1(name), QString::fromLatin1(about), QString::fromLatin1(value), start});
    };
    option("program", "file", "window_scene", QStringLiteral(CUBINLAB_BINARY_DIR "/tests/window_scene"));
    option("only", "part", "program, block, chart, graph, timeline, mutations or mixed", {});
    option("seconds", "n", "length of each agent run", QStringLiteral("20"));
    option("repeats", "n", "starts, of which the median counts", QStringLiteral("5"));
    option("mutations", "n", "pushed through the views", QStringLiteral("1800000"));
    parser.addOption({QStringLiteral("json"), QStringLiteral("print JSON")});
    parser.process(app);
    BenchOptions options;
    options.program = parser.value(QStringLiteral("program"));
    options.samples = QStringLiteral(CUBINLAB_SAMPLES);
    options.large = QStringLiteral(CUBINLAB_TEST_DATA "/gui/large.cubin");
    options.block = QStringLiteral(CUBINLAB_TEST_DATA "/gui/loop.cubin");
    options.seconds = parser.value(QStringLiteral("seconds")).toDouble();
    options.repeats = std::max(1, parser.value(QStringLiteral("repeats")).toInt());
    options.mutations = parser.value(QStringLiteral("mutations")).toLongLong();
    const QString only = parser.value(QStringLiteral("only"));
    const std::pair<const char*, std::function<Figures()>> parts[] = {
        {"program", [&] { return bench_program(options); }},
        {"block", [&] { return bench_block(options); }},
        {"chart", bench_chart},
        {"graph", bench_graph},
        {"timeline", [&] { return bench_timeline(options); }},
        {"mutations", [&] { return bench_mutations(options); }},
        {"mixed", [&] { return bench_mixed(options); }}};
    if (!QFileInfo::exists(options.program)) {
        std::fprintf(stderr, "gui-bench: there is no %s; build window_scene or name it with --program\n",
                     qPrintable(options.program));
        return 2;
    }
    Figures figures;
    for (const auto& [name, run] : parts)
        if (only.isEmpty() || only == QLatin1String(name))
            for (const Figure& f : run())
                figures.push_back(f);
    double load = 0;
    getloadavg(&load, 1);
    parser.isSet(QStringLiteral("json")) ? print_json(figures, load) : print(figures, load);
    return std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.good(); }) ? 0 : 1;
}
