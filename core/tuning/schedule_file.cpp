// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/schedule_file.h"

#include "core/binary/kernel_list.h"

namespace cubinlab {

Result<Schedule> read_schedule(const std::filesystem::path& file, const KernelPtr& kernel) {
    auto container = TRY(Container::open(file));
    const bool several = container->images().size() > 1;
    auto choice = choose_kernel(*container, {kernel->name(), several ? kernel->arch().name() : "", {}});
    if (!choice && !several)
        if (auto only = choose_kernel(*container, {})) choice = std::move(only);
    if (!choice) return fail(choice.error());
    auto info = TRY(choice->cubin->kernel(choice->kernel));
    auto schedule = Schedule::match(kernel, choice->cubin->code(*info));
    if (!schedule)
        return fail(ErrorCode::BadUse, "is not a schedule of this kernel: " + schedule.error().message(),
                    file.string());
    return schedule;
}

}  // namespace cubinlab
