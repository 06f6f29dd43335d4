// SPDX-License-Identifier: GPL-3.0-or-later
// Containers that the tests write themselves: what goes in comes out, whatever is packed around it; and damage never
// reads outside.
#include <random>

#include "core/binary/container.h"
#include "core/binary/kernel_list.h"
#include "core/binary/unpack.h"
#include "tests/core/binary/container_writer.h"
#include "tests/core/binary/test_images.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Buffer wrapped(int how, const Buffer& fat) {
    switch (how) {
        case 0:
            return fat;
        case 1:
            return host_elf({{".text", Buffer(320), 6}, {".nv_fatbin", fat}, {".data", Buffer(40), 3}});
        case 2:
            return host_elf({{".rodata", Buffer(24)}, {".nv_fatbin", fat}}, false);
        case 3:
            return archive({{"readme", Buffer(3)}, {"k.o", host_elf({{".nv_fatbin", fat}}, true, 1)}});
        default:
            return host_elf({{"__nv_relfatbin", fat}}, true, 2);
    }
}

}  // namespace

TEST_CASE("images come out of any container as they went in") {
    std::mt19937 random(7);
    const std::vector<Buffer> images = {softmax(), bmm_for("sm_80"), Buffer(24, std::byte{9}), Buffer()};
    const std::uint64_t packings[] = {0x11, 0x2011, 0x8011, 0x108011, 0x200011};
    for (int round = 0; round < 200; ++round) {
        std::vector<FatEntry> first(random() % 4 + 1), second(random() % 3);
        for (auto* entries : {&first, &second})
            for (FatEntry& e : *entries) {
                e.image = images[random() % images.size()];
                e.flags = packings[random() % std::size(packings)];
                if (e.image.empty()) e.flags = 0x11;
                e.kind = static_cast<std::uint16_t>(random() % 5 == 0 ? 1 : 2);
                if (random() % 2 == 0) e.name = "some/file_" + std::to_string(random() % 1000) + ".cu";
                if (random() % 2 == 0) e.options = "-O3 --maxrregcount 64";
            }
        Buffer fat = fatbin(first);
        append(fat, fatbin(second));
        auto container = required(Container::read(wrapped(round % 5, fat), "synthetic"));
        first.insert(first.end(), second.begin(), second.end());
        REQUIRE((*container)->images().size() == first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            const Image& image = (*container)->images()[i];
            auto bytes = required((*container)->bytes(image));
            // Raw images are padded to eight bytes.
            REQUIRE(bytes->size() - first[i].image.size() < 8);
            CHECK(std::equal(first[i].image.begin(), first[i].image.end(), bytes->begin()));
            CHECK(image.source == first[i].name);
            CHECK(image.options == first[i].options);
            CHECK(image.arch->accelerated == ((first[i].flags & 0x100000) != 0));
            CHECK(image.arch->family == ((first[i].flags & 0x200000) != 0));
            CHECK(image.device_linked_from == (round % 5 == 4));
        }
    }
}

TEST_CASE("the entry tells sm_90a from sm_90, and the code tells its number") {
    // The sample was assembled for sm_90; another entry may claim the a for the same bytes.
    const Buffer code = bytes_of(CUBINLAB_SAMPLES "/bmm_mma.cubin");
    auto container = required(Container::read(fatbin({{.flags = 0x11, .image = code},
                                                      {.flags = 0x100011, .image = code},
                                                      {.arch = 100, .flags = 0x200011, .image = code}}),
                                              "three.fatbin"));
    const KernelList list = list_kernels(**container);
    REQUIRE(list.images.size() == 3);
    CHECK(list.images[0].arch->name() == "sm_90");
    CHECK(list.images[1].arch->name() == "sm_90a");
    CHECK(list.images[2].arch->name() == "sm_90");
}

TEST_CASE("a cubin that a program carries as data is found, and one inside a fatbin only once") {
    auto container = required(Container::read(
        host_elf({{".rodata", softmax()}, {".nv_fatbin", fatbin({{.image = softmax()}})}}), "embedded"));
    CHECK((*container)->images().size() == 2);
    CHECK(list_kernels(**container).kernels == 2);
    auto data = required(Container::read(host_elf({{".data", fatbin({{.image = softmax()}})}}), "in data"));
    CHECK((*data)->images().size() == 1);
}

TEST_CASE("a container that is truncated gives its whole entries and says so") {
    const Buffer whole = fatbin({{.image = softmax()}, {.image = bmm_for("sm_80")}});
    const Buffer cut(whole.begin(), whole.end() - 100);
    auto container = required(Container::read(cut, "cut.fatbin"));
    CHECK((*container)->images().size() == 1);
    REQUIRE((*container)->notes().size() == 1);
    CHECK_THAT((*container)->notes()[0], contains_text("truncated"));
}

TEST_CASE("what claims to unpack to more than it can is refused before room is made for it") {
    Buffer bomb = fatbin({{.flags = 0x8011, .image = Buffer(1000)}});
    put<std::uint64_t>(bomb, 16 + 56, std::uint64_t{1} << 40);
    auto container = required(Container::read(bomb, "bomb"));
    auto bytes = (*container)->bytes((*container)->images().front());
    REQUIRE_FALSE(bytes);
    CHECK_THAT(bytes.error().message(), contains_text("more than"));
    const Buffer small = packed(Buffer(64), 0x2000);
    CHECK_FALSE(unpack(small, Packing::Lz4, 1 << 30, std::size_t{1} << 31));
    // All images of a container share one budget.
    ContainerLimits limits;
    limits.unpacked_bytes = 1500;
    auto two = required(Container::read(
        fatbin({{.flags = 0x8011, .image = Buffer(1000)}, {.flags = 0x8011, .image = Buffer(1000)}}), "two",
        limits));
    CHECK((*two)->bytes((*two)->images()[0]));
    CHECK_FALSE((*two)->bytes((*two)->images()[1]));
}

TEST_CASE("damaged bytes are damaged images, not crashes") {
    std::mt19937 random(11);
    std::vector<Buffer> files;
    for (int how = 0; how < 5; ++how)
        files.push_back(wrapped(how, fatbin({{.flags = 0x8011, .image = bmm_for("sm_80")},
                                             {.flags = 0x2011, .image = bmm_for("sm_86"), .name = "k.cu"},
                                             {.image = bmm_for("sm_89"), .options = "-g"}})));
    ContainerLimits limits;
    limits.image_bytes = 1 << 20;
    limits.unpacked_bytes = 4 << 20;
    for (int round = 0; round < 3000; ++round) {
        Buffer file = files[static_cast<std::size_t>(round) % files.size()];
        const std::size_t near = round % 2 == 0 ? file.size() : std::min<std::size_t>(file.size(), 400);
        for (unsigned n = random() % 8 + 1; n > 0; --n)
            file[random() % near] = static_cast<std::byte>(random());
        if (random() % 4 == 0) file.resize(random() % file.size());
        auto container = Container::read(file, "damaged", limits);
        if (!container) continue;
        for (const ImageContents& image : list_kernels(**container).images)
            CHECK((image.kernels.empty() || image.remark.empty()));
    }
}
