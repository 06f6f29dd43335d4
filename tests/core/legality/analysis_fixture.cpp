// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/legality/analysis_fixture.h"

#include <algorithm>
#include <filesystem>

#include "app/lab/synthetic_kernel.h"

namespace cubinlab::test {

namespace {

void add_folder(const std::filesystem::path& folder, const std::string& prefix,
                std::vector<NamedKernel>& kernels) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".cubin") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        const std::string path = prefix + file.filename().string();
        const auto cubin = open_cubin(path);
        if (!cubin || !cubin->arch().editable()) continue;
        for (const KernelInfo& info : cubin->kernels())
            kernels.push_back({path, load_kernel(path, info.name)});
    }
}

}  // namespace

std::shared_ptr<const Cubin> open_cubin(const std::string& path) {
    const std::string full = path.starts_with("/") ? CUBINLAB_TEST_DATA + path : CUBINLAB_SAMPLES "/" + path;
    auto cubin = Cubin::open(full);
    INFO(full << (cubin ? "" : ": " + cubin.error().message()));
    REQUIRE(cubin);
    return *cubin;
}

KernelPtr load_kernel(const std::string& path, const std::string& name) {
    auto kernel = Kernel::load(open_cubin(path), name);
    INFO(path << " " << name << (kernel ? "" : ": " + kernel.error().message()));
    REQUIRE(kernel);
    return *kernel;
}

KernelPtr with_unknown_fetches(const KernelPtr& kernel) {
    std::vector<Word> words;
    for (const Instruction& i : kernel->instructions()) {
        constexpr std::uint64_t kNeverSet = 1ull << (80 - 64);
        words.push_back(i.word);
        if (i.unit == Unit::Tex) words.back().hi |= kNeverSet;
    }
    auto changed = required(kernel_with_words(*kernel, words));
    return *changed;
}

std::vector<NamedKernel> sample_kernels() {
    std::vector<NamedKernel> kernels;
    add_folder(CUBINLAB_SAMPLES, "", kernels);
    return kernels;
}

std::vector<NamedKernel> all_kernels() {
    std::vector<NamedKernel> kernels = sample_kernels();
    add_folder(CUBINLAB_TEST_DATA "/cubins", "/cubins/", kernels);
    return kernels;
}

Schedule with_stall(Schedule schedule, InstrId id, int stall) {
    ControlCode code = schedule.control(id);
    code.stall = static_cast<std::uint8_t>(stall);
    schedule.set_control(id, code);
    return schedule;
}

bool has_rule(const Legality& legality, Rule rule) {
    return std::any_of(legality.begin(), legality.end(), [&](const Hazard& h) { return h.rule == rule; });
}

bool has_rule(const Legality& legality, Rule rule, InstrId earlier, InstrId later) {
    return std::any_of(legality.begin(), legality.end(), [&](const Hazard& h) {
        return h.rule == rule && h.earlier == earlier && h.later == later;
    });
}

std::string describe(const Legality& legality) {
    std::string text;
    for (const Hazard& h : legality)
        text += std::string(to_string(h.rule)) + ": " + h.explanation + "\n";
    return text;
}

void expect_a_mutation_like_any_other(const Schedule& before, const Mutation& mutation) {
    const auto after = required(mutation.applied(before));
    const auto back = required(mutation.inverse(before));
    CHECK(*back->applied(*after) == before);
    const auto decoded = required(Mutation::decode(mutation.encode()));
    CHECK(*decoded == mutation);
}

Mutation random_mutation(const Schedule& schedule, std::mt19937& random) {
    const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    const InstrId id = pick(schedule.size());
    const Block& block = schedule.kernel()->flow().blocks[schedule.kernel()->block_of(id)];
    if (pick(2) == 0 && block.count > 1) {
        const int reach = pick(3) == 0 ? 60 : 4;
        const int from = static_cast<int>(schedule.position_of(id));
        const int to =
            std::clamp(from + static_cast<int>(pick(static_cast<std::size_t>(2 * reach + 1))) - reach,
                       static_cast<int>(block.first), static_cast<int>(block.end()) - 1);
        if (to != from) return Mutation::move_to(schedule, id, static_cast<Position>(to));
    }
    ControlCode code = schedule.control(id);
    switch (pick(7)) {
        case 0:
        case 1:
            code.stall =
                static_cast<std::uint8_t>(std::clamp(code.stall + static_cast<int>(pick(7)) - 3, 0, 15));
            break;
        case 2:
            code.yield = !code.yield;
            break;
        case 3:
            code.wait_mask = static_cast<std::uint8_t>(code.wait_mask ^ (1u << pick(6)));
            break;
        case 4:
            code.write_barrier = static_cast<std::uint8_t>(pick(4) == 0 ? 7 : pick(6));
            break;
        case 5:
            code.read_barrier = static_cast<std::uint8_t>(pick(4) == 0 ? 7 : pick(6));
            break;
        default:
            code.reuse = static_cast<std::uint8_t>(code.reuse ^ (1u << pick(3)));
            break;
    }
    Mutation mutation = Mutation::control(schedule, id, code);
    if (pick(4) != 0 || block.count < 2) return mutation;
    // Sometimes two edits of one block together.
    const InstrId other = block.first + pick(block.count);
    const Position to = block.first + pick(block.count);
    if (to != schedule.position_of(other))
        mutation.edits.push_back(Mutation::move_to(schedule, other, to).edits.front());
    return mutation;
}

}  // namespace cubinlab::test
