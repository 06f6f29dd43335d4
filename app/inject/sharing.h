// SPDX-License-Identifier: GPL-3.0-or-later
// Shares variables between two loads of an image. --ab loads the tuned image and the original, and both must
// use the same variables. The second copy is edited before its load: the table of addresses of `__device__`
// and `__managed__` variables (.nv.constant4) receives those of the first load, and loses its relocations.
// `__constant__` variables have no address but a bank in each load; their bytes are copied before a launch.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/inject/driver.h"
#include "core/base/byte_view.h"

namespace cubinlab::inject {

struct SharedImage {
    std::vector<std::byte> image;        // to load; empty: it cannot share, see why_not
    std::vector<std::string> constants;  // names of `__constant__` variables
    std::string why_not;
};

// The address of a variable of the first load; empty: the driver does not know it.
using AddressOf = std::function<std::optional<Address>(const std::string& name)>;

SharedImage share_variables(Bytes elf, const AddressOf& address_of);

}  // namespace cubinlab::inject
