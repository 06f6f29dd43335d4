// SPDX-License-Identifier: GPL-3.0-or-later
// What is written: the words of the schedule, the attribute entries and relocations that name moved words,
// and not one byte else.
#include "core/schedule/cubin_writer.h"

#include <cstring>

#include "core/binary/eiattr.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

CubinWriter writer_for(const KernelPtr& kernel) {
    auto writer = required(CubinWriter::create(kernel));
    return *writer;
}

using Words = std::vector<std::uint32_t>;

Words attribute(const std::vector<std::byte>& image, const KernelInfo& info, std::uint8_t code) {
    for (const InfoAttribute& a : info.attributes)
        if (a.code == code) return payload_words(image, a);
    return {};
}

Schedule moved(const KernelPtr& kernel, std::uint32_t from, std::uint32_t to) {
    Schedule s(kernel);
    const Status status = Mutation::move_to(s, from / 16, to / 16).apply(s);
    REQUIRE(status);
    return s;
}

// A cubin whose kernel k_cg has REL relocations of `type`, three of them on the words at `targets`. Made from
// the relocations of .debug_frame, which are pointed at the code instead.
std::vector<std::byte> with_relocations(std::vector<std::byte> bytes, const Words& targets,
                                        std::uint32_t type) {
    const auto at64 = [&](std::size_t offset) {
        std::uint64_t v;
        std::memcpy(&v, bytes.data() + offset, 8);
        return v;
    };
    const auto cubin = Cubin::parse(bytes, "x");
    const std::size_t text_offset = (*(*cubin)->kernel("k_cg"))->code_offset;
    const std::size_t table = at64(40);
    std::uint16_t count;
    std::memcpy(&count, bytes.data() + 60, 2);
    std::uint32_t text = 0;
    std::size_t relocations = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::size_t header = table + i * 64;
        std::uint32_t section_type;
        std::memcpy(&section_type, bytes.data() + header + 4, 4);
        if (at64(header + 24) == text_offset && at64(header + 8) == 6) text = i;
        if (section_type == 9 && at64(header + 32) >= 16 * 16) relocations = header;
    }
    REQUIRE(text != 0);
    REQUIRE(relocations != 0);
    std::memcpy(bytes.data() + relocations + 44, &text, 4);
    const std::size_t first = at64(relocations + 24), entries = at64(relocations + 32) / 16;
    for (std::size_t i = 0; i < entries; ++i) {
        const std::uint64_t offset = targets[i % targets.size()], info = std::uint64_t{1} << 32 | type;
        std::memcpy(bytes.data() + first + i * 16, &offset, 8);
        std::memcpy(bytes.data() + first + i * 16 + 8, &info, 8);
    }
    return bytes;
}

}  // namespace

TEST_CASE("the original schedule gives the identical file") {
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        const CubinWriter writer = writer_for(kernel);
        CHECK(writer.patches(Schedule(kernel)).empty());
        const std::vector<std::byte> image = writer.image(Schedule(kernel));
        CHECK(std::equal(image.begin(), image.end(), kernel->cubin().bytes().begin(),
                         kernel->cubin().bytes().end()));
    }
}

TEST_CASE("a random schedule is written, read back and matched, and nothing outside its patches changes") {
    std::mt19937_64 random(29);
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        const CubinWriter writer = writer_for(kernel);
        const Schedule s = random_schedule(kernel, random, 25);
        const std::vector<std::byte> image = writer.image(s);
        const auto base = kernel->cubin().bytes();
        REQUIRE(image.size() == base.size());
        const auto again = required(Cubin::parse(image, "written"));
        const auto info = required((*again)->kernel(kernel->name()));
        CHECK((*again)->code(**info) == s.words());
        std::vector<bool> may_change(base.size(), false);
        for (const BytePatch& p : writer.patches(s))
            for (std::size_t i = 0; i < p.bytes.size(); ++i)
                may_change[p.offset + i] = true;
        for (std::size_t i = 0; i < base.size(); ++i)
            if (!may_change[i]) REQUIRE(image[i] == base[i]);
    }
}

TEST_CASE("entries follow their words: each list names the same words before and after") {
    std::mt19937_64 random(31);
    int followed = 0;
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        const Schedule s = random_schedule(kernel, random, 40);
        const std::vector<std::byte> image = writer_for(kernel).image(s);
        std::vector<std::byte> base(kernel->cubin().bytes().begin(), kernel->cubin().bytes().end());
        for (const std::uint8_t code : {0x1c, 0x28, 0x31, 0x39}) {
            const Words before = attribute(base, kernel->info(), code),
                        after = attribute(image, kernel->info(), code);
            const Words masks_before = attribute(base, kernel->info(), 0x29),
                        masks_after = attribute(image, kernel->info(), 0x29);
            const std::size_t stride = code == 0x39 ? 4 : 1;
            REQUIRE(before.size() == after.size());
            // As sets of (instruction, rest of the record), worked out from the schedule's order.
            std::vector<Words> old_records, new_records;
            for (std::size_t i = 0; i + stride <= before.size(); i += stride) {
                Words old_record(before.begin() + static_cast<std::ptrdiff_t>(i),
                                 before.begin() + static_cast<std::ptrdiff_t>(i + stride));
                Words new_record(after.begin() + static_cast<std::ptrdiff_t>(i),
                                 after.begin() + static_cast<std::ptrdiff_t>(i + stride));
                old_record[0] /= 16;
                REQUIRE(new_record[0] % 16 == 0);
                new_record[0] = s.at(new_record[0] / 16);
                if (code == 0x28) {
                    old_record.push_back(masks_before[i]);
                    new_record.push_back(masks_after[i]);
                }
                if (i > 0) CHECK(after[i] > after[i - stride]);
                old_records.push_back(old_record);
                new_records.push_back(new_record);
                followed += before[i] != after[i];
            }
            std::sort(old_records.begin(), old_records.end());
            std::sort(new_records.begin(), new_records.end());
            CHECK(old_records == new_records);
        }
    }
    CHECK(followed > 20);
}

TEST_CASE("warp-wide and cooperative lists of k_cg, by hand") {
    // sm_90a, k_cg: 0x28 names 2b0 2f0 350 610 760 820 with masks 05000014 05000014 ffffffff ffffffff
    // 05000013 05000013; 0x31 names 3d0 530.
    const KernelPtr kernel = load_kernel(data("k1.90a"), "k_cg");
    const CubinWriter writer = writer_for(kernel);
    // The word at 0x3d0 goes to 0x400: only that entry changes, and the list stays sorted.
    std::vector<std::byte> image = writer.image(moved(kernel, 0x3d0, 0x400));
    CHECK(attribute(image, kernel->info(), 0x31) == Words{0x400, 0x530});
    CHECK(attribute(image, kernel->info(), 0x28) == Words{0x2b0, 0x2f0, 0x350, 0x610, 0x760, 0x820});
    // A word from above to below a named one: the named word moves up by one.
    image = writer.image(moved(kernel, 0x3e0, 0x3d0));
    CHECK(attribute(image, kernel->info(), 0x31) == Words{0x3e0, 0x530});
}

TEST_CASE("parallel lists are sorted together, by hand") {
    // sm_80, k_cg: 0x28 names 260 280 320 3a0 3c0 660 680 750; the masks of 280 and 320 are 05000009 and
    // 05000007.
    const KernelPtr kernel = load_kernel(data("k1.80"), "k_shfl");
    // k_shfl: 0x28 names 100 120 140 160 190 230 250 270 2e0. Give the pair (100, 120) different masks first.
    std::vector<std::byte> bytes(kernel->cubin().bytes().begin(), kernel->cubin().bytes().end());
    for (const InfoAttribute& a : kernel->info().attributes)
        if (a.code == 0x29) {
            const std::uint32_t mask = 0x05000042;
            std::memcpy(bytes.data() + a.payload_offset, &mask, 4);
        }
    const KernelPtr marked = *Kernel::load(*Cubin::parse(bytes, "marked"), "k_shfl");
    const std::vector<std::byte> image = writer_for(marked).image(moved(marked, 0x100, 0x130));
    // The word of 0x100 is now at 0x130; those of 0x110..0x130 came up by one, so 0x120's is at 0x110.
    CHECK(attribute(image, marked->info(), 0x28) ==
          Words{0x110, 0x130, 0x140, 0x160, 0x190, 0x230, 0x250, 0x270, 0x2e0});
    Words masks(9, 0xffffffff);
    masks[1] = 0x05000042;
    CHECK(attribute(image, marked->info(), 0x29) == masks);
}

TEST_CASE("mbarrier records move whole, by hand") {
    // k_tma: records at d0, 390, 4b0; the word at 0xd0 is the init.
    const KernelPtr kernel = load_kernel(data("k3.90a"), "k_tma");
    const std::vector<std::byte> image = writer_for(kernel).image(moved(kernel, 0xd0, 0xb0));
    CHECK(attribute(image, kernel->info(), 0x39) ==
          Words{0xb0, 0xff, 0x4000, 0x60100, 0x390, 0xff, 0x4000, 0x4010a, 0x4b0, 0xff, 0x4000, 0x4010a});
    CHECK(attribute(image, kernel->info(), 0x31) == Words{0x50, 0xd0});  // 0xc0 came down by one
}

TEST_CASE("relocations follow their words") {
    const auto bytes = with_relocations(read_bytes(data("k1.80")), {0x30, 0x50, 0x58}, 56);
    const auto cubin = required(Cubin::parse(bytes, "relocated"));
    const KernelPtr kernel = *Kernel::load(*cubin, "k_cg");
    REQUIRE(kernel->info().relocations.size() >= 3);
    CHECK_FALSE(kernel->pinned(3));
    const std::vector<std::byte> image = writer_for(kernel).image(moved(kernel, 0x30, 0x60));
    const auto again = required(Cubin::parse(image, "written"));
    const auto& after = (**(*again)->kernel("k_cg")).relocations;
    CHECK(after[0].target == 0x60);
    CHECK(after[1].target == 0x40);
    CHECK(after[2].target == 0x48);  // the part of the word is kept
    CHECK(after[0].type == 56);
}

TEST_CASE("relocations that rewrite an instruction, or are not known, pin it") {
    for (const std::uint32_t type : {68u, 69u, 114u}) {
        const auto cubin =
            required(Cubin::parse(with_relocations(read_bytes(data("k1.80")), {0x30}, type), "relocated"));
        const KernelPtr kernel = *Kernel::load(*cubin, "k_cg");
        INFO(type);
        CHECK(kernel->pin_reason(3).find(std::to_string(type)) != std::string::npos);
        CHECK_FALSE(kernel->pinned(4));
    }
}

TEST_CASE("patches are few bytes and apply in any file of the same bytes") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s = moved(kernel, 0x200, 0x230);
    const auto patches = writer_for(kernel).patches(s);
    REQUIRE(patches.size() == 1);
    CHECK(patches[0].offset == 0x700 + 0x200);
    CHECK(patches[0].bytes.size() == 4 * 16);
    CHECK(apply_patches(kernel->cubin().bytes(), patches) == writer_for(kernel).image(s));
}

TEST_CASE("cubins that can only be viewed are not written") {
    const auto writer = CubinWriter::create(load_kernel(data("k1.88"), "k_basic"));
    REQUIRE_FALSE(writer);
    CHECK(writer.error().code == ErrorCode::Unsupported);
}
