// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/binary/code_identity.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

bool module_data_of(const std::string& file) {
    const auto bytes = required(read_file(file));
    return has_module_data(*required(ElfImage::read(*bytes, file)));
}

}  // namespace

TEST_CASE("strings of NVVM are no data of a module, variables and tables of a program are") {
    const std::string samples = CUBINLAB_SAMPLES, data = CUBINLAB_TEST_DATA;
    CHECK_FALSE(module_data_of(samples + "/softmax.cubin"));         // no data
    CHECK_FALSE(module_data_of(samples + "/flash_attn.cubin"));      // _$_str
    CHECK_FALSE(module_data_of(samples + "/rmsnorm.cubin"));         // _$_str, _$_str_$_2
    CHECK(module_data_of(data + "/cubins/k1.90a.cubin"));            // CC, G, tab
    CHECK(module_data_of(data + "/cubins/cub_sum.90.cubin"));        // .nv.global
}
