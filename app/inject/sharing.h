// SPDX-License-Identifier: GPL-3.0-or-later
// With --ab an image is loaded twice, the tuned one and the original, and both must see the same variables. The second
// copy is made before it is loaded: the table that holds the addresses of `__device__` and `__managed__` variables
// (.nv.constant4) gets those of the first load written in, and its relocations are taken out. `__constant__` variables
// are not reached by address but lie in a bank of each load; their bytes are copied over before each timed launch.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/inject/driver.h"
#include "core/base/byte_view.h"

namespace cubinlab::inject {

struct SharedImage {
    std::vector<std::byte> image;        // to load; empty: it cannot share, and why_not says why
    std::vector<std::string> constants;  // names of `__constant__` variables
    std::string why_not;
};

// Where a variable of the first load lies; none: the driver does not know it.
using AddressOf = std::function<std::optional<Address>(const std::string& name)>;

SharedImage share_variables(Bytes elf, const AddressOf& address_of);

}  // namespace cubinlab::inject
