// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab extract FILE --kernel K --out k.cubin`: writes one unpacked image, as the driver gets it.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/file.h"
#include "core/base/output_file.h"
#include "core/binary/ptx_choice.h"

namespace cubinlab::cli {

struct ExtractOptions : Common {
    std::string file, out;
    bool ptx = false, force = false;
};

namespace {

struct Taken {
    std::vector<std::byte> bytes;
    std::size_t image = 0;
    std::string arch, kernel, note;
};

Result<Taken> take_cubin(const Container& container, const ExtractOptions& options) {
    auto choice = TRY(choose_image(container, query_of(options)));
    const auto bytes = choice.cubin->bytes();
    Taken out{{bytes.begin(), bytes.end()}, choice.image, choice.cubin->arch().name(), choice.kernel, {}};
    // Without its fatbin entry, a cubin may state a less specific architecture.
    if (auto alone = Cubin::parse(out.bytes, {}); alone && !((*alone)->arch() == choice.cubin->arch()))
        out.note =
            fmt::format("the entry says {}, the file alone says {}", out.arch, (*alone)->arch().name());
    if (choice.cubin->relocatable()) out.note = "relocatable: to be linked before it runs";
    return out;
}

Result<Taken> take_ptx(const Container& container, const ExtractOptions& options) {
    auto choice = TRY(choose_ptx(container, query_of(options)));
    const auto text = std::as_bytes(std::span(choice.text));
    const Image& image = container.images()[choice.image];
    return Taken{
        {text.begin(), text.end()}, choice.image, image.arch ? image.arch->name() : "", choice.kernel, {}};
}

}  // namespace

Result<int> run_extract(const ExtractOptions& options) {
    auto container = TRY(Container::open(options.file));
    auto taken = TRY(options.ptx ? take_ptx(*container, options) : take_cubin(*container, options));
    const Image& image = container->images()[taken.image];
    auto free = TRY(check_output(
        {options.out, {options.file, image.file}, {}, options.force, taken.bytes.size() + 4096}));
    TRY(write_file(options.out, taken.bytes));
    if (options.json)
        return print_document({{"file", options.file},
                               {"image", taken.image + 1},
                               {"arch", taken.arch},
                               {"kernel", taken.kernel},
                               {"bytes", taken.bytes.size()},
                               {"out", options.out},
                               {"replaced", free},
                               {"note", taken.note}});
    print_line(wrote_text(options.out, free) + ": " + image.text());
    if (!taken.note.empty()) print_line("  note: " + taken.note);
    return 0;
}

void add_extract(CommandTable& table) {
    auto [sub, options] = table.add(
        "extract", "extract one cubin, or its PTX, from a program, library, fatbin or cache", run_extract);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--out", options.out, "file to write")->required();
    sub->add_flag("--ptx", options.ptx, "the PTX that contains the kernel, instead of its cubin");
    add_force(sub, options.force);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
