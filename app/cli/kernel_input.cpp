// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel_input.h"

namespace cubinlab::cli {

KernelWish wish_of(const Common& options) {
    return {options.kernel, options.arch, options.image};
}

Result<KernelChoice> open_kernel(const std::string& file, const Common& options) {
    auto container = Container::open(file);
    if (!container) return fail(container.error());
    return choose_kernel(**container, wish_of(options));
}

Result<KernelChoice> open_image(const std::string& file, const Common& options) {
    auto container = Container::open(file);
    if (!container) return fail(container.error());
    return choose_image(**container, wish_of(options));
}

Result<KernelChoice> open_counterpart(const std::string& file, const KernelChoice& of) {
    auto container = Container::open(file);
    if (!container) return fail(container.error());
    KernelWish wish{of.kernel, {}, {}};
    if ((*container)->images().size() > 1) wish.arch = of.cubin->arch().name();
    return of.kernel.empty() ? choose_image(**container, wish) : choose_kernel(**container, wish);
}

Status check_linked(const Cubin& cubin) {
    if (!cubin.relocatable()) return {};
    return fail(ErrorCode::Unsupported,
                "is relocatable code (-rdc=true), which the device linker has not seen: no driver loads it. "
                "Open the linked "
                "program or library instead",
                cubin.where());
}

}  // namespace cubinlab::cli
