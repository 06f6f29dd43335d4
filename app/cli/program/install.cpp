// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab install best.cubin --into TARGET [--undo]`.
#include "core/evidence/install_cubin.h"

#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"

namespace cubinlab::cli {

struct InstallCommandOptions : Common {
    std::string cubin, into;
    bool undo = false, force = false;
    bool only_reschedules = false;
    bool accept_slower = false;  // even if its stored figures say SLOWER
};

namespace {

Result<int> run_undo(const InstallCommandOptions& options) {
    if (!options.cubin.empty()) return fail(ErrorCode::BadUse, "--undo takes only --into", options.cubin);
    auto restored = TRY(undo_install(options.into, options.force));
    if (options.json) return print_document({{"into", options.into}, {"restored", restored.string()}});
    print_line("restored " + restored.string());
    return 0;
}

}  // namespace

Result<int> run_install(const InstallCommandOptions& options) {
    if (options.undo) return run_undo(options);
    if (options.cubin.empty())
        return fail(ErrorCode::BadUse, "needs the tuned cubin: cubinlab install best.cubin --into TARGET");
    auto done = TRY(install_cubin(options.cubin, options.into,
                                  {query_of(options), options.force, most_code(options.only_reschedules),
                                   options.accept_slower}));
    const bool wrote = !done.kernels.empty();
    if (options.json) {
        Json kernels = Json::array();
        for (const InstalledKernel& k : done.kernels)
            kernels.push_back(
                {{"kernel", k.name}, {"moved", k.moved}, {"control_changed", k.control_changed}});
        return print_document({{"cubin", options.cubin},
                               {"into", options.into},
                               {"file", done.file.string()},
                               {"image", done.image},
                               {"recompiled", done.code == CodeKind::Recompiled},
                               {"written", wrote},
                               {"kept", wrote ? done.backup.string() : ""},
                               {"kernels", kernels},
                               {"notes", done.notes}});
    }
    if (!wrote) {
        print_line(done.file.string() + ": already contains this code, nothing was written");
    } else {
        print_line(fmt::format("{}: {}, proven against the original, which is kept in {}", done.file.string(),
                               done.image, done.backup.filename().string()));
        for (const InstalledKernel& k : done.kernels)
            print_line(fmt::format("  {}: {}{} moved, {} control codes changed", k.name,
                                   done.code == CodeKind::Recompiled ? "recompiled, then " : "", k.moved,
                                   k.control_changed));
    }
    for (const std::string& note : done.notes)
        print_line("  note: " + note);
    return 0;
}

void add_install(CommandTable& table) {
    auto [sub, options] =
        table.add("install", "replace the original by a tuned cubin, in place", run_install);
    sub->add_option("CUBIN", options.cubin, "the tuned cubin; not with --undo");
    sub->add_option("--into", options.into,
                    "Triton cache entry, program, library, object file, fatbin or cubin with the original")
        ->required();
    sub->add_flag("--undo", options.undo, "restore the original");
    sub->add_flag("--force", options.force, "even if the kept original is from another build");
    add_only_reschedules(sub, options.only_reschedules);
    sub->add_flag("--accept-slower", options.accept_slower,
                  "even a kernel whose stored figures say SLOWER, in all or in a shape of its workload");
    add_untested_architecture(sub);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
