// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/log_damage.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <system_error>
#include <vector>

#include "core/base/file.h"
#include "core/store/session_file.h"

namespace cubinlab {
namespace {

constexpr std::size_t kHeader = 32, kFrameHeader = 24;  // bytes
constexpr std::uint32_t kMagic = 0x377f0682;            // and one more where the sums are of big-endian words
constexpr std::uint32_t kLeastPage = 512, kMostPage = 65536;

std::uint32_t big_endian(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

std::uint32_t little_endian(const unsigned char* at) {
    return std::uint32_t{at[3]} << 24 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[1]} << 8 | at[0];
}

// The sums run on from the header over all frames.
struct Sums {
    std::uint32_t first = 0, second = 0;
    void add(const unsigned char* bytes, std::size_t count, bool big) {
        for (std::size_t i = 0; i + 8 <= count; i += 8) {
            first += (big ? big_endian(bytes + i) : little_endian(bytes + i)) + second;
            second += (big ? big_endian(bytes + i + 4) : little_endian(bytes + i + 4)) + first;
        }
    }
    bool are(const unsigned char* stored) const {
        return big_endian(stored) == first && big_endian(stored + 4) == second;
    }
};

struct Log {
    std::ifstream file;
    std::array<unsigned char, kHeader> header{};
    std::uint32_t page = 0;
    bool big = false;
    bool read(unsigned char* into, std::size_t bytes) {
        return static_cast<bool>(
            file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(bytes)));
    }
};

bool same_salts(const unsigned char* frame, const Log& log) {
    return std::equal(frame + 8, frame + 16, log.header.data() + 16);
}

bool is_commit(const unsigned char* frame) {
    return big_endian(frame + 4) != 0;
}

}  // namespace

std::optional<LogDamage> damage_of_log(const std::filesystem::path& path) {
    Log log{std::ifstream(path, std::ios::binary)};
    if (!log.file || !log.read(log.header.data(), kHeader)) return std::nullopt;
    const std::uint32_t magic = big_endian(log.header.data());
    log.page = big_endian(log.header.data() + 8);
    log.big = magic == kMagic + 1;
    const bool known = (magic & ~1u) == kMagic && log.page >= kLeastPage && log.page <= kMostPage;
    if (!known) return std::nullopt;  // nothing of it can be told
    Sums sums;
    sums.add(log.header.data(), 24, log.big);
    bool whole = sums.are(log.header.data() + 24);
    LogDamage damage;
    std::vector<unsigned char> frame(kFrameHeader + log.page);
    for (std::uint64_t at = kHeader; log.read(frame.data(), frame.size()); at += frame.size()) {
        if (whole) {
            sums.add(frame.data(), 8, log.big);
            sums.add(frame.data() + kFrameHeader, log.page, log.big);
            whole = same_salts(frame.data(), log) && sums.are(frame.data() + 16);
            if (whole) continue;
        }
        if (damage.at == 0) damage.at = at;
        if (same_salts(frame.data(), log) && is_commit(frame.data())) ++damage.commits;
    }
    return damage.commits > 0 ? std::optional(damage) : std::nullopt;
}

Status keep_damaged_log(const std::filesystem::path& session) {
    const std::filesystem::path log = wal_of(session);
    const auto damage = damage_of_log(log);
    if (!damage) return {};
    const std::filesystem::path kept = log.string() + ".damaged";
    const auto bytes = TRY(read_file(log));
    if (const auto before = read_file(kept); before && *before == bytes) return {};
    std::error_code error;
    const bool copied = !std::filesystem::exists(kept, error) && std::filesystem::copy_file(log, kept, error);
    return fail(
        ErrorCode::Corrupt,
        fmt::format("its log {} is damaged at byte {}: {} commits behind it cannot be read. {}",
                    log.filename().string(), damage->at, damage->commits,
                    copied ? fmt::format("A copy is kept as {}; asked again, what stands before is read",
                                         kept.filename().string())
                           : fmt::format("Copy it away as {} first; then what stands before is read",
                                         kept.filename().string())),
        session.string());
}

}  // namespace cubinlab
