// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/archive.h"

#include "core/binary/container.h"
#include "core/binary/kernel_list.h"
#include "tests/core/binary/container_writer.h"
#include "tests/core/binary/test_images.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("members of an archive: short names, long names, no symbol table") {
    const Buffer one(5, std::byte{1}), two(8, std::byte{2});
    const Buffer file = archive({{"a.o", one}, {"a_name_that_is_longer_than_fifteen.o", two}});
    auto members = required(read_archive(file, 100));
    REQUIRE(members->size() == 2);
    CHECK((*members)[0].name == "a.o");
    CHECK((*members)[0].size == 5);
    CHECK((*members)[1].name == "a_name_that_is_longer_than_fifteen.o");
    CHECK(file[(*members)[1].offset] == std::byte{2});
}

TEST_CASE("BSD names stand before the member's bytes") {
    Buffer file;
    append(file, "!<arch>\n");
    append(file, "#1/12           0           0     0     644     16        `\nkernels_bsd\0");
    file.push_back(std::byte{0});
    append(file, "DATA");
    auto members = required(read_archive(file, 100));
    REQUIRE(members->size() == 1);
    CHECK((*members)[0].name == "kernels_bsd");
    CHECK((*members)[0].size == 4);
}

TEST_CASE("objects in an archive, and an archive in an archive, are gone through") {
    const Buffer object = host_elf({{".nv_fatbin", fatbin({{.image = softmax()}})}}, true, 1);
    const Buffer inner = archive({{"inner.o", object}});
    auto container =
        required(Container::read(archive({{"plain.o", host_elf({{".text", Buffer(64), 6}}, true, 1)},
                                          {"kernels_of_a_long_name.o", object},
                                          {"libinner.a", inner}}),
                                 "lib.a"));
    CHECK((*container)->what() == "static library");
    REQUIRE((*container)->images().size() == 2);
    CHECK((*container)->images()[0].member == "kernels_of_a_long_name.o");
    CHECK((*container)->images()[1].member == "libinner.a(inner.o)");
    CHECK(list_kernels(**container).kernels == 2);
}

TEST_CASE("a damaged archive says where, a thin one says what to do") {
    Buffer file = archive({{"a.o", Buffer(40)}, {"b.o", Buffer(40)}});
    Buffer cut(file.begin(), file.begin() + 120);
    CHECK_FALSE(read_archive(cut, 100));
    Buffer bad = file;
    bad[8 + 60 + 4 + 58] = std::byte{'x'};
    CHECK_FALSE(read_archive(bad, 100));
    CHECK_FALSE(read_archive(file, 1));
    Buffer thin;
    append(thin, "!<thin>\n");
    auto container = Container::read(thin, "thin.a");
    REQUIRE_FALSE(container);
    CHECK_THAT(container.error().message(), contains_text("thin archive"));
    auto none = Container::read(archive({{"notes.txt", Buffer(8)}}), "none.a");
    REQUIRE_FALSE(none);
    CHECK_THAT(none.error().message(), contains_text("none of which holds device code"));
}
