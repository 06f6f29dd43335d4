// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <filesystem>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-base-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

std::size_t files_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("XXH3-128 of the empty input is the published value") {
    CHECK(hash_bytes(nullptr, 0).hex() == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("a hash survives its text form, and other text is refused") {
    const Hash128 h = hash_bytes("cubin", 5);
    CHECK(Hash128::from_hex(h.hex()) == h);
    CHECK_FALSE(Hash128::from_hex("").has_value());
    CHECK_FALSE(Hash128::from_hex("zz").has_value());
    CHECK_FALSE(Hash128::from_hex(std::string(31, '0') + "g").has_value());
    CHECK_FALSE(Hash128::from_hex(h.hex() + "0").has_value());
}

TEST_CASE("a written file reads back, replaces the old one, and leaves nothing else behind") {
    Folder folder;
    const auto file = folder.path / "a.bin";
    REQUIRE(write_text(file, "first"));
    REQUIRE(write_text(file, std::string("second\0bytes", 12)));
    CHECK(*read_text(file) == std::string("second\0bytes", 12));
    CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a write that cannot succeed leaves the old file and no temporary") {
    Folder folder;
    std::filesystem::create_directory(folder.path / "taken");
    REQUIRE(write_text(folder.path / "taken" / "x", "x"));
    CHECK_FALSE(write_text(folder.path / "taken", "text"));  // a folder stands there
    CHECK(files_in(folder.path) == 1);
    const auto missing = write_text(folder.path / "no" / "such" / "file", "text");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::NotFound);
}

TEST_CASE("reading says what is wrong: absent, a folder, larger than the limit") {
    Folder folder;
    CHECK(read_file(folder.path / "none").error().code == ErrorCode::NotFound);
    CHECK(read_file(folder.path).error().code == ErrorCode::BadInput);
    REQUIRE(write_text(folder.path / "big", std::string(1000, 'x')));
    CHECK(read_file(folder.path / "big", 999).error().code == ErrorCode::BadInput);
    CHECK(read_file(folder.path / "big", 1000)->size() == 1000);
}

TEST_CASE("exit codes: 3 for no GPU, 1 for problems found, 2 for bad use and bad input") {
    CHECK(exit_code(ErrorCode::NoGpu) == 3);
    for (ErrorCode code : {ErrorCode::Refused, ErrorCode::Corrupt, ErrorCode::Worker})
        CHECK(exit_code(code) == 1);
    for (ErrorCode code :
         {ErrorCode::BadUse, ErrorCode::BadInput, ErrorCode::Io, ErrorCode::Missing, ErrorCode::Busy})
        CHECK(exit_code(code) == 2);
}
