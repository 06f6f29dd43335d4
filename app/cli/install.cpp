// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab install best.cubin --into TARGET [--undo]`.
#include "core/claims/install_cubin.h"

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/kernel_input.h"
#include "app/cli/output.h"

namespace cubinlab::cli {
namespace {

int run_undo(const InstallCommandOptions& options) {
    if (!options.cubin.empty())
        return print_error({ErrorCode::BadUse, "--undo needs only --into", options.cubin}, options.json);
    auto restored = undo_install(options.into, options.force);
    if (!restored) return print_error(restored.error(), options.json);
    if (options.json) return print_document({{"into", options.into}, {"restored", restored->string()}});
    print_line("restored " + restored->string());
    return 0;
}

}  // namespace

int run_install(const InstallCommandOptions& options) {
    if (options.undo) return run_undo(options);
    if (options.cubin.empty())
        return print_error(
            {ErrorCode::BadUse, "needs the tuned cubin: cubinlab install best.cubin --into TARGET", {}},
            options.json);
    auto done = install_cubin(options.cubin, options.into, {wish_of(options), options.force});
    if (!done) return print_error(done.error(), options.json);
    const bool wrote = !done->kernels.empty();
    if (options.json) {
        Json kernels = Json::array();
        for (const InstalledKernel& k : done->kernels)
            kernels.push_back(
                {{"kernel", k.name}, {"moved", k.moved}, {"control_changed", k.control_changed}});
        return print_document({{"cubin", options.cubin},
                               {"into", options.into},
                               {"file", done->file.string()},
                               {"image", done->image},
                               {"written", wrote},
                               {"kept", wrote ? done->backup.string() : ""},
                               {"kernels", kernels},
                               {"notes", done->notes}});
    }
    if (!wrote) {
        print_line(done->file.string() + ": holds this schedule already, nothing was written");
    } else {
        print_line(fmt::format("{}: {}, proven against what lay there; the original is kept in {}",
                               done->file.string(), done->image, done->backup.filename().string()));
        for (const InstalledKernel& k : done->kernels)
            print_line(
                fmt::format("  {}: {} moved, {} control codes changed", k.name, k.moved, k.control_changed));
    }
    for (const std::string& note : done->notes)
        print_line("  note: " + note);
    return 0;
}

}  // namespace cubinlab::cli
