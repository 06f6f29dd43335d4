// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab probe --loops`: loops of one warp, measured and modelled.
#include "app/lab/probe/probe_loops.h"

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "core/base/file.h"

namespace cubinlab::cli {

namespace {

int report(const ProbeOptions& options, const std::vector<probe::LoopFigure>& figures,
           const probe::Machine& machine) {
    if (!options.json) {
        print_text(probe::loops_markdown(figures));
        return 0;
    }
    Json rows = Json::array();
    for (const probe::LoopFigure& f : figures)
        rows.push_back({{"name", f.name},
                        {"instructions", f.instructions},
                        {"measured", f.measured},
                        {"modelled", f.modelled},
                        {"bank_conflicts", f.conflicts},
                        {"failure", f.failure}});
    return print_document(
        {{"device", machine.device}, {"driver", machine.driver}, {"loops", std::move(rows)}});
}

}  // namespace

int run_probe_loops(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin) {
    if (options.summary) {
        if (options.log.empty())
            return print_error(
                {ErrorCode::BadUse, "needs the document of an earlier run: give --log FILE", "--summary"},
                options.json);
        auto book = probe::WordBook::create(*cubin);
        if (!book) return print_error(book.error(), options.json);
        auto text = read_text(options.log);
        if (!text) return print_error(text.error(), options.json);
        auto figures = probe::remodelled_loops(*cubin, *book, *text);
        if (!figures) return print_error(figures.error(), options.json);
        return report(options, *figures, {});
    }
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
    return report(options, *figures, (*bench)->machine());
}

}  // namespace cubinlab::cli
