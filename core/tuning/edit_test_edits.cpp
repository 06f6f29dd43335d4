// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of the edit test.
#include <array>
#include <cstring>
#include <string_view>

#include "core/binary/elf_image.h"
#include "core/binary/unpack.h"
#include "core/legality/hazard_checker.h"
#include "core/legality/stall_repair.h"
#include "core/schedule/cubin_writer.h"
#include "core/tuning/edit_test.h"
#include "core/tuning/edit_test_kernels.h"

namespace cubinlab {
namespace {

struct Embedded {
    int sm;
    std::size_t size;       // unpacked, bytes
    std::string_view text;  // base64 of a zstd frame
};
constexpr Embedded kCubins[] = {
#include "core/tuning/edit_test_cubins.inc"
};

std::vector<std::byte> from_base64(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::byte> out;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) continue;  // padding
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push_back(static_cast<std::byte>(bits >> count & 0xff));
    }
    return out;
}

Error unfit(const char* what) {
    return {ErrorCode::Corrupt, std::string("the embedded cubin of the edit test has no ") + what, {}};
}

Result<KernelPtr> test_kernel(const std::shared_ptr<const Cubin>& cubin, const char* name) {
    return Kernel::load(cubin, name);
}

bool is_store(const Instruction& i) {
    return i.memory.writes;
}

// `second` in front of `first`, with the waits of that and the stall counts that it needs.
Result<Schedule> exchanged(const KernelPtr& kernel, InstrId first, InstrId second) {
    auto checker = TRY(HazardChecker::create(kernel));
    const Schedule original(kernel);
    Mutation exchange = Mutation::move_before(second, first);
    ControlCode code = original.control(second);
    code.wait_mask |= original.control(first).wait_mask;
    if (code != original.control(second))
        exchange.edits.push_back(Mutation::control(original, second, code).edits.front());
    const auto mutation = add_required_stalls(*checker, original, exchange);
    if (!mutation) return fail(unfit("legal exchange"));
    return mutation->applied(original);
}

// The words of a schedule, and nothing else of the file changed.
std::vector<std::byte> words_alone(const Schedule& schedule) {
    const Kernel& kernel = *schedule.kernel();
    std::vector<std::byte> out(kernel.cubin().bytes().begin(), kernel.cubin().bytes().end());
    const std::vector<Word> words = schedule.words();
    std::memcpy(out.data() + kernel.info().code_offset, words.data(), words.size() * sizeof(Word));
    return out;
}

}  // namespace

Result<std::shared_ptr<const Cubin>> edit_test_cubin(int sm) {
    for (const Embedded& one : kCubins) {
        if (one.sm != sm) continue;
        auto bytes = TRY(unpack(from_base64(one.text), Packing::Zstd, one.size, 1 << 20));
        return Cubin::parse(std::move(bytes), "edit test");
    }
    return fail(ErrorCode::Unsupported,
                "there is no edit test for sm_" + std::to_string(sm) + "; it is for sm_90, 100, 103 and 120");
}

Result<TestEdit> changed_immediate(const Cubin& cubin, std::uint32_t value) {
    const KernelInfo* const info = TRY(cubin.kernel(edit_test::kStores));
    const std::vector<Word> words = cubin.code(*info);
    std::size_t at = words.size();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].bits(32, 32) == edit_test::kImmediate) at = at == words.size() ? i : words.size() + 1;
    if (at >= words.size()) return fail(unfit("single word with the immediate"));
    TestEdit out{{cubin.bytes().begin(), cubin.bytes().end()}, value};
    std::memcpy(out.cubin.data() + info->code_offset + at * kWordBytes + 4, &value, sizeof value);
    return out;
}

Result<TestEdit> exchanged_stores(const std::shared_ptr<const Cubin>& cubin) {
    auto kernel = TRY(test_kernel(cubin, edit_test::kStores));
    std::vector<InstrId> stores;
    for (InstrId id = 0; id < kernel->size(); ++id)
        if (is_store(kernel->instruction(id))) stores.push_back(id);
    if (stores.size() != 2) return fail(unfit("two stores"));
    const Schedule schedule = TRY(exchanged(kernel, stores[0], stores[1]));
    auto writer = TRY(CubinWriter::create(kernel));
    return TestEdit{writer.image(schedule)};
}

Result<TestEdit> raised_stalls(const std::shared_ptr<const Cubin>& cubin) {
    constexpr std::uint8_t kMore = 8;
    auto kernel = TRY(test_kernel(cubin, edit_test::kChain));
    Schedule schedule(kernel);
    std::uint32_t raised = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        const Instruction& i = kernel->instruction(id);
        ControlCode code = i.control();
        // The chain: the multiply-adds of the loop, which wait for each other.
        if (std::string_view(i.mnemonic) != "IMAD" || i.unit != Unit::Fma || code.stall != 4) continue;
        code.stall += kMore;
        code.yield = true;  // without it the hardware ignores stall counts above 11
        schedule.set_control(id, code);
        ++raised;
    }
    if (raised < edit_test::kChainLength / 2) return fail(unfit("chain"));
    if (!TRY(legality_of(schedule)).empty()) return fail(unfit("legal longer stalls"));
    auto writer = TRY(CubinWriter::create(kernel));
    return TestEdit{writer.image(schedule), 0, raised * kMore * edit_test::kTimedPasses};
}

Result<TestEdit> left_capsule(const std::shared_ptr<const Cubin>& cubin) {
    auto kernel = TRY(test_kernel(cubin, edit_test::kStores));
    const Capsule capsule = Capsule::of(*kernel);
    if (!capsule.follows()) return fail(unfit("capsule of known layout"));
    const Schedule original(kernel);
    for (InstrId id = 0; id + 1 < kernel->size(); ++id) {
        if (is_store(kernel->instruction(id))) continue;
        auto schedule = exchanged(kernel, id, id + 1);
        if (!schedule || capsule.bytes(*schedule) == capsule.bytes(original)) continue;
        return TestEdit{words_alone(*schedule)};
    }
    return fail(unfit("exchange that the capsule would show"));
}

std::vector<std::byte> without_capsule(const Cubin& cubin) {
    constexpr std::size_t kHeaderBytes = 64, kTableAt = 40;
    std::vector<std::byte> out(cubin.bytes().begin(), cubin.bytes().end());
    const auto image = ElfImage::read(cubin.bytes(), cubin.where());
    if (!image) return out;
    const auto table = load<std::uint64_t>(cubin.bytes(), kTableAt);
    for (std::size_t i = 0; i < image->sections.size(); ++i) {
        const std::string_view name = image->sections[i].name;
        if (!name.starts_with(".nv.capmerc") && !name.starts_with(".nv.merc")) continue;
        std::memset(out.data() + table + i * kHeaderBytes, 0, kHeaderBytes);
    }
    return out;
}

}  // namespace cubinlab
