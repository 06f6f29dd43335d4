// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/open_kernel.h"

#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/binary/kernel_label.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::ui {
namespace {

Result<OpenKernel> kernel_with_workload(const std::shared_ptr<const Cubin>& cubin, const std::string& name,
                                        std::stop_token stop) {
    auto kernel = TRY(Kernel::load(cubin, name));
    OpenKernel out = describe_kernel(kernel, cubin->where(), {}, stop);
    if (auto workload = find_workload(*kernel, {}))
        out.workload = std::move(*workload);
    else
        out.workload_problem = QString::fromStdString(workload.error().message());
    return out;
}

}  // namespace

KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop) {
    KernelChoices out{std::move(container), {}, {}, std::move(wish)};
    out.list = list_kernels(*out.container, stop);
    std::vector<std::string> names;
    for (const ImageContents& image : out.list.images)
        for (const KernelEntry& k : image.kernels)
            names.push_back(k.demangled);
    out.labels = kernel_labels(names);
    return out;
}

OpenKernel describe_kernel(KernelPtr kernel, const std::filesystem::path& path,
                           std::optional<std::string> stored, std::stop_token stop) {
    DisassemblerSettings quick;
    quick.allow_nvdisasm = false;  // it takes seconds; the document asks for it once the kernel is shown
    if (!stored)
        if (auto found = read_text(default_listing_path(path))) stored = std::move(*found);
    OpenKernel out;
    out.path = path;
    out.stored_listing = stored;
    out.listing = list_kernel(kernel->cubin(), kernel->info(), quick, std::move(stored), stop);
    out.original = std::make_shared<const Schedule>(kernel);
    out.unchanged = std::make_shared<const ScheduleDiff>(diff_schedules(*out.original, *out.original));
    out.kernel = std::move(kernel);
    return out;
}

Result<KernelOrChoices> open_kernel_of(const std::filesystem::path& path, const KernelQuery& wish,
                                       std::stop_token stop) {
    KernelOrChoices out;
    auto container = TRY(Container::open(path));
    const std::vector<Image>& images = container->images();
    const bool plain =
        images.size() == 1 && images.front().kind == ImageKind::Elf && !images.front().in_fatbin;
    if (plain && wish.kernel.empty()) {
        auto cubin = TRY(container->cubin(images.front()));
        const std::vector<KernelInfo>& all = cubin->kernels();
        const auto largest = std::max_element(
            all.begin(), all.end(),
            [](const KernelInfo& a, const KernelInfo& b) { return a.code_size < b.code_size; });
        out.kernel = TRY(kernel_with_workload(cubin, largest->name, stop));
        return out;
    }
    auto choice = choose_kernel(*container, wish, stop);
    if (choice) {
        out.kernel = TRY(kernel_with_workload(choice->cubin, choice->kernel, stop));
        if (images.size() > 1 && images[choice->image].file == container->where())
            out.kernel->image = QString::number(choice->image + 1);
        return out;
    }
    if (choice.error().code != ErrorCode::BadUse) return fail(choice.error());
    out.choices = std::make_shared<KernelChoices>(choices_of(container, wish.kernel, stop));
    return out;
}

}  // namespace cubinlab::ui
