// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/inject/edited_softmax.h"

#include "core/legality/hazard_checker.h"
#include "core/base/file.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/mutation.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

std::vector<std::byte> bytes_of(const std::string& path) {
    auto bytes = read_file(path);
    REQUIRE(bytes);
    return *bytes;
}

std::vector<std::byte> edited_softmax(int change, bool legal) {
    return edited(kSoftmax, "softmax", change, legal);
}

std::vector<std::byte> edited(const std::string& file, const std::string& name, int change, bool legal) {
    auto cubin = Cubin::open(file);
    REQUIRE(cubin);
    auto kernel = Kernel::load(*cubin, name);
    REQUIRE(kernel);
    auto checker = HazardChecker::create(*kernel);
    REQUIRE(checker);
    for (InstrId id = 4; id < (*kernel)->size(); ++id) {
        Schedule schedule(*kernel);
        ControlCode code = schedule.control(id);
        if (code.stall < 2 || code.stall > 10) continue;
        code.stall = static_cast<std::uint8_t>(code.stall + change);
        if (!Mutation::control(schedule, id, code).apply(schedule)) continue;
        if ((*checker)->check(schedule).empty() != legal) continue;
        auto writer = CubinWriter::create(*kernel);
        REQUIRE(writer);
        return writer->image(schedule);
    }
    FAIL("no such edit found");
    return {};
}

}  // namespace cubinlab::test
