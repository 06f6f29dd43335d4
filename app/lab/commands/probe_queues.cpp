// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab probe --queues`: operands overwritten by younger memory instructions, under full queues.
#include "app/lab/probe/probe_queues.h"

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"

namespace cubinlab::cli {
namespace {

Json to_json(const probe::QueueCount& c) {
    return {{"wrong", c.wrong}, {"trials", c.trials}, {"faults", c.faults}};
}

Json document_of(const ProbeOptions& options, const probe::QueueStudy& study, const probe::Machine& machine) {
    Json pairs = Json::array();
    for (const probe::QueuePair& p : study.pairs)
        pairs.push_back({{"first", p.first},
                         {"second", p.second},
                         {"pair", to_json(p.pair)},
                         {"control", to_json(p.control)},
                         {"quiet", to_json(p.quiet)},
                         {"needs_barrier", p.needs_barrier()},
                         {"shown", p.shown()},
                         {"worst", p.worst}});
    return {{"file", options.file},     {"device", machine.device},
            {"driver", machine.driver}, {"launches", study.launches},
            {"left", study.left},       {"ended_early", study.end},
            {"pairs", pairs},           {"table", probe::queues_markdown(study)}};
}

}  // namespace

int run_probe_queues(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin) {
    auto book = probe::WordBook::create(*cubin);
    if (!book) return print_error(book.error(), options.json);
    auto cases = probe::queue_cases(*book);
    if (!cases) return print_error(cases.error(), options.json);
    StopOnSignal stop;
    auto bench = open_bench(std::move(cubin), options.gpu);
    if (!bench) return print_error(bench.error(), options.json);
    probe::QueueSettings settings;
    settings.trials = options.trials;
    settings.seconds = options.seconds;
    settings.only = options.only;
    const auto run = [&](const probe::QueueCase& c, probe::Occupancy occupancy, std::uint64_t trials) {
        return (*bench)->run(c.experiment, occupancy, trials);
    };
    auto study = probe::run_queue_study(*cases, run, settings, stop.token());
    if (!study) return print_error(study.error(), options.json);
    if (options.json) return print_document(document_of(options, *study, (*bench)->machine()));
    print_line(probe::queues_markdown(*study));
    return 0;
}

}  // namespace cubinlab::cli
