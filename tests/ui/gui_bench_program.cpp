// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "core/store/session.h"
#include "tests/ui/gui_bench.h"

namespace cubinlab::ui::bench {
namespace {

using Json = nlohmann::json;

// One start of window_scene; what its heartbeat says, or an empty document.
Json start(const BenchOptions& options, const QTemporaryDir& home, const QStringList& arguments) {
    const QString log = home.filePath(QStringLiteral("heartbeat.json"));
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    env.insert(QStringLiteral("XDG_CONFIG_HOME"), home.filePath(QStringLiteral("config")));
    process.setProcessEnvironment(env);
    process.start(options.program,
                  arguments + QStringList{QStringLiteral("--heartbeat"), log, QStringLiteral("--size"),
                                          QStringLiteral("1600x1000")});
    if (!process.waitForFinished(600'000) || process.exitCode() != 0) {
        std::fprintf(stderr, "gui-bench: %s did not end as it should\n", qPrintable(options.program));
        return Json::object();
    }
    std::ifstream in(log.toStdString());
    return Json::parse(in, nullptr, false);
}

double median_of(const BenchOptions& options, const QTemporaryDir& home, const QStringList& arguments,
                 const char* from, const char* to) {
    std::vector<double> values;
    for (int i = 0; i < options.repeats; ++i) {
        const Json seen = start(options, home, arguments);
        if (!seen.contains(to)) return 1e9;
        values.push_back(seen[to].get<double>() - (*from != '\0' ? seen[from].get<double>() : 0));
    }
    return percentile(values, 0.5);
}

// `actions`: what is done in the window before the heartbeat counts (tests/ui/scene.h).
Figures agent_run(const BenchOptions& options, const QTemporaryDir& home, const QString& cubin,
                  const std::string& name, const QString& agent = QStringLiteral("random"),
                  const QString& actions = {}) {
    const QString session = home.filePath(QString::fromStdString(name) + QStringLiteral(".db"));
    const Json seen = start(options, home,
                            {cubin, QStringLiteral("--agent"), agent, QStringLiteral("--do"), actions,
                             QStringLiteral("--evaluator"), QStringLiteral("model"),
                             QStringLiteral("--budget"), QStringLiteral("%1s").arg(options.seconds),
                             QStringLiteral("--session"), session, QStringLiteral("--quit-when-done")});
    double rate = 0;
    if (auto reader = SessionReader::open(session.toStdString()))
        if (auto run = (*reader)->run(0)) rate = static_cast<double>(run->steps) / options.seconds;
    const auto value = [&](const char* key) { return seen.value(key, 1e9); };
    return {{name + ": mutations logged", rate, name == "agent on bmm_mma" ? 500.0 : 0.0, true, "1/s", ""},
            {name + ": heartbeat late, p99", value("late_p99_ms"), 50, false, "ms", "of a 10 ms timer"},
            {name + ": heartbeat late, most", value("late_max_ms"), 200, false, "ms", ""}};
}

}  // namespace

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

Figures bench_block(const BenchOptions& options) {
    const QTemporaryDir home;
    return agent_run(options, home, options.block, "auto on a hot block of 500, graph in front",
                     QStringLiteral("auto"), QStringLiteral("show:dock_graph"));
}

Figures bench_program(const BenchOptions& options) {
    const QTemporaryDir home;
    const QString sample = options.samples + QStringLiteral("/bmm_mma.cubin");
    const QStringList briefly{QStringLiteral("--quit-after"), QStringLiteral("2")};
    Figures out{
        {"window shown", median_of(options, home, briefly, "", "window_ms"), 500, false, "ms",
         "process start to first paint"},
        {"sample open",
         median_of(options, home, QStringList{sample} + briefly, "open_asked_ms", "listing_ms"), 1000, false,
         "ms", "432 instructions, asked to painted"},
        {"5,000-line kernel open",
         median_of(options, home, QStringList{options.large} + briefly, "open_asked_ms", "listing_ms"), 1000,
         false, "ms", "5,184 instructions, asked to painted"}};
    for (const Figure& f : agent_run(options, home, sample, "agent on bmm_mma"))
        out.push_back(f);
    for (const Figure& f : agent_run(options, home, options.large, "agent on 5,184 lines"))
        out.push_back(f);
    return out;
}

}  // namespace cubinlab::ui::bench
