// SPDX-License-Identifier: GPL-3.0-or-later
// The byte stream between client and worker: one preamble line, then frames.
//
//   "CUBINLAB-BENCH 7\n"                    from the worker; the client skips text before it (login banners)
//   "CBF1" | length u32 | hash u64 | CBOR   little-endian; hash = low half of XXH3-128 of the CBOR bytes
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

inline constexpr char kPreambleStart[] = "CUBINLAB-BENCH ";  // then the protocol version
inline constexpr char kPreamble[] = "CUBINLAB-BENCH 7\n";
inline constexpr std::size_t kMaxFrameBytes = 1u << 30;
inline constexpr std::size_t kMaxBannerBytes = 64u << 10;

std::vector<std::byte> encode_frame(const nlohmann::json& message);

// Splits a byte stream into messages. After an error every call returns that error.
class FrameParser {
  public:
    explicit FrameParser(bool expect_preamble) : in_preamble_(expect_preamble) {}
    void feed(std::span<const std::byte> bytes);
    // The next complete message; empty if more bytes are needed. Errors: a malformed stream.
    Result<std::optional<nlohmann::json>> next();
    bool preamble_seen() const { return !in_preamble_; }
    // Bytes of an incomplete frame or banner.
    std::size_t pending() const { return buffer_.size() - start_; }

  private:
    Status skip_banner();
    std::vector<std::byte> buffer_;
    std::size_t start_ = 0;
    std::size_t banner_ = 0;
    bool in_preamble_;
    std::optional<Error> broken_;
};

// Writes all bytes to a descriptor; false if the other end is closed.
bool write_all(int fd, std::span<const std::byte> bytes);

}  // namespace cubinlab
