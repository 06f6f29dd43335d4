// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab probe --loops`: loops of one warp, measured and modelled.
#include "app/lab/probe/probe_loops.h"

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"

namespace cubinlab::cli {

int run_probe_loops(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin) {
    StopOnSignal stop;
    auto bench = open_bench(cubin, options.gpu);
    if (!bench) return print_error(bench.error(), options.json);
    const auto run = [&](const probe::LoopCase&, const probe::Program& program,
                         const probe::Shape& shape) -> Result<probe::Count> {
        auto image = probe::build_image(*cubin, program);
        if (!image) return fail(image.error());
        return (*bench)->run_image(*image, shape);
    };
    auto figures = probe::study_loops(*cubin, (*bench)->book(), run, stop.token());
    if (!figures) return print_error(figures.error(), options.json);
    if (!options.json) {
        print_text(probe::loops_markdown(*figures));
        return 0;
    }
    Json rows = Json::array();
    for (const probe::LoopFigure& f : *figures)
        rows.push_back({{"name", f.name},
                        {"instructions", f.instructions},
                        {"measured", f.measured},
                        {"modelled", f.modelled},
                        {"failure", f.failure}});
    const probe::Machine& machine = (*bench)->machine();
    return print_document(
        {{"device", machine.device}, {"driver", machine.driver}, {"loops", std::move(rows)}});
}

}  // namespace cubinlab::cli
