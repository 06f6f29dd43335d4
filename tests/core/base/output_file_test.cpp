// SPDX-License-Identifier: GPL-3.0-or-later
// What may be written, and how a write leaves what was there.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/file.h"
#include "core/base/output_file.h"
#include "tests/support/catch.h"

using namespace cubinlab;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "cubinlab-out-XXXXXX").string();
        if (!::mkdtemp(name.data())) std::abort();
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path operator/(const char* name) const { return path / name; }
};

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

OutputFile output(const fs::path& path, std::vector<fs::path> inputs = {}, bool force = false) {
    OutputFile out;
    out.path = path;
    out.inputs = std::move(inputs);
    out.force = force;
    return out;
}

}  // namespace

TEST_CASE("an input is never an output: by name, by link, by hard link, by another path, forced or not") {
    const Folder folder;
    put(folder / "in", "mine");
    fs::create_symlink(folder / "in", folder / "link");
    fs::create_hard_link(folder / "in", folder / "hard");
    for (const fs::path& name : {folder / "in", folder / "link", folder / "hard", folder.path / "." / "in"})
        for (const bool force : {false, true}) {
            const auto answer = check_output(output(name, {folder / "in"}, force));
            REQUIRE_FALSE(answer);
            CHECK(answer.error().code == ErrorCode::BadUse);
            CHECK_THAT(answer.error().what, contains_text("input file"));
        }
    // Also before either of them exists: a session that the command is about to make.
    const auto answer = check_output(output(folder.path / "x" / ".." / "new.db", {folder / "new.db"}, true));
    CHECK_FALSE(answer);
    CHECK(read_text(folder / "in").value() == "mine");
}

TEST_CASE("a file of another's making needs force, one of our own does not") {
    const Folder folder;
    put(folder / "theirs", "x");
    CHECK(check_output(output(folder / "theirs")).error().code == ErrorCode::BadUse);
    CHECK_THAT(check_output(output(folder / "theirs", {}, true)).value(), contains_text("1 bytes"));
    OutputFile own = output(folder / "theirs");
    own.own = [](const fs::path&) { return std::string("ours"); };
    CHECK(check_output(own).value() == "ours");
    CHECK(check_output(output(folder / "absent")).value().empty());
}

TEST_CASE("folders, pipes, devices, dangling links and absent folders are no outputs, forced or not") {
    const Folder folder;
    fs::create_directory(folder / "sub");
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    fs::create_symlink(folder / "nothing", folder / "dangling");
    fs::create_symlink(folder / "pipe", folder / "to_a_pipe");
    fs::create_symlink("/dev/null", folder / "to_a_device");
    for (const fs::path& name :
         {folder / "sub", folder / "pipe", fs::path("/dev/null"), fs::path(""), fs::path("/dev/stdout"),
          folder / "to_a_pipe", folder / "to_a_device", folder / "no/such/file", folder.path / "sub" / ""})
        CHECK_FALSE(check_output(output(name, {}, true)));
    CHECK_FALSE(check_output(output(folder / "dangling")));
    CHECK(check_output(output(folder / "no/such/file")).error().code == ErrorCode::NotFound);
    CHECK(check_output(output("/proc/x")).error().code == ErrorCode::Io);
}

TEST_CASE("a disk without room is seen before the work") {
    const Folder folder;
    OutputFile large = output(folder / "large");
    large.bytes = std::uint64_t{1} << 60;
    const auto answer = check_output(large);
    REQUIRE_FALSE(answer);
    CHECK_THAT(answer.error().what, contains_text("no room"));
    CHECK(fs::is_empty(folder.path));  // nothing is left of the trial
}

TEST_CASE("what takes the place of a file keeps its permissions, a link is replaced, not followed") {
    const Folder folder;
    put(folder / "secret", "old");
    REQUIRE(::chmod((folder / "secret").c_str(), 0600) == 0);
    REQUIRE(write_text(folder / "secret", "new"));
    struct stat info {};
    REQUIRE(::stat((folder / "secret").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
    fs::create_symlink(folder / "secret", folder / "link");
    REQUIRE(write_text(folder / "link", "other"));
    CHECK(read_text(folder / "secret").value() == "new");
    CHECK(read_text(folder / "link").value() == "other");
}

TEST_CASE("of files that belong together none is written where one cannot be") {
    const Folder folder;
    put(folder / "one", "old");
    fs::create_directory(folder / "two");
    const std::string text = "new";
    const auto bytes = std::as_bytes(std::span(text));
    const FileToWrite files[] = {{folder / "one", bytes}, {folder / "two", bytes}};
    CHECK_FALSE(write_files(files));
    CHECK(read_text(folder / "one").value() == "old");
    const auto left = std::distance(fs::directory_iterator(fs::path(folder / "one").parent_path()), {});
    CHECK(left == 2);  // nothing beside
    fs::remove(folder / "two");
    REQUIRE(write_files(files));
    CHECK(read_text(folder / "one").value() == "new");
    CHECK(read_text(folder / "two").value() == "new");
}

TEST_CASE("pipes and devices are not read, and do not hold up who tries") {
    const Folder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(read_file(folder / "pipe").error().code == ErrorCode::BadInput);
    CHECK(read_file("/dev/zero").error().code == ErrorCode::BadInput);
    CHECK_FALSE(write_text(folder / "pipe", "x"));
}
