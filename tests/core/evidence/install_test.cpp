// SPDX-License-Identifier: GPL-3.0-or-later
// A tuned cubin into the file that its original came from, and back.
#include "core/evidence/install_cubin.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/file.h"
#include "core/binary/elf_image.h"
#include "core/schedule/cubin_writer.h"
#include "tests/core/binary/container_writer.h"
#include "tests/core/binary/test_images.h"
#include "tests/core/evidence/legal_edits.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "cubinlab-install-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() {
        std::error_code none;
        fs::remove_all(path, none);
    }
    fs::path write(const std::string& name, const Buffer& bytes) const {
        fs::create_directories((path / name).parent_path());
        REQUIRE(write_file(path / name, bytes));
        return path / name;
    }
};

Buffer original() {
    return bytes_of(CUBINLAB_TEST_DATA "/patch/patch_rebuilt.cubin");  // two kernels
}

CheckerPtr checker_of(const Buffer& image, const std::string& kernel) {
    auto cubin = required(Cubin::parse(image, "image"));
    auto loaded = required(Kernel::load(*cubin, kernel));
    auto checker = required(HazardChecker::create(*loaded));
    return *checker;
}

Buffer tuned_image(const Buffer& image, const std::string& kernel = "blend", int moves = 3) {
    const CheckerPtr checker = checker_of(image, kernel);
    auto writer = required(CubinWriter::create(checker->kernel()));
    return writer->image(some_legal_schedule(*checker, moves, 1));
}

Buffer library(const Buffer& image, std::uint64_t flags = 0x11) {
    Buffer fat =
        fatbin({{.arch = 80, .image = bmm_for("sm_80")}, {.arch = 90, .flags = flags, .image = image}});
    return host_elf({{".text", Buffer(64), 6}, {".nv_fatbin", fat}, {".data", Buffer(8), 3}});
}

std::string message(const Result<InstallReport>& report) {
    return report ? "installed" : report.error().message();
}

}  // namespace

TEST_CASE(
    "what its stamp calls slower, of the whole or in a shape, is installed on request alone, and says so") {
    const Folder folder;
    const fs::path target = folder.write("libk.so", library(original()));
    const fs::path best = folder.write("best.cubin", tuned_image(original()));
    const auto stamp = [&](const std::string& verdicts) {
        const std::string text =
            R"({"format": "cubinlab-provenance 1", "kernel": "blend", "stamp": "measured", )" + verdicts +
            "}";
        REQUIRE(write_text(best.string() + ".provenance.json", text));
    };
    for (
        const char* slower :
        {R"("verdict": "SLOWER")",
         R"("verdict": "FASTER", "shapes": [{"name": "long", "verdict": "FASTER"}, {"name": "short", "verdict": "SLOWER"}])"}) {
        stamp(slower);
        CAPTURE(slower);
        const auto refused = install_cubin(best, target, {});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::Refused);
        CHECK(bytes_of(target.string()) == library(original()));
        CHECK_FALSE(fs::exists(target.string() + ".cubinlab-original"));
    }
    CHECK(message(install_cubin(best, target, {})).find("SLOWER in short") != std::string::npos);
    const auto report = install_cubin(best, target, {.query = {}, .accept_slower = true});
    INFO(message(report));
    REQUIRE(report);
    REQUIRE(report->notes.size() == 1);
    CHECK(report->notes[0].find("SLOWER in short") != std::string::npos);
    REQUIRE(undo_install(target, false));
    stamp(
        R"("verdict": "FASTER", "shapes": [{"name": "long", "verdict": "FASTER"}, {"name": "short", "verdict": "UNCLEAR"}])");
    CHECK(install_cubin(best, target, {}));
}

TEST_CASE(
    "a library takes the schedule in place, keeps its mode and everything else, and gets its original back") {
    const Folder folder;
    const Buffer before = library(original()), tuned = tuned_image(original());
    REQUIRE(tuned != original());
    const fs::path target = folder.write("libk.so", before), best = folder.write("best.cubin", tuned);
    REQUIRE(::chmod(target.c_str(), 0750) == 0);
    const auto report = install_cubin(best, target, {});
    INFO(message(report));
    REQUIRE(report);
    REQUIRE(report->kernels.size() == 1);
    CHECK(report->kernels[0].name == "blend");
    CHECK(report->kernels[0].moved + report->kernels[0].control_changed > 0);
    CHECK(bytes_of(target.string()) == library(tuned));
    CHECK(bytes_of(report->backup.string()) == before);
    struct stat info {};
    REQUIRE(::stat(target.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0750);

    const auto again = required(install_cubin(best, target, {}));
    CHECK(again->kernels.empty());
    REQUIRE(undo_install(target, false));
    CHECK(bytes_of(target.string()) == before);
    CHECK_FALSE(fs::exists(report->backup));
    CHECK_FALSE(undo_install(target, false));
}

namespace {

// A library and tuned cubins of two of its kernels.
struct TwoTuned {
    const Folder folder;
    const Buffer before = library(original());
    const fs::path target = folder.write("libk.so", before);
    const fs::path one = folder.write("one.cubin", tuned_image(original(), "blend"));
    const fs::path two = folder.write("two.cubin", tuned_image(original(), "another_one", 1));
};

}  // namespace

TEST_CASE("two kernels of one image go in one after the other, and undo brings back the first state") {
    const TwoTuned made;
    const auto& [folder, before, target, one, two] = made;
    REQUIRE(install_cubin(one, target, {{"blend", "", ""}, false}));
    const auto second = install_cubin(two, target, {{"another_one", "", ""}, false});
    INFO(message(second));
    REQUIRE(second);
    CHECK(bytes_of(target.string()) ==
          library(tuned_image(tuned_image(original(), "blend"), "another_one", 1)));
    REQUIRE(undo_install(target, false));
    CHECK(bytes_of(target.string()) == before);
}

TEST_CASE("an install over another one that ended before the file was written loses nothing") {
    const TwoTuned made;
    const auto& [folder, before, target, one, two] = made;
    REQUIRE(install_cubin(one, target, {{"blend", "", ""}, false}));
    const Buffer with_one = bytes_of(target.string());
    REQUIRE(install_cubin(two, target, {{"another_one", "", ""}, false}));
    const Buffer with_both = bytes_of(target.string());
    folder.write("libk.so", with_one);  // the record of the second is there, what it wrote is not

    SECTION("undo brings back the original") {}
    SECTION("the same install goes through, and the original stays kept") {
        const auto again = install_cubin(two, target, {{"another_one", "", ""}, false});
        INFO(message(again));
        REQUIRE(again);
        CHECK(bytes_of(target.string()) == with_both);
    }
    CHECK(bytes_of(target.string() + ".cubinlab-original") == before);
    REQUIRE(undo_install(target, false));
    CHECK(bytes_of(target.string()) == before);
}

TEST_CASE("archives, fatbins, cubins and links are targets, too") {
    const Folder folder;
    const Buffer tuned = tuned_image(original());
    const fs::path best = folder.write("best.cubin", tuned);
    const auto object = [](const Buffer& image) {
        return host_elf({{".nv_fatbin", fatbin({{.image = image}})}}, true, 1);
    };
    const std::vector<std::pair<Buffer, Buffer>> files = {
        {archive({{"k.o", object(original())}}), archive({{"k.o", object(tuned)}})},
        {fatbin({{.image = original()}}), fatbin({{.image = tuned}})},
        {original(), tuned}};
    for (const auto& [before, after] : files) {
        const fs::path target = folder.write("target", before);
        fs::remove(folder.path / "link");
        fs::create_symlink("target", folder.path / "link");
        const auto report = install_cubin(best, folder.path / "link", {});
        INFO(message(report));
        REQUIRE(report);
        CHECK(fs::is_symlink(folder.path / "link"));
        CHECK(bytes_of(target.string()) == after);
        REQUIRE(undo_install(folder.path / "link", false));
    }
}

TEST_CASE("a mistyped architecture is said, not passed over") {
    const Folder folder;
    const Buffer before = library(original());
    const fs::path target = folder.write("libk.so", before);
    InstallOptions options;
    options.query.arch = "sm_ninety";
    const auto report = install_cubin(folder.write("best.cubin", tuned_image(original())), target, options);
    CHECK_THAT(message(report), contains_text("'sm_ninety' is not an architecture"));
    CHECK(bytes_of(target.string()) == before);
}

TEST_CASE("what is no proven reschedule of what lies there is refused, and nothing is touched") {
    const Folder folder;
    const Buffer before = library(original());
    const fs::path target = folder.write("libk.so", before);
    const auto refused = [&](const Buffer& cubin, const std::string& why) {
        const auto report = install_cubin(folder.write("bad.cubin", cubin), target, {});
        CHECK_THAT(message(report), contains_text(why));
        CHECK(bytes_of(target.string()) == before);
        CHECK_FALSE(fs::exists(target.string() + ".cubinlab-original"));
    };
    const CheckerPtr checker = checker_of(original(), "blend");
    Schedule illegal(checker->kernel());
    for (InstrId id = 0; id < illegal.size(); ++id)
        illegal.set_control(id, ControlCode{1, false, kNoBarrier, kNoBarrier, 0, 0});
    refused(CubinWriter::create(checker->kernel())->image(illegal), "not a legal reschedule");
    Buffer other_word = original();
    other_word[checker->kernel()->info().code_offset + 2] ^= std::byte{1};  // a register
    refused(other_word, "not a reschedule");
    Buffer other_constant = tuned_image(original());
    other_constant[8 + 40] = other_constant[8 + 40];
    auto cubin = required(Cubin::parse(other_constant, "c"));
    auto elf = required(ElfImage::read((*cubin)->bytes(), "c"));
    const ElfSection* constants = required(elf->find(".nv.constant0.blend"));
    other_constant[constants->offset] ^= std::byte{1};
    refused(other_constant, "outside the schedule");
    refused(bytes_of(CUBINLAB_TEST_DATA "/patch/patch_original.cubin"), "bytes long");
    refused(softmax(), "contains no kernel");
}

TEST_CASE("packed code is refused with what to do") {
    const Folder folder;
    for (const std::uint64_t flags : {0x8011ull, 0x2011ull}) {
        const fs::path target = folder.write("libk.so", library(original(), flags));
        const auto report = install_cubin(folder.write("best.cubin", tuned_image(original())), target, {});
        CHECK_THAT(message(report), contains_text("-compress-mode=none"));
        CHECK_THAT(message(report), contains_text("cubinlab run --with"));
    }
}

TEST_CASE("a rebuilt file is not undone, and its original replaces an old one only when asked to") {
    const Folder folder;
    const fs::path best = folder.write("best.cubin", tuned_image(original()));
    const fs::path target = folder.write("libk.so", library(original()));
    REQUIRE(install_cubin(best, target, {}));
    Buffer rebuilt = library(original());
    rebuilt.back() ^= std::byte{1};
    folder.write("libk.so", rebuilt);
    const auto undone = undo_install(target, false);
    REQUIRE_FALSE(undone);
    CHECK_THAT(undone.error().message(), contains_text("has changed since"));
    const auto again = install_cubin(best, target, {});
    CHECK_THAT(message(again), contains_text("another build's original"));
    REQUIRE(install_cubin(best, target, {{}, true}));
    REQUIRE(undo_install(target, false));
    CHECK(bytes_of(target.string()) == rebuilt);
}

TEST_CASE("the same kernel in two images asks which") {
    const Folder folder;
    const Buffer fat = fatbin({{.image = original()}, {.image = original()}});
    const fs::path target = folder.write("two.fatbin", fat);
    const fs::path best = folder.write("best.cubin", tuned_image(original()));
    CHECK_THAT(message(install_cubin(best, target, {})), contains_text("--image N"));
    REQUIRE(install_cubin(best, target, {{"", "", "2"}, false}));
    CHECK(bytes_of(target.string()) == fatbin({{.image = original()}, {.image = tuned_image(original())}}));
}

TEST_CASE("a Triton cache entry takes an equal length in place, and a moved cache is told") {
    const Folder folder;
    const fs::path from =
        CUBINLAB_TEST_DATA "/containers/triton/KAUSDGA7WTWRAVHCKWFJVCAYQB66YRZX22MY24L5BS2MEI2A7NBA";
    const fs::path entry = folder.path / "KAUS";
    fs::copy(from, entry);
    const Buffer before = bytes_of((entry / "add.cubin").string());
    const Folder elsewhere;
    const fs::path best = elsewhere.write("best.cubin", tuned_image(before, "add", 2));
    const auto report = install_cubin(best, folder.path, {});  // the whole cache
    INFO(message(report));
    REQUIRE(report);
    CHECK(report->file == fs::canonical(entry / "add.cubin"));
    REQUIRE(report->notes.size() == 1);
    CHECK_THAT(report->notes[0], contains_text("moved or copied"));
    CHECK(bytes_of((entry / "add.cubin").string()) == bytes_of(best.string()));
    REQUIRE(undo_install(folder.path, false));
    CHECK(bytes_of((entry / "add.cubin").string()) == before);
}
