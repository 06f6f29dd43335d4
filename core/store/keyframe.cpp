// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/keyframe.h"

#include <algorithm>
#include <cassert>

#include "core/store/compress.h"

namespace cubinlab {
namespace {

// Words of the blob: the count, the order, the control codes, and three for each other field.
constexpr std::size_t kPerOverride = 3;

std::size_t words_before_overrides(std::size_t count) {
    return 1 + 2 * count;
}

void put(std::vector<std::byte>& bytes, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::byte>(value >> shift));
}

std::uint32_t get(std::span<const std::byte> bytes, std::size_t index) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value |= std::to_integer<std::uint32_t>(bytes[index * 4 + static_cast<std::size_t>(i)]) << (8 * i);
    return value;
}

}  // namespace

std::vector<std::byte> encode_schedule(const Schedule& schedule) {
    std::vector<std::byte> bytes;
    bytes.reserve(4 + schedule.size() * 8);
    put(bytes, static_cast<std::uint32_t>(schedule.size()));
    for (const InstrId id : schedule.order())
        put(bytes, id);
    for (const ControlCode& control : schedule.controls())
        put(bytes, control.bits());
    for (const auto& [id, word] : schedule.overrides())
        for (const FieldKind* kind : kFieldKinds) {
            const FieldBits bits = schedule.field(*kind, id);
            if (kind == &kControlField || bits == kind->read(schedule.kernel()->instruction(id).word)) continue;
            put(bytes, static_cast<std::uint32_t>(kind->kind));
            put(bytes, id);
            put(bytes, bits);
        }
    return compress(bytes);
}

Result<Schedule> decode_schedule(const KernelPtr& kernel, std::span<const std::byte> blob) {
    const std::size_t count = kernel->size();
    const std::size_t most = kPerOverride * count * (kFieldKinds.size() - 1);
    const std::size_t first = words_before_overrides(count);
    auto bytes = TRY(decompress(blob, 4 * (first + most)));
    if (bytes.size() < 4 * first || (bytes.size() - 4 * first) % (4 * kPerOverride) != 0 ||
        get(bytes, 0) != count)
        return fail(ErrorCode::Corrupt, "a keyframe does not have the kernel's number of instructions");
    Schedule schedule(kernel);
    for (Position position = 0; position < count; ++position) {
        const InstrId id = get(bytes, 1 + position);
        // Placing ids left to right: each must still be unplaced and of the block that owns this position.
        if (id >= count || schedule.position_of(id) < position ||
            kernel->block_of(id) != kernel->flow().block_of[position])
            return fail(ErrorCode::Corrupt, "a keyframe is not a reordering of the kernel");
        if (schedule.position_of(id) != position) schedule.move(id, position);
    }
    for (InstrId id = 0; id < count; ++id)
        schedule.set_field(kControlField, id, get(bytes, 1 + count + id) & kControlField.mask);
    for (std::size_t at = first; at < bytes.size() / 4; at += kPerOverride) {
        const std::uint32_t which = get(bytes, at), id = get(bytes, at + 1), bits = get(bytes, at + 2);
        const auto kind = std::ranges::find_if(
            kFieldKinds, [&](const FieldKind* k) { return static_cast<std::uint32_t>(k->kind) == which; });
        if (kind == kFieldKinds.end() || id >= count || (bits & ~(*kind)->mask) != 0 ||
            !(*kind)->has(kernel->instruction(id).word))
            return fail(ErrorCode::Corrupt, "a keyframe rewrites a field that the kernel does not have");
        schedule.set_field(**kind, id, bits);
    }
    return schedule;
}

std::optional<StepId> KeyframePlanner::add(StepId step, StepId parent) {
    assert(parent >= 0 && parent < step && step >= static_cast<StepId>(nodes_.size()));
    nodes_.resize(static_cast<std::size_t>(step) + 1);  // numbers may be skipped
    const Node above = nodes_[static_cast<std::size_t>(parent)];
    const std::uint32_t depth = above.depth + 1;
    if (depth % kAnchorDepth != 0) {
        nodes_.back() = {depth, above.anchor};
        return std::nullopt;
    }
    nodes_.back() = {depth, static_cast<std::uint32_t>(step)};
    if (!keyframes_.insert(above.anchor).second) return std::nullopt;
    return above.anchor;
}

}  // namespace cubinlab
