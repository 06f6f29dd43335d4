// SPDX-License-Identifier: GPL-3.0-or-later
// A log that a killed writer left and that is damaged: said before anything of it is dropped, and kept.
#include "core/store/log_damage.h"

#include <fstream>

#include "core/base/file.h"
#include "core/store/session_file.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

constexpr std::uint64_t kPage = 8192, kFrame = kPage + 24, kHeader = 32;

void flip(const std::filesystem::path& path, std::uint64_t at) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x55));
}

struct Left {
    TempFolder folder;
    KernelPtr kernel = sample_kernel();
    std::filesystem::path session = folder / "s.db", log = folder / "s.db-wal",
                          kept = folder / "s.db-wal.damaged";
    std::uint64_t frames = 0;
    explicit Left(int steps = 400) {
        write_and_die(session, kernel, steps, 50);
        REQUIRE(std::filesystem::file_size(log) > kHeader + 4 * kFrame);
        frames = (std::filesystem::file_size(log) - kHeader) / kFrame;
    }
};

}  // namespace

TEST_CASE("a whole log, a part of one that was never finished, and none are not damaged") {
    const Left left;
    CHECK_FALSE(damage_of_log(left.log));
    CHECK_FALSE(damage_of_log(left.folder / "nothing"));
    CHECK_FALSE(damage_of_log(left.session));
    const auto bytes = read_file(left.log);
    REQUIRE(bytes);
    for (const std::uint64_t size :
         {std::uint64_t{0}, std::uint64_t{20}, kHeader, kHeader + kFrame / 2,
          kHeader + left.frames / 2 * kFrame, kHeader + left.frames / 2 * kFrame + 30, bytes->size() - 1}) {
        INFO(size << " of " << bytes->size() << " bytes");
        std::filesystem::resize_file(left.log, size);
        CHECK_FALSE(damage_of_log(left.log));
        std::ofstream(left.log, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    }
}

TEST_CASE("a byte that changed in front of later commits is damage, wherever it is") {
    const Left left;
    const std::uint64_t middle = kHeader + left.frames / 2 * kFrame;
    for (const std::uint64_t at :
         {middle + 24 + 500, middle + 4, middle + 9, middle + 17, std::uint64_t{25}}) {
        INFO("byte " << at);
        flip(left.log, at);
        const auto found = damage_of_log(left.log);
        REQUIRE(found);
        CHECK(found->at == (at < kHeader ? kHeader : middle));
        CHECK(found->commits > 0);
        flip(left.log, at);
        CHECK_FALSE(damage_of_log(left.log));
    }
}

TEST_CASE("a damaged log is said and kept before what stands before the damage is read") {
    for (const bool by_writer : {false, true}) {
        const Left left;
        flip(left.log, kHeader + left.frames / 2 * kFrame + 700);
        const auto damaged = read_file(left.log);
        const auto open = [&]() -> Status {
            if (by_writer) {
                auto session = SessionWriter::open(left.session, left.kernel, "{}", "");
                if (!session) return fail(session.error());
                return (*session)->close();
            }
            auto reader = SessionReader::open(left.session);
            if (!reader) return fail(reader.error());
            return {};
        };
        const Status first = open();
        REQUIRE_FALSE(first);
        CHECK(first.error().code == ErrorCode::Corrupt);
        CHECK_THAT(first.error().what, contains_text("s.db-wal.damaged"));
        CHECK(*read_file(left.kept) == *damaged);
        CHECK(*read_file(left.log) == *damaged);
        REQUIRE(open());
        auto reader = SessionReader::open(left.session);
        REQUIRE(reader);
        const auto run = (*reader)->run(1);
        REQUIRE(run);
        CHECK(run->steps < 400);
        CHECK((*reader)->verify(left.kernel, 1).value() == run->steps);
        CHECK(*read_file(left.kept) == *damaged);
    }
}
