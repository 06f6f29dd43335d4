// SPDX-License-Identifier: GPL-3.0-or-later
// Files of nvcc 13.0 against what cuobjdump took out of them (hashes of the files that it wrote).
#include "core/binary/container.h"

#include <unistd.h>

#include <fstream>
#include <map>

#include "core/base/file.h"
#include "core/binary/kernel_list.h"
#include "tests/core/binary/test_images.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using cubinlab::test::append;
using cubinlab::test::Buffer;
using cubinlab::test::fatbin;
using cubinlab::test::softmax;

namespace {

std::filesystem::path file(const std::string& name) {
    return std::filesystem::path(CUBINLAB_TEST_DATA) / "containers" / name;
}

std::shared_ptr<const Container> open(const std::string& name) {
    auto container = Container::open(file(name));
    INFO(name);
    if (!container) FAIL(container.error().message());
    return *container;
}

std::vector<std::string> hashes_of_elf(const Container& container, bool linker_input = false) {
    std::vector<std::string> out;
    for (const Image& image : container.images()) {
        if (image.kind != ImageKind::Elf || image.device_linked_from != linker_input) continue;
        auto bytes = required(container.bytes(image));
        out.push_back(image.arch->name() + " " + hash_bytes(*bytes).hex());
    }
    return out;
}

}  // namespace

TEST_CASE(
    "a stripped program of three architectures, packed for size, holds what cuobjdump takes out of it") {
    const auto program = open("exec_size_stripped");
    CHECK(program->what() == "program");
    CHECK(program->notes().empty());
    CHECK(hashes_of_elf(*program) ==
          std::vector<std::string>{
              "sm_80 e7b44a8961f995d85c7120f1bccfe11c", "sm_90 a98f04104ffb7ac28f056b8e3078a505",
              "sm_90a 3560a91a4c567c5c1977ae3e796e8e12", "sm_80 e92bf3182c392dc188dee752646e5bd6",
              "sm_90 0a51eee29ecf2263febc09036812414a", "sm_90a 6cf97ece9f5651aad97a64ddbd93e17c",
              "sm_80 be5d6c09f601d0e3b989b3b6220525fa", "sm_90 5c40d8112cfcbc801dfa7e945f30a38a",
              "sm_90a 947b0f2d770cd0aab9844a0a61c646ea"});
    for (const Image& image : program->images())
        if (image.kind == ImageKind::Elf && image.unpacked > 10000) CHECK(image.packing == Packing::Zstd);
}

TEST_CASE("a library without a section table is searched by its loaded segments") {
    const auto library = open("libdemo_nosections.so");
    CHECK(library->what() == "shared library");
    // cuobjdump finds nothing in it; the hashes are those of the library it was before.
    CHECK(hashes_of_elf(*library) == std::vector<std::string>{"sm_90 82e0b7be4e66142cc6efa3dfecbc6741",
                                                              "sm_90 0a51eee29ecf2263febc09036812414a"});
    CHECK(library->images().front().section == "loaded segment");
}

TEST_CASE("a program of separately compiled code shows the linked code and what it was linked from") {
    const auto program = open("exec_rdc");
    CHECK(hashes_of_elf(*program) == std::vector<std::string>{"sm_90 d23471094008e87a4332820854d72201"});
    CHECK(hashes_of_elf(*program, true).size() == 2);
    const KernelList list = list_kernels(*program);
    std::map<bool, std::size_t> kernels;
    for (const ImageContents& image : list.images)
        for (const KernelEntry& k : image.kernels)
            ++kernels[k.relocatable];
    CHECK(kernels[false] == 3);
    CHECK(kernels[true] == 4);  // one of them is called by nothing and was left out by the linker
}

TEST_CASE("intermediate code of the linker is named for what it is") {
    const auto object = open("lto.o");
    CHECK(object->what() == "object file");
    std::size_t ir = 0;
    for (const ImageContents& image : list_kernels(*object).images) {
        CHECK(image.kernels.empty());
        ir += image.remark.find("LTO-IR") != std::string::npos ? 1 : 0;
    }
    CHECK(ir == 1);
    auto choice = choose_kernel(*object, {});
    REQUIRE_FALSE(choice);
    CHECK_THAT(choice.error().message(), contains_text("no SASS"));
}

TEST_CASE("PTX is text, packed or not") {
    const auto program = open("exec_size_stripped");
    std::size_t seen = 0;
    for (const Image& image : program->images()) {
        if (image.kind != ImageKind::Ptx) continue;
        auto bytes = required(program->bytes(image));
        const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        CHECK_THAT(text, contains_text(".version 9.0"));
        seen += text.find(".entry spilly") != std::string::npos ? 1 : 0;
    }
    CHECK(seen == 1);
}

TEST_CASE("a cubin is a container of one image") {
    const std::filesystem::path path = std::filesystem::path(CUBINLAB_SAMPLES) / "bmm_mma.cubin";
    auto container = required(Container::open(path));
    CHECK((*container)->what() == "cubin");
    REQUIRE((*container)->images().size() == 1);
    auto cubin = required((*container)->cubin((*container)->images().front()));
    CHECK((*cubin)->where() == path.string());
    CHECK_FALSE((*cubin)->relocatable());
    CHECK((*cubin)->arch().name() == "sm_90");
}

TEST_CASE("what contains no device code says what it is instead") {
    const auto error_of = [](const std::filesystem::path& path) {
        auto container = Container::open(path);
        REQUIRE_FALSE(container);
        return container.error().message();
    };
    CHECK_THAT(error_of("/nowhere/at/all"), contains_text("No such file"));
    CHECK_THAT(error_of("/proc/self/exe"), contains_text("program without device code"));
    CHECK_THAT(error_of(std::filesystem::path(CUBINLAB_TEST_DATA) / "containers" / ".." / "sass"),
               contains_text("folder without cubins"));
    auto empty = Container::read({}, "empty");
    REQUIRE_FALSE(empty);
    CHECK_THAT(empty.error().message(), contains_text("is empty"));
}

TEST_CASE("a packed file says that it has to be unpacked first") {
    using namespace std::string_view_literals;
    const std::pair<std::string_view, const char*> table[] = {{"\x1f\x8b\x08"sv, "is a gzip file"},
                                                              {"\x28\xb5\x2f\xfd"sv, "is a zstd file"},
                                                              {"\xfd"
                                                               "7zXZ\0"sv,
                                                               "is an xz file"},
                                                              {"PK\x03\x04"sv, "is a zip file"}};
    for (const auto& [magic, wanted] : table) {
        Buffer bytes;
        append(bytes, magic);
        bytes.resize(bytes.size() + 1000, std::byte{0x5a});
        auto container = Container::read(bytes, "k");
        REQUIRE_FALSE(container);
        CHECK_THAT(container.error().message(), contains_text(wanted));
        CHECK_THAT(container.error().message(), contains_text("unpack it first"));
        // Device code that lies in it as it is is found all the same.
        bytes.resize(1008, std::byte{0});
        append(bytes, fatbin({{.image = softmax()}}));
        CHECK(Container::read(bytes, "k"));
    }
}

TEST_CASE("code behind stray bytes is told with where it begins") {
    for (const Buffer& code : {softmax(), fatbin({{.image = softmax()}})}) {
        Buffer bytes(101, std::byte{0x2a});
        append(bytes, code);
        auto container = Container::read(bytes, "k");
        REQUIRE_FALSE(container);
        CHECK_THAT(container.error().message(), contains_text("begin at byte 101"));
        CHECK_THAT(container.error().message(), contains_text("tail -c +102"));
    }
}

TEST_CASE("holes of a large file are not looked at, what lies between them is found") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("cubinlab-holes-" + std::to_string(::getpid()));
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    const Buffer fat = fatbin({{.image = softmax()}});
    {
        std::ofstream out(file, std::ios::binary);
        out << "a dump";
        for (const std::size_t at : {700 * kMiB + 8, 30'000 * kMiB}) {
            out.seekp(static_cast<std::streamoff>(at));
            out.write(reinterpret_cast<const char*>(fat.data()), static_cast<std::streamsize>(fat.size()));
        }
        REQUIRE(out.flush());
    }
    std::filesystem::resize_file(file, 60'000 * kMiB);
    auto bytes = required(FileBytes::open(file));
    std::size_t written = 0;
    for (const Extent& part : (*bytes)->data_extents())
        written += part.size;
    auto container = Container::open(file);
    ContainerLimits small;
    small.searched_bytes = 2 * kMiB;
    if (written <= 4 * kMiB) {  // else the file system knows of no holes
        REQUIRE(container);
        REQUIRE((*container)->images().size() == 2);
        CHECK((*container)->images()[0].offset > 700 * kMiB);
        CHECK((*container)->images()[1].offset > 30'000 * kMiB);
        CHECK((*container)->cubin((*container)->images()[1]));
        CHECK((*container)->notes().empty());
    }
    std::filesystem::remove(file);
    // Data is searched up to a limit, and that is said.
    auto limited = Container::read(Buffer(3 * kMiB, std::byte{0x2a}), "dump", small);
    REQUIRE_FALSE(limited);
    CHECK_THAT(limited.error().message(), contains_text("in its first 2 MiB, which are searched"));
    Buffer early(16, std::byte{0x2a});
    append(early, fat);
    early.resize(3 * kMiB, std::byte{0x2a});
    auto noted = required(Container::read(early, "dump", small));
    REQUIRE((*noted)->notes().size() == 1);
    CHECK_THAT((*noted)->notes().front(), contains_text("first 2 MiB were searched"));
}
