// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/inject/edited_softmax.h"

#include "core/base/file.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/mutation.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

std::vector<std::byte> bytes_of(const std::string& path) {
    auto bytes = required(read_file(path));
    return *bytes;
}

std::vector<std::byte> edited_softmax(int change, bool legal) {
    return edited(kSoftmax, "softmax", change, legal);
}

std::vector<std::byte> edited(const std::string& file, const std::string& name, int change, bool legal) {
    auto cubin = required(Cubin::open(file));
    auto kernel = required(Kernel::load(*cubin, name));
    auto checker = required(HazardChecker::create(*kernel));
    for (InstrId id = 4; id < (*kernel)->size(); ++id) {
        Schedule schedule(*kernel);
        ControlCode code = schedule.control(id);
        if (code.stall < 2 || code.stall > 10) continue;
        code.stall = static_cast<std::uint8_t>(code.stall + change);
        if (!Mutation::control(schedule, id, code).apply(schedule)) continue;
        if ((*checker)->check(schedule).empty() != legal) continue;
        auto writer = required(CubinWriter::create(*kernel));
        return writer->image(schedule);
    }
    FAIL("no such edit found");
    return {};
}

}  // namespace cubinlab::test
