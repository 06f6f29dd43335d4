// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/host_elf.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

namespace cubinlab {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kSectionHeader = 64;
constexpr std::size_t kSegmentHeader = 56;
constexpr std::size_t kMostSections = 1 << 20;
constexpr std::uint32_t kProgramBits = 1;
constexpr std::uint32_t kLoad = 1, kInterpreter = 3;
constexpr std::uint64_t kExecutable = 4;

std::string_view name_at(Bytes table, std::size_t offset) {
    if (offset >= table.size()) return {};
    ByteCursor at(table.subspan(offset));
    constexpr std::size_t kMost = 256;
    return at.take_text().substr(0, kMost);
}

void read_sections(Bytes bytes, HostElf& out) {
    const auto table = load<std::uint64_t>(bytes, 40);
    const std::size_t size = load<std::uint16_t>(bytes, 58);
    std::size_t count = load<std::uint16_t>(bytes, 60);
    std::size_t names_index = load<std::uint16_t>(bytes, 62);
    if (table == 0 || size != kSectionHeader || part_of(bytes, table, kSectionHeader).empty()) return;
    // With 65,280 sections or more, section 0 has the numbers.
    if (count == 0) count = load<std::uint64_t>(bytes, table + 32);
    if (names_index == 0xffff) names_index = load<std::uint32_t>(bytes, table + 40);
    count = std::min({count, (bytes.size() - table) / kSectionHeader, kMostSections});
    if (names_index >= count) return;
    const std::size_t names_at = table + names_index * kSectionHeader;
    const Bytes names =
        part_of(bytes, load<std::uint64_t>(bytes, names_at + 24), load<std::uint64_t>(bytes, names_at + 32));
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t at = table + i * kSectionHeader;
        if (load<std::uint32_t>(bytes, at + 4) != kProgramBits) continue;
        HostRange range;
        range.offset = load<std::uint64_t>(bytes, at + 24);
        range.size = load<std::uint64_t>(bytes, at + 32);
        const std::string_view name = name_at(names, load<std::uint32_t>(bytes, at));
        range.relocatable = name == "__nv_relfatbin";
        range.device_code = range.relocatable || name == ".nv_fatbin";
        if (!range.device_code && (load<std::uint64_t>(bytes, at + 8) & kExecutable) != 0) continue;
        if (range.offset > bytes.size()) continue;
        // A truncated section is searched up to the end of the file.
        range.size = std::min(range.size, bytes.size() - range.offset);
        range.name = name;
        if (range.size != 0) out.ranges.push_back(std::move(range));
    }
}

void read_segments(Bytes bytes, HostElf& out, bool ranges) {
    const auto table = load<std::uint64_t>(bytes, 32);
    if (load<std::uint16_t>(bytes, 54) != kSegmentHeader || table > bytes.size()) return;
    const std::size_t count =
        std::min<std::size_t>(load<std::uint16_t>(bytes, 56), (bytes.size() - table) / kSegmentHeader);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = table + i * kSegmentHeader;
        const auto type = load<std::uint32_t>(bytes, at);
        if (type == kInterpreter) out.interpreted = true;
        if (type != kLoad || !ranges) continue;
        HostRange range;
        range.offset = load<std::uint64_t>(bytes, at + 8);
        if (range.offset > bytes.size()) continue;
        range.size =
            std::min<std::uint64_t>(load<std::uint64_t>(bytes, at + 32), bytes.size() - range.offset);
        range.name = "loaded segment";
        if (range.size != 0) out.ranges.push_back(std::move(range));
    }
}

// Sections that overlap would be searched and listed more than once.
void drop_overlaps(std::vector<HostRange>& ranges) {
    std::stable_sort(ranges.begin(), ranges.end(), [](const HostRange& a, const HostRange& b) {
        return a.device_code != b.device_code ? a.device_code : a.offset < b.offset;
    });
    std::map<std::size_t, std::size_t> taken;  // start to end
    std::vector<HostRange> kept;
    for (HostRange& range : ranges) {
        const std::size_t end = range.offset + range.size;
        const auto next = taken.lower_bound(range.offset);
        if (next != taken.end() && next->first < end) continue;
        if (next != taken.begin() && std::prev(next)->second > range.offset) continue;
        taken.emplace_hint(next, range.offset, end);
        kept.push_back(std::move(range));
    }
    ranges = std::move(kept);
}

}  // namespace

bool is_elf(Bytes bytes) {
    return bytes.size() >= 64 && load<std::uint32_t>(bytes, 0) == 0x464c457f &&
           load<std::uint8_t>(bytes, 4) == 2 && load<std::uint8_t>(bytes, 5) == 1;
}

std::uint16_t elf_machine(Bytes bytes) {
    return load<std::uint16_t>(bytes, 18);
}

HostElf read_host_elf(Bytes bytes) {
    HostElf out;
    out.type = load<std::uint16_t>(bytes, 16);
    out.machine = elf_machine(bytes);
    read_sections(bytes, out);
    read_segments(bytes, out, out.ranges.empty());
    drop_overlaps(out.ranges);
    return out;
}

}  // namespace cubinlab
