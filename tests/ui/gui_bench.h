// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark of the window: each figure beside its budget. Runs offscreen or on a display, in a Release
// build:
//
//   build/tests/cubinlab-gui-bench [--json] [--program build/tests/window_scene] [--only PART] [--seconds 20]
#pragma once
#include <QString>
#include <string>
#include <vector>

namespace cubinlab::ui::bench {

struct Figure {
    std::string name;  // "sample open"
    double value = 0;
    double budget = 0;  // 0: for information
    bool at_least = false;
    std::string unit;
    std::string about;
    bool good() const { return budget == 0 || (at_least ? value >= budget : value <= budget); }
};
using Figures = std::vector<Figure>;

struct BenchOptions {
    QString program;      // window_scene
    QString samples;      // folder
    QString large;        // cubin of more than 5,000 instructions
    QString block;        // cubin with a hot block of about 500
    int repeats = 5;      // of start and open: the median counts
    double seconds = 20;  // of each agent run
    long long mutations = 1'800'000;
};

double percentile(std::vector<double> values, double share);

// Start-up, opening and the heartbeat: window_scene as a child process.
Figures bench_program(const BenchOptions& options);
// The heartbeat while an agent that races improves a large block, whose dependences are in front.
Figures bench_block(const BenchOptions& options);
// Charts, graphs and tables in this process.
Figures bench_chart();
Figures bench_graph();
Figures bench_timeline(const BenchOptions& options);
Figures bench_mutations(const BenchOptions& options);
// One window in mixed use; says on standard error what took long and where (stall_watch.h).
Figures bench_mixed(const BenchOptions& options);

}  // namespace cubinlab::ui::bench
