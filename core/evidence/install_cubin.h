// SPDX-License-Identifier: GPL-3.0-or-later
// A tuned cubin back to where its original lies: a Triton cache entry, a raw (not packed) entry of a fatbin, object
// file, static library, program or shared library, or a cubin file. A reschedule takes the same bytes: equal in length, proven
// against what lies there. A recompiled kernel (recompiled_kernel.h) takes the place of an image that holds that kernel alone:
// of a cubin file whatever its length, of an entry where it is not longer. A kernel with the same instructions under another
// name (an anonymous namespace of a file in another folder) is found too. The file is written next to its place and moved
// there; what it was is kept next to it:
//
//   FILE.cubinlab-original        the file as it was before the first install
//   FILE.cubinlab-installed.json  what was put into it, with hashes of both
//
//   auto done = install_cubin("best.cubin", "program", {.query = {"", "sm_90a", ""}});
//   auto back = undo_install("program", false);
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/binary/kernel_list.h"
#include "core/result/claim_level.h"

namespace cubinlab {

struct InstallOptions {
    KernelQuery query;     // which kernel of the cubin, and which image of the target where several fit
    bool force = false;  // also where the kept original is that of another build
    CodeKind most = CodeKind::Recompiled;  // Hinted: no recompiled code
    bool accept_slower = false;  // also what its stamp calls SLOWER, of the whole or in a shape
};

struct InstalledKernel {
    std::string name;
    std::size_t moved = 0, control_changed = 0;  // against what lay there
};

struct InstallReport {
    std::filesystem::path file;            // that was written: a target that is a link is followed
    std::filesystem::path backup;          // what it was before the first install
    std::string image;                     // which image of it
    CodeKind code = CodeKind::Reschedule;
    std::vector<InstalledKernel> kernels;  // empty: it lay there already, nothing was written
    std::vector<std::string> notes;
};

// Errors: Refused (not proven, too long, or slower by its stamp), Unsupported (packed, view-only architecture), BadUse
// (several images fit, the kept original is of another build), NotFound, Io.
Result<InstallReport> install_cubin(const std::filesystem::path& cubin, const std::filesystem::path& target,
                                    const InstallOptions& options);

// Puts the original back and removes what install kept. Errors: NotFound (nothing was installed), Refused (the file
// has changed since; with `force` the original takes its place all the same).
Result<std::filesystem::path> undo_install(const std::filesystem::path& target, bool force);

}  // namespace cubinlab
