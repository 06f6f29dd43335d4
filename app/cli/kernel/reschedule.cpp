// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab reschedule`: reorders one block, or the hottest, by the model; `--tighten`: only stall counts.
#include "core/search/moves/reschedule.h"

#include <fmt/format.h>

#include <numeric>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/insight/schedule_diff.h"
#include "core/model/hot_loop.h"
#include "core/model/trip_counts.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::cli {

struct RescheduleOptions : Common {
    std::string file, block, out;
    bool tighten = false, force = false;
};

namespace {

// The block at a byte offset; without an offset the largest of the hot loop, as in `explain` and the window,
// or all blocks for --tighten.
Result<std::vector<BlockId>> blocks_of(const RescheduleOptions& options, const Kernel& kernel,
                                       const SmModelSettings& model) {
    const std::vector<Block>& blocks = kernel.flow().blocks;
    if (!options.block.empty()) {
        std::string_view digits = options.block;
        if (digits.starts_with("0x")) digits.remove_prefix(2);
        const auto offset = parse_number<std::size_t>(digits, 16);
        if (!offset || *offset % kWordBytes != 0 || *offset / kWordBytes >= kernel.size())
            return fail(ErrorCode::BadUse,
                        fmt::format("'{}' is not a byte offset of this kernel (0x0 to {:#x})", options.block,
                                    (kernel.size() - 1) * kWordBytes),
                        "--block");
        return std::vector{kernel.block_of(static_cast<InstrId>(*offset / kWordBytes))};
    }
    if (!options.tighten) {
        return std::vector{hot_block(kernel, trips_by_header(kernel, model.trips))};
    }
    std::vector<BlockId> all(blocks.size());
    std::iota(all.begin(), all.end(), BlockId{0});
    return all;
}

}  // namespace

Result<int> run_reschedule(const RescheduleOptions& options) {
    StopOnSignal stop;
    auto input = TRY(open_kernel(options.file, options));
    auto kernel = TRY(Kernel::load(input.cubin, input.kernel));
    OutputFile file{options.out, {options.file}, {}, options.force};
    file.bytes = input.cubin->bytes().size() + 4096;
    std::string replaced;
    if (!options.out.empty()) {
        replaced = TRY(check_cubin_output(file, kernel->hash()));
    }
    auto checker = TRY(HazardChecker::create(kernel));
    auto found = find_workload(*kernel, {});
    const std::optional<Workload> workload = found ? *found : std::nullopt;
    const SmModelSettings model = model_settings(*kernel, workload);
    auto blocks = TRY(blocks_of(options, *kernel, model));
    const Schedule start(kernel);
    if (blocks.empty()) return fail(ErrorCode::Refused, "the kernel has no block to reorder", options.file);
    auto made =
        TRY(options.tighten ? tighten_blocks(*checker, start, blocks)
                            : reschedule_block(*checker, start, blocks.front(), model, {}, stop.token()));
    const std::size_t own = note_self_check(kernel);
    const Mutation changes = difference(start, made.schedule);
    const ScheduleDiff diff = diff_schedules(start, made.schedule);
    const bool one = !options.tighten || !options.block.empty();
    const std::size_t at = kernel->flow().blocks[blocks.front()].first * kWordBytes;
    std::string stamp;
    if (!options.out.empty()) {
        auto report = TRY(export_cubin(made.schedule, options.out, Claim()));
        stamp = report.stamp;
    }
    if (options.json)
        return print_document({{"file", options.file},
                               {"kernel", kernel->name()},
                               {"block", one ? Json(at) : Json(nullptr)},
                               {"edits", changes.edits.size()},
                               {"mutation", changes.encode()},
                               {"stall_cycles_before", diff.stall_cycles_left},
                               {"stall_cycles_after", diff.stall_cycles_right},
                               {"block_cycles_before", made.cycles_before},
                               {"block_cycles_after", made.cycles_after},
                               {"modelled_cycles_before", made.model_before},
                               {"modelled_cycles_after", made.model_after},
                               {"orders", made.orders},
                               {"legal", made.legal},
                               {"original_findings", own},
                               {"out", options.out},
                               {"replaced", replaced},
                               {"stamp", stamp}});
    print_line(fmt::format(
        "{}{}: {}; stall cycles {} -> {}", kernel->name(), one ? fmt::format(", block at 0x{:04x}", at) : "",
        number_of(changes.edits.size(), "edit"), diff.stall_cycles_left, diff.stall_cycles_right));
    if (!options.tighten)
        print_line(fmt::format(
            "{} of {} orders are legal; the kernel's modelled cycles {:.0f} -> {:.0f}: no measurement",
            made.legal, made.orders, made.model_before, made.model_after));
    if (!options.out.empty()) print_line(wrote_text(options.out, replaced) + ": " + stamp);
    return 0;
}

void add_reschedule(CommandTable& table) {
    auto [sub, options] = table.add(
        "reschedule", "reorder one block by the model, or only minimise its stall counts", run_reschedule);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--block", options.block,
                    "block at this byte offset; default: largest of the hot loop, with --tighten all");
    sub->add_flag("--tighten", options.tighten,
                  "keep the order, and lower every stall count as far as is legal");
    sub->add_option("--out", options.out, "write the schedule here");
    add_force(sub, options.force);
    add_untested_architecture(sub);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
