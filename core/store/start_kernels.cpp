// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/start_kernels.h"

#include <fmt/format.h>

#include <utility>

#include "core/store/compress.h"

namespace cubinlab {
namespace {

constexpr std::size_t kRecentStarts = 64;

}  // namespace

Result<std::shared_ptr<const Cubin>> StartKernels::cubin_at(const Hash128& code) const {
    if (code == original_->hash()) return original_->cubin_ptr();
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
    return Cubin::parse(std::move(*bytes), "a start of " + database_->where());
}

Result<KernelPtr> StartKernels::at(const Hash128& code) {
    if (code == original_->hash()) return original_;
    if (const auto found = recent_.find(code); found != recent_.end()) return found->second;
    auto cubin = TRY(cubin_at(code));
    auto kernel = TRY(Kernel::load(cubin, original_->name()));
    if (kernel->hash() != code)
        return fail(ErrorCode::Corrupt, "the stored code of a start does not have the hash stored with it",
                    database_->where());
    if (recent_.size() >= kRecentStarts) recent_.clear();
    recent_.emplace(code, kernel);
    return KernelPtr(kernel);
}

Result<KernelPtr> StartKernels::of_step(RunId run, StepId step) {
    auto row =
        TRY(database_->prepare("SELECT coalesce((SELECT schedule_hash FROM mutations WHERE run = ?1 AND step "
                               "= ?2 AND kind = 'start'), "
                               "(SELECT code FROM runs WHERE id = ?1), '')"));
    TRY(row.bind(run, step));
    TRY(row.step());
    const std::string text = row.text(0);
    if (text.empty()) return original_;
    const auto code = Hash128::from_hex(text);
    return code ? at(*code) : fail(ErrorCode::Corrupt, "the row has no hash", at_step(run, step));
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

namespace {

struct StartRow {
    std::string name;
    std::vector<std::byte> recipe;
    std::optional<Hash128> code;  // empty: it could not be made
    std::string problem;
};
constexpr const char* kRowOfName = "SELECT name, recipe, code, problem FROM starts WHERE run = ? AND name = ?";

// Empty: there is none.
Result<std::optional<StartRow>> row_in(sqlite::Statement& row, const sqlite::Database& database) {
    auto there = TRY(row.step());
    if (!there) return std::optional<StartRow>();
    StartRow out{row.text(0), {}, {}, row.text(3)};
    auto recipe = decompress(row.blob(1));
    if (!recipe) return fail(ErrorCode::Corrupt, "the recipe of a start is damaged", database.where());
    out.recipe = std::move(*recipe);
    if (row.null(2)) return std::optional(std::move(out));
    out.code = Hash128::from_hex(row.text(2));
    if (!out.code) return fail(ErrorCode::Corrupt, "a start holds no hash", database.where());
    return std::optional(std::move(out));
}

Result<std::optional<StartRecord>> record_in(sqlite::Statement& row, const sqlite::Database& database,
                                             StartKernels& kernels) {
    auto found = TRY(row_in(row, database));
    if (!found) return std::optional<StartRecord>();
    StartRecord out{std::move(found->name), std::move(found->recipe), nullptr, std::move(found->problem)};
    if (found->code) out.kernel = TRY(kernels.at(*found->code));
    return std::optional(std::move(out));
}

}  // namespace

Result<std::optional<StoredStart>> read_stored_start(const sqlite::Database& database, const StartKernels& kernels,
                                                     RunId run, std::string_view name) {
    auto row = TRY(database.prepare(kRowOfName));
    TRY(row.bind(run, name));
    auto found = TRY(row_in(row, database));
    if (!found) return std::optional<StoredStart>();
    StoredStart out{std::move(found->name), std::move(found->recipe), nullptr, std::move(found->problem)};
    if (found->code) out.cubin = TRY(kernels.cubin_at(*found->code));
    return std::optional(std::move(out));
}

Result<std::optional<StartRecord>> read_start(const sqlite::Database& database, StartKernels& kernels,
                                              const Hash128& code) {
    auto row = TRY(database.prepare(
        "SELECT name, recipe, code, problem FROM starts WHERE code = ? AND cubin IS NOT NULL LIMIT 1"));
    TRY(row.bind(code.hex()));
    return record_in(row, database, kernels);
}

Result<std::optional<StartRecord>> read_start(const sqlite::Database& database, StartKernels& kernels, RunId run,
                                              std::string_view name) {
    auto row = TRY(database.prepare(kRowOfName));
    TRY(row.bind(run, name));
    return record_in(row, database, kernels);
}

}  // namespace cubinlab
