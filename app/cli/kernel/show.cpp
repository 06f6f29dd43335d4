// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/explorer.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/file.h"
#include "core/evidence/text_export.h"
#include "core/insight/liveness.h"
#include "core/sass/disassembler.h"

namespace cubinlab::cli {

struct ShowOptions : Common {
    std::string file, format;
    bool builtin = false;
    bool explorer() const { return format == "compiler-explorer"; }
};

namespace {

Listing listing_of(const Cubin& cubin, const KernelInfo& info, bool builtin) {
    DisassemblerSettings settings;
    settings.allow_nvdisasm = !builtin;
    std::optional<std::string> stored;
    if (!builtin)
        if (auto text = read_text(default_listing_path(cubin.where()))) stored = std::move(*text);
    return list_kernel(cubin, info, settings, stored);
}

Json row_of(const Kernel& kernel, const Liveness& live, const Listing& listing, InstrId id) {
    const Instruction& instruction = kernel.instruction(id);
    return {{"offset", id * kWordBytes},
            {"control", instruction.control().text()},
            {"block", kernel.block_of(id)},
            {"live_registers", live.gpr_count[id]},
            {"text", listing.lines[id]},
            {"word", fmt::format("{:016x}{:016x}", instruction.word.hi, instruction.word.lo)},
            {"unit", to_string(instruction.unit)},
            {"pinned", kernel.pin_reason(id)}};
}

int show_undecoded(const ShowOptions& options, const Cubin& cubin, const KernelInfo& info) {
    const Listing listing = listing_of(cubin, info, options.builtin);
    if (options.explorer()) return print_document(explorer_document(cubin, info, nullptr, listing.lines));
    const std::vector<Word> code = cubin.code(info);
    Json rows = Json::array();
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string control = ControlCode::decode(code[i]).text();
        const std::string text = i < listing.lines.size() ? listing.lines[i] : "";
        if (options.json)
            rows.push_back({{"offset", i * kWordBytes}, {"control", control}, {"text", text}});
        else
            print_line(fmt::format("  {:04x}  {}       {}", i * kWordBytes, control, text));
    }
    if (!options.json) return 0;
    return print_document({{"file", options.file},
                           {"kernel", info.name},
                           {"arch", cubin.arch().name()},
                           {"listing", to_string(listing.source)},
                           {"rows", rows}});
}

}  // namespace

Result<int> run_show(const ShowOptions& options) {
    auto input = TRY(open_kernel(options.file, options));
    const std::shared_ptr<const Cubin>& cubin = input.cubin;
    auto info = TRY(cubin->kernel(input.kernel));
    if (!cubin->arch().decodable()) return show_undecoded(options, *cubin, *info);
    auto kernel = TRY(Kernel::load(cubin, info->name));
    const Listing listing = listing_of(*cubin, *info, options.builtin);
    if (options.explorer()) return print_document(explorer_document(*cubin, *info, kernel.get(), listing.lines));
    const Liveness live = compute_liveness(Schedule(kernel));
    if (options.json) {
        Json rows = Json::array();
        for (InstrId id = 0; id < kernel->size(); ++id)
            rows.push_back(row_of(*kernel, live, listing, id));
        return print_document({{"file", options.file},
                               {"kernel", info->name},
                               {"arch", cubin->arch().name()},
                               {"listing", to_string(listing.source)},
                               {"listing_origin", listing.origin},
                               {"peak_live_registers", live.peak},
                               {"rows", rows}});
    }
    print_line(fmt::format("{} ({}), text: {}{}", info->name, cubin->arch().name(), listing.origin,
                           listing.note.empty() ? "" : " (" + listing.note + ")"));
    for (InstrId id = 0; id < kernel->size(); ++id) {
        if (kernel->flow().blocks[kernel->block_of(id)].first == id)
            print_line(block_line(*kernel, kernel->block_of(id)));
        print_line(fmt::format("  {:04x}  {}  {:3d}  {}", id * kWordBytes,
                               kernel->instruction(id).control().text(), live.gpr_count[id],
                               listing.lines[id]));
    }
    return 0;
}

void add_show(CommandTable& table) {
    auto [sub, options] =
        table.add("show", "listing with control codes, blocks and live registers", run_show);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_flag("--built-in", options.builtin, "use the built-in text, no nvdisasm and no stored listing");
    sub->add_option("--format", options.format,
                    "text (the default), or compiler-explorer: JSON that Compiler Explorer and its clients show")
        ->check(one_of({"text", "compiler-explorer"}));
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
