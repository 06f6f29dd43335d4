// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers from the bytes of a file. No read leaves the bytes, whatever offsets the file has: `load`
// returns zero, and a ByteCursor stops at its end and reports failure.
//
//   const auto version = load<std::uint16_t>(bytes, 8);
//   for (ByteCursor at(table); at.left() >= 24;) { auto target = at.take<std::uint64_t>(); ... }
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace cubinlab {

using Bytes = std::span<const std::byte>;

// Returns the little-endian T at `offset`, or zero if it is not completely inside `bytes`.
template <class T>
T load(Bytes bytes, std::size_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (offset <= bytes.size() && sizeof value <= bytes.size() - offset)
        std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// Returns `size` bytes from `offset`, or nothing if they are not completely inside `bytes`.
inline Bytes part_of(Bytes bytes, std::size_t offset, std::size_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset) return {};
    return bytes.subspan(offset, size);
}

// Reads from front to back. A read that does not fit returns zero, sets failed() and moves to the end.
class ByteCursor {
  public:
    ByteCursor() = default;
    explicit ByteCursor(Bytes bytes) : bytes_(bytes) {}

    std::size_t position() const { return at_; }
    std::size_t left() const { return bytes_.size() - at_; }
    bool done() const { return at_ == bytes_.size(); }
    bool failed() const { return failed_; }
    void go_to(std::size_t position) { at_ = std::min(position, bytes_.size()); }

    template <class T>
    T take() {
        if (left() < sizeof(T)) {
            at_ = bytes_.size();
            failed_ = true;
            return {};
        }
        const T value = load<T>(bytes_, at_);
        at_ += sizeof(T);
        return value;
    }
    // Returns `size` bytes, or nothing and sets failed().
    Bytes take_bytes(std::size_t size) {
        if (left() < size) {
            at_ = bytes_.size();
            failed_ = true;
            return {};
        }
        const Bytes out = bytes_.subspan(at_, size);
        at_ += size;
        return out;
    }
    // Returns a cursor over the next `size` bytes (or fewer at the end) and skips them.
    ByteCursor take_unit(std::size_t size) { return ByteCursor(take_bytes(std::min(size, left()))); }
    // Reads up to the next zero byte, which is skipped, or to the end.
    std::string_view take_text() {
        const auto* first = reinterpret_cast<const char*>(bytes_.data()) + at_;
        const std::size_t room = left();
        const void* zero = room == 0 ? nullptr : std::memchr(first, 0, room);
        const std::size_t size =
            zero ? static_cast<std::size_t>(static_cast<const char*>(zero) - first) : room;
        at_ += zero ? size + 1 : size;
        return room == 0 ? std::string_view() : std::string_view(first, size);
    }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

}  // namespace cubinlab
