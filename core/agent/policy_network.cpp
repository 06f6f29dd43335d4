// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/policy_network.h"

#include "core/agent/paper_network.h"
#include "core/agent/pointer_network.h"

namespace cubinlab {

std::shared_ptr<PolicyNetwork> make_network(const NetworkShape& shape, Rng& random) {
    if (shape.kind == NetworkKind::Pointer) return std::make_shared<PointerNetwork>(shape, random);
    return std::make_shared<PaperNetwork>(shape, random);
}

}  // namespace cubinlab
