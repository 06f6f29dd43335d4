// SPDX-License-Identifier: GPL-3.0-or-later
// Any JSON document of ours (stamps, agent settings, machines, evidence) as text, and CBOR: parsed, copied,
// compared, written again.
#include "core/base/bounded_json.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto use = [](const Result<nlohmann::json>& parsed) {
        if (!parsed) return;
        const nlohmann::json copy = *parsed;
        (void)copy.dump();  // a text that is not UTF-8 would throw here
    };
    use(parse_json(fuzz::text_of(data, size)));
    use(parse_json(fuzz::text_of(data, size), JsonComments::Allowed));
    use(parse_cbor(fuzz::bytes_of(data, size)));
    return 0;
}
