// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker sends and what it is sent. The first byte says whether the rest is a stream of bytes as it
// comes from a pipe, or the CBOR of one message, which then gets a frame with the right hash around it.
#include <cmath>
#include <cstring>

#include "core/base/hash.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/protocol/protocol.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

namespace {

std::vector<std::byte> framed(std::span<const std::byte> body) {
    std::vector<std::byte> out(16 + body.size());
    const auto length = static_cast<std::uint32_t>(body.size());
    const std::uint64_t hash = hash_bytes(body).lo;
    std::memcpy(out.data(), "CBF1", 4);
    std::memcpy(out.data() + 4, &length, 4);
    std::memcpy(out.data() + 8, &hash, 8);
    if (!body.empty()) std::memcpy(out.data() + 16, body.data(), body.size());
    return out;
}

void read_message(const nlohmann::json& message) {
    (void)message.dump();
    (void)type_of(message);
    (void)integer_of(message, "id", 0);
    (void)error_from(message);
    (void)facts_from(message.value("facts", nlohmann::json::object()));
    (void)calibrations_from(message.value("calibrations", nlohmann::json::array()));
    (void)times_from(message.value("times", nlohmann::json::object()));
    (void)comparison_from(message);
    (void)prepare_request_from(message);
    (void)evaluate_request_from(message);
    (void)compare_request_from(message);
    if (const auto outcome = outcome_from(message))
        if (!std::isfinite(outcome->speedup.log) || outcome->cost < 0) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto rest = fuzz::bytes_of(data + 1, size - 1);
    FrameParser parser((data[0] & 2) != 0);
    if ((data[0] & 1) != 0) {
        parser.feed(framed(rest));
    } else {
        for (std::size_t at = 0; at < rest.size(); at += 61)
            parser.feed(rest.subspan(at, std::min<std::size_t>(61, rest.size() - at)));
    }
    while (true) {
        auto message = parser.next();
        if (!message || !*message) return 0;
        read_message(**message);
    }
}
