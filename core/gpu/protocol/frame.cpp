// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/frame.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/bounded_json.h"
#include "core/base/hash.h"

namespace cubinlab {
namespace {

constexpr char kMagic[4] = {'C', 'B', 'F', '1'};
constexpr std::size_t kHeaderBytes = 16;

template <class T>
void put(std::byte* to, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        to[i] = static_cast<std::byte>(value >> (8 * i));
}

template <class T>
T get(const std::byte* from) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        value |= static_cast<T>(static_cast<T>(from[i]) << (8 * i));
    return value;
}

}  // namespace

std::vector<std::byte> encode_frame(const nlohmann::json& message) {
    const std::vector<std::uint8_t> body = nlohmann::json::to_cbor(message);
    std::vector<std::byte> out(kHeaderBytes + body.size());
    std::memcpy(out.data(), kMagic, sizeof kMagic);
    put(out.data() + 4, static_cast<std::uint32_t>(body.size()));
    put(out.data() + 8, hash_bytes(body.data(), body.size()).lo);
    std::memcpy(out.data() + kHeaderBytes, body.data(), body.size());
    return out;
}

void FrameParser::feed(std::span<const std::byte> bytes) {
    if (start_ > (1u << 20) || start_ == buffer_.size()) {
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(start_));
        start_ = 0;
    }
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

Status FrameParser::skip_banner() {
    static const std::string_view wanted(kPreamble, sizeof kPreamble - 1);
    const std::string_view have(reinterpret_cast<const char*>(buffer_.data()) + start_, pending());
    const std::size_t at = have.find(wanted);
    if (at != std::string_view::npos) {
        start_ += at + wanted.size();
        in_preamble_ = false;
        return {};
    }
    static const std::string_view any(kPreambleStart, sizeof kPreambleStart - 1);
    if (const std::size_t other = have.find(any); other != std::string_view::npos) {
        const std::size_t end = have.find('\n', other);
        if (end == std::string_view::npos && have.size() - other < 64) return {};
        const std::string_view number =
            end == std::string_view::npos ? "?" : have.substr(other + any.size(), end - other - any.size());
        if (number.find_first_not_of("0123456789") == std::string_view::npos)
            return fail(ErrorCode::Worker,
                        fmt::format("the worker speaks protocol {}, this program {}; copy the "
                                    "cubinlab-bench-worker of this version to its machine",
                                    number, std::string_view(kPreamble + any.size(), 1)));
    }
    // Keep the bytes that may be the start of the preamble.
    const std::size_t drop = have.size() > wanted.size() ? have.size() - wanted.size() : 0;
    start_ += drop;
    banner_ += drop;
    if (banner_ > kMaxBannerBytes)
        return fail(ErrorCode::Worker,
                    "the command printed no CubinLab preamble; is it cubinlab-bench-worker?");
    return {};
}

Result<std::optional<nlohmann::json>> FrameParser::next() {
    using Out = std::optional<nlohmann::json>;
    if (broken_) return fail(*broken_);
    auto give_up = [&](std::string what) {
        broken_ = Error{ErrorCode::Worker, std::move(what), "protocol"};
        return fail(*broken_);
    };
    if (in_preamble_) {
        if (auto status = skip_banner(); !status) return give_up(status.error().what);
        if (in_preamble_) return Out{};
    }
    if (pending() == 0) return Out{};
    const std::byte* head = buffer_.data() + start_;
    if (std::memcmp(head, kMagic, std::min(pending(), sizeof kMagic)) != 0)
        return give_up("bytes that are not a frame");
    if (pending() < kHeaderBytes) return Out{};
    const auto length = get<std::uint32_t>(head + 4);
    if (length > kMaxFrameBytes) return give_up(fmt::format("a frame of {} bytes is over the limit", length));
    if (pending() - kHeaderBytes < length) return Out{};
    const std::byte* body = head + kHeaderBytes;
    if (hash_bytes(body, length).lo != get<std::uint64_t>(head + 8))
        return give_up("a frame was damaged on the way (its hash does not match)");
    auto message = parse_cbor({body, length});
    if (!message) return give_up(fmt::format("a frame holds no CBOR of ours: it {}", message.error().what));
    if (!message->is_object()) return give_up("a message is not an object");
    start_ += kHeaderBytes + length;
    return Out{std::move(*message)};
}

bool write_all(int fd, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace cubinlab
