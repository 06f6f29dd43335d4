// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever may hold cubins: fatbins, host programs, archives, PTX text. All images are unpacked, listed and searched.
#include <string>

#include "core/binary/container.h"
#include "core/binary/ptx_choice.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    ContainerLimits limits;
    limits.image_bytes = 4 << 20;
    limits.unpacked_bytes = 32 << 20;
    limits.images = 256;
    limits.members = 256;
    (void)triton_signature(fuzz::text_of(data, size), "k");
    const auto container = Container::read({bytes.begin(), bytes.end()}, "input", limits);
    if (!container) return 0;
    const KernelList list = list_kernels(**container);
    if (list.images.size() != (*container)->images().size()) __builtin_trap();
    std::size_t kernels = 0;
    for (const ImageContents& image : list.images) {
        (void)(*container)->images()[image.image].text();
        kernels += image.kernels.size();
        for (const KernelEntry& k : image.kernels)
            if (short_name(k.demangled).size() > k.demangled.size()) __builtin_trap();
    }
    if (kernels != list.kernels) __builtin_trap();
    (void)choose_kernel(**container, {"k", "sm_75", ""});
    (void)choose_kernel(**container, {"regex:k.*", "", "1"});
    (void)choose_image(**container, {});
    (void)choose_ptx(**container, {});
    return 0;
}
