// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parts/kernel_input.h"

#include "app/cli/base/output.h"
#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/gpu/protocol/workload.h"
#include "core/legality/hazard_checker.h"
#include "core/start/open_device_code.h"

namespace cubinlab::cli {

namespace {

// A captured cubin is a whole image: the workload next to it names the kernel that was launched.
std::string launched_kernel(const std::string& file) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 26;
    const auto text = read_text(default_workload_path(file), kMostBytes);
    if (!text) return {};
    const auto workload = parse_json(*text, JsonComments::Allowed);
    return workload ? json_or(*workload, "kernel", "") : std::string();
}

}  // namespace

KernelQuery query_of(const Common& options) {
    return {options.kernel, options.arch, options.image};
}

namespace {

Result<KernelChoice> chosen_in(const Container& container, const std::string& file, const Common& options) {
    KernelQuery query = query_of(options);
    auto chosen = choose_kernel(container, query);
    if (chosen || !query.kernel.empty()) return chosen;
    query.kernel = launched_kernel(file);
    if (query.kernel.empty()) return chosen;
    auto launched = choose_kernel(container, query);
    return launched ? launched : chosen;
}

}  // namespace

Result<FileKernel> open_file_kernel(const std::string& file, const Common& options, std::stop_token stop) {
    auto container = TRY(open_device_code(file, options.arch, stop));
    auto choice = TRY(chosen_in(*container, file, options));
    return FileKernel{std::move(container), std::move(choice)};
}

Result<KernelChoice> open_kernel(const std::string& file, const Common& options) {
    auto opened = TRY(open_file_kernel(file, options));
    return std::move(opened.choice);
}

Result<KernelChoice> open_image(const std::string& file, const Common& options) {
    auto container = TRY(open_device_code(file, options.arch));
    return choose_image(*container, query_of(options));
}

Result<KernelChoice> open_counterpart(const std::string& file, const KernelChoice& of) {
    auto container = TRY(open_device_code(file, of.cubin->arch().name()));
    KernelQuery query{of.kernel, {}, {}};
    if (container->images().size() > 1) query.arch = of.cubin->arch().name();
    return of.kernel.empty() ? choose_image(*container, query) : choose_kernel(*container, query);
}

Status check_linked(const Cubin& cubin) {
    if (!cubin.relocatable()) return {};
    return fail(ErrorCode::Unsupported,
                "is relocatable code (-rdc=true), which needs the device linker before a driver can load it. "
                "Open the linked program or library instead",
                cubin.where());
}

std::size_t note_self_check(const KernelPtr& original) {
    const auto own = self_check(original);
    if (!own || own->text().empty()) return 0;
    print_progress(printable("note: " + original->name() + ": " + own->text()));
    return own->count;
}

}  // namespace cubinlab::cli
