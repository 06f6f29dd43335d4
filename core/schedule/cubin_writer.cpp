// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/cubin_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/base/byte_view.h"

namespace cubinlab {
namespace {

// Changed words closer than this are in one patch.
constexpr std::size_t kJoinGap = 2 * kWordBytes;

// Adds the difference between the file and `fresh` (new bytes at `offset`) as one patch, if there is any.
void add_if_changed(std::span<const std::byte> file, std::size_t offset, std::span<const std::byte> fresh,
                    std::vector<BytePatch>& patches) {
    if (std::memcmp(file.data() + offset, fresh.data(), fresh.size()) != 0)
        patches.push_back({offset, {fresh.begin(), fresh.end()}});
}

}  // namespace

CubinWriter::CubinWriter(KernelPtr kernel)
    : kernel_(std::move(kernel)),
      tables_(find_offset_tables(kernel_->cubin().bytes(), kernel_->info())),
      capsule_(Capsule::of(*kernel_)) {}

Result<CubinWriter> CubinWriter::create(KernelPtr kernel) {
    if (!kernel->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} cubins can be viewed but not written: {}", kernel->arch().name(),
                                kernel->arch().why_view_only()),
                    kernel->cubin().where());
    return CubinWriter(std::move(kernel));
}

void CubinWriter::patch_words(const Schedule& schedule, std::vector<BytePatch>& patches) const {
    const std::span<const std::byte> file = kernel_->cubin().bytes();
    const std::size_t base = kernel_->info().code_offset;
    std::size_t open_end = 0;  // file offset after the current patch; 0: none
    for (Position p = 0; p < schedule.size(); ++p) {
        const Word word = schedule.word(p);
        if (word == kernel_->instruction(p).word) continue;
        const std::size_t at = base + p * kWordBytes;
        if (open_end == 0 || at > open_end + kJoinGap) {
            patches.push_back({at, {}});
            open_end = at;
        }
        std::vector<std::byte>& out = patches.back().bytes;
        out.insert(out.end(), file.begin() + static_cast<std::ptrdiff_t>(open_end),
                   file.begin() + static_cast<std::ptrdiff_t>(at));
        const auto* raw = reinterpret_cast<const std::byte*>(&word);
        out.insert(out.end(), raw, raw + kWordBytes);
        open_end = at + kWordBytes;
    }
}

// Updates each record to the new offset of its word. If the table was in ascending order, sorts the records
// together with their partners.
void CubinWriter::patch_table(const OffsetTable& table, const Schedule& schedule,
                              std::vector<BytePatch>& patches) const {
    const std::span<const std::byte> file = kernel_->cubin().bytes();
    struct Record {
        std::uint32_t offset;
        std::size_t source;
    };
    std::vector<Record> records(table.count);
    bool changed = false;
    for (std::size_t i = 0; i < table.count; ++i) {
        const auto old = load<std::uint32_t>(file, table.offset + i * table.stride);
        records[i] = {old, i};
        if (old % kWordBytes != 0 || old / kWordBytes >= schedule.size()) continue;
        records[i].offset = schedule.position_of(old / kWordBytes) * kWordBytes;
        changed |= records[i].offset != old;
    }
    if (!changed) return;
    if (table.ascending)
        std::stable_sort(records.begin(), records.end(),
                         [](const Record& a, const Record& b) { return a.offset < b.offset; });
    std::vector<std::byte> fresh(table.count * table.stride);
    std::vector<std::byte> partner(table.partner_offset != 0 ? table.count * 4 : 0);
    for (std::size_t i = 0; i < table.count; ++i) {
        const std::size_t source = table.offset + records[i].source * table.stride;
        std::memcpy(fresh.data() + i * table.stride, file.data() + source, table.stride);
        std::memcpy(fresh.data() + i * table.stride, &records[i].offset, sizeof records[i].offset);
        if (!partner.empty())
            std::memcpy(partner.data() + i * 4, file.data() + table.partner_offset + records[i].source * 4,
                        4);
    }
    add_if_changed(file, table.offset, fresh, patches);
    if (!partner.empty()) add_if_changed(file, table.partner_offset, partner, patches);
}

void CubinWriter::patch_relocations(const Schedule& schedule, std::vector<BytePatch>& patches) const {
    for (const TextRelocation& r : kernel_->info().relocations) {
        const auto id = static_cast<InstrId>(r.target / kWordBytes);
        const std::uint64_t target =
            std::uint64_t{schedule.position_of(id)} * kWordBytes + r.target % kWordBytes;
        const auto* raw = reinterpret_cast<const std::byte*>(&target);
        add_if_changed(kernel_->cubin().bytes(), r.entry_offset, {raw, sizeof target}, patches);
    }
}

std::vector<BytePatch> CubinWriter::patches(const Schedule& schedule) const {
    assert(schedule.kernel()->hash() == kernel_->hash());
    std::vector<BytePatch> out;
    patch_words(schedule, out);
    for (const OffsetTable& table : tables_)
        patch_table(table, schedule, out);
    patch_relocations(schedule, out);
    if (capsule_.follows())
        add_if_changed(kernel_->cubin().bytes(), capsule_.offset(), capsule_.bytes(schedule), out);
    std::sort(out.begin(), out.end(),
              [](const BytePatch& a, const BytePatch& b) { return a.offset < b.offset; });
    return out;
}

std::vector<std::byte> CubinWriter::image(const Schedule& schedule) const {
    return apply_patches(kernel_->cubin().bytes(), patches(schedule));
}

Result<std::vector<std::byte>> cubin_image(const Schedule& schedule) {
    const std::span<const std::byte> file = schedule.kernel()->cubin().bytes();
    if (schedule.hash() == schedule.kernel()->hash()) return std::vector<std::byte>(file.begin(), file.end());
    auto writer = TRY(CubinWriter::create(schedule.kernel()));
    return writer.image(schedule);
}

std::vector<std::byte> apply_patches(std::span<const std::byte> base, const std::vector<BytePatch>& patches) {
    std::vector<std::byte> out(base.begin(), base.end());
    for (const BytePatch& patch : patches) {
        const bool inside = patch.offset <= out.size() && patch.bytes.size() <= out.size() - patch.offset;
        assert(inside);
        if (inside)
            std::copy(patch.bytes.begin(), patch.bytes.end(),
                      out.begin() + static_cast<std::ptrdiff_t>(patch.offset));
    }
    return out;
}

}  // namespace cubinlab
