// SPDX-License-Identifier: GPL-3.0-or-later
// The starts of a session: other compilations of its kernel. Their cubins are stored with the original's as
// dictionary. A step whose mutation is a start has that kernel's code. The row of a run names the code of the start whose
// schedules it searches.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/store/session.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// Reads kernels by the hash of their code. One for a connection.
class StartKernels {
  public:
    // `database` outlives it. `original`: the session's kernel.
    StartKernels(const sqlite::Database& database, KernelPtr original)
        : database_(&database), original_(std::move(original)) {}

    // `kernel` is what at() returns for its code, so that callers can compare pointers.
    void remember(KernelPtr kernel) { recent_.emplace(kernel->hash(), std::move(kernel)); }
    // Errors: NotFound, Corrupt.
    Result<KernelPtr> at(const Hash128& code);
    Result<std::shared_ptr<const Cubin>> cubin_at(const Hash128& code) const;
    // The kernel of a step: of the start that it tries, else the one that its run searches. Step 0: that one.
    Result<KernelPtr> of_step(RunId run, StepId step);

  private:
    const sqlite::Database* database_;
    KernelPtr original_;
    std::map<Hash128, KernelPtr> recent_;
};

Status insert_starts(sqlite::Database& database, RunId run, const Kernel& original,
                     std::span<const StartRecord> starts);
// By its code, in any run.
Result<std::optional<StartRecord>> read_start(const sqlite::Database& database, StartKernels& kernels, const Hash128& code);
// Of a run, by name. Empty: the run has no such start.
Result<std::optional<StoredStart>> read_stored_start(const sqlite::Database& database, const StartKernels& kernels,
                                                     RunId run, std::string_view name);
Result<std::optional<StartRecord>> read_start(const sqlite::Database& database, StartKernels& kernels, RunId run,
                                              std::string_view name);

}  // namespace cubinlab
