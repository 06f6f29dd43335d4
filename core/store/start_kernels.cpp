// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/start_kernels.h"

#include <fmt/format.h>

#include <utility>

#include "core/store/compress.h"

namespace cubinlab {
namespace {

constexpr std::size_t kRecentStarts = 64;
constexpr int kLongestChain = 64;  // of runs, each begun at a step of another

}  // namespace

Result<KernelPtr> StartKernels::at(const Hash128& code) {
    if (code == original_->hash()) return original_;
    if (const auto found = recent_.find(code); found != recent_.end()) return found->second;
    auto row = TRY(database_->prepare(
        "SELECT cubin, cubin_hash FROM starts WHERE code = ? AND cubin IS NOT NULL LIMIT 1"));
    TRY(row.bind(code.hex()));
    auto there = TRY(row.step());
    if (!there)
        return fail(ErrorCode::NotFound, "the session has no start with the code " + code.hex(),
                    database_->where());
    auto bytes = decompress_with(original_->cubin().bytes(), row.blob(0));
    if (!bytes || hash_bytes(*bytes).hex() != row.text(1))
        return fail(ErrorCode::Corrupt, "the stored cubin of a start is damaged", database_->where());
    auto cubin = TRY(Cubin::parse(std::move(*bytes), "a start of " + database_->where()));
    auto kernel = TRY(Kernel::load(cubin, original_->name()));
    if (kernel->hash() != code)
        return fail(ErrorCode::Corrupt, "the stored code of a start does not have the hash stored with it",
                    database_->where());
    if (recent_.size() >= kRecentStarts) recent_.clear();
    recent_.emplace(code, kernel);
    return KernelPtr(kernel);
}

Result<KernelPtr> StartKernels::of_step(RunId run, StepId step) {
    for (int chain = 0; chain < kLongestChain; ++chain) {
        if (run == 0) return original_;
        if (step != 0) {
            auto row = TRY(database_->prepare(
                "SELECT schedule_hash FROM mutations WHERE run = ? AND step = ? AND kind = 'start'"));
            TRY(row.bind(run, step));
            auto there = TRY(row.step());
            if (there) {
                const auto code = Hash128::from_hex(row.text(0));
                return code ? at(*code) : fail(ErrorCode::Corrupt, "the row has no hash", at_step(run, step));
            }
        }
        auto begun = TRY(database_->prepare("SELECT start_run, start_step FROM runs WHERE id = ?"));
        TRY(begun.bind(run));
        auto there = TRY(begun.step());
        if (!there) return original_;
        run = begun.integer(0);
        step = begun.integer(1);
    }
    return fail(ErrorCode::Corrupt, "the runs begin at each other's steps in a circle", database_->where());
}

Result<KernelPtr> StartKernels::of_run(RunId run) {
    return of_step(run, 0);
}

Status insert_starts(sqlite::Database& database, RunId run, const Kernel& original,
                     std::span<const StartRecord> starts) {
    auto known = TRY(database.prepare("SELECT 1 FROM starts WHERE code = ? AND cubin IS NOT NULL"));
    auto insert = TRY(database.prepare(
        "INSERT OR IGNORE INTO starts (run, name, recipe, code, cubin, cubin_hash, problem) VALUES (?,?,?,?,?,?,?)"));
    for (const StartRecord& start : starts) {
        std::optional<std::string> code, cubin_hash;
        std::optional<std::vector<std::byte>> cubin;
        if (start.kernel) {
            const std::span<const std::byte> bytes = start.kernel->cubin().bytes();
            code = start.kernel->hash().hex();
            TRY(known.bind(*code));
            auto stored = TRY(known.step());
            if (!stored && start.kernel->hash() != original.hash()) {
                cubin = compress_with(original.cubin().bytes(), bytes);
                cubin_hash = hash_bytes(bytes).hex();
            }
        }
        TRY(insert.bind(run, start.name, compress(start.recipe), code, cubin, cubin_hash, start.problem));
        TRY(insert.run());
    }
    return {};
}

Result<std::optional<StartRecord>> read_start(const sqlite::Database& database, StartKernels& kernels, RunId run,
                                              std::string_view name) {
    auto row = TRY(database.prepare("SELECT recipe, code, problem FROM starts WHERE run = ? AND name = ?"));
    TRY(row.bind(run, name));
    auto there = TRY(row.step());
    if (!there) return std::optional<StartRecord>();
    StartRecord out{.name = std::string(name), .recipe = {}, .kernel = nullptr, .problem = row.text(2)};
    auto recipe = decompress(row.blob(0));
    if (!recipe) return fail(ErrorCode::Corrupt, "the recipe of a start is damaged", database.where());
    out.recipe = std::move(*recipe);
    if (row.null(1)) return std::optional(std::move(out));
    const auto code = Hash128::from_hex(row.text(1));
    if (!code) return fail(ErrorCode::Corrupt, "a start has no hash", database.where());
    out.kernel = TRY(kernels.at(*code));
    return std::optional(std::move(out));
}

}  // namespace cubinlab
