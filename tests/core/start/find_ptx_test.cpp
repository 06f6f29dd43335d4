// SPDX-License-Identifier: GPL-3.0-or-later
// Where the PTX of a kernel is found, and which text is not taken for it.
#include "core/start/find_ptx.h"

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/start/open_device_code.h"
#include "tests/core/start/fake_ptxas.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

const std::string kSample = CUBINLAB_SAMPLES "/softmax.cubin";

std::string ptx(const std::string& entry, const std::string& target = "sm_90a") {
    return ".version 8.7\n.target " + target + "\n.address_size 64\n.visible .entry " + entry +
           "()\n{\n\tret;\n}\n";
}

struct Place {
    ScratchFolder folder = std::move(*required(ScratchFolder::make()));
    fs::path cubin;

    explicit Place(const std::string& name = "softmax.cubin") : cubin(folder.path() / name) {
        fs::create_directories(cubin.parent_path());
        fs::copy_file(kSample, cubin);
    }
    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((folder.path() / name).parent_path());
        required(write_text(folder.path() / name, text));
    }
    Result<std::optional<PtxSource>> find(const fs::path& stated = {}) const {
        const auto container = required(Container::open(cubin));
        const auto choice = required(choose_kernel(**container, {}));
        return find_ptx(**container, *choice, stated);
    }
    std::string origin() const {
        const auto found = *required(find());
        return found ? fs::path(found->origin).filename().string() : "";
    }
};

}  // namespace

TEST_CASE("PTX next to a cubin is found by its name and its entry") {
    const Place place;
    CHECK(place.origin() == "");
    place.put("other.ptx", ptx("softmax"));
    CHECK(place.origin() == "");
    place.put("softmax.ptx", ptx("softmax"));
    CHECK(place.origin() == "softmax.ptx");
    for (const std::string& bad :
         {ptx("softmax_2"), ptx("softmax", "sm_100"), ptx("softmax", "sm_80a"), std::string("softmax"),
          std::string(), std::string(".visible .entry softmax()")}) {
        place.put("softmax.ptx", bad);
        CHECK(place.origin() == "");
    }
    for (const char* target : {"sm_80", "sm_90", "sm_90, debug", "sm_90a"}) {
        place.put("softmax.ptx", ptx("softmax", target));
        CHECK(place.origin() == "softmax.ptx");
    }
}

TEST_CASE("PTX for one architecture is not taken for code of another") {
    const Place place("k.cubin");
    fs::remove(place.cubin);
    fs::copy_file(CUBINLAB_TEST_DATA "/cubins/bmm_mma.sm_80.cubin", place.cubin);
    place.put("k.ptx", ptx("bmm", "sm_90"));
    CHECK(place.origin() == "");
    place.put("k.ptx", ptx("bmm", "sm_75"));
    CHECK(place.origin() == "k.ptx");
}

TEST_CASE("a name with an architecture also finds the PTX without it, its own first") {
    const Place place("k.sm_90a.cubin");
    place.put("k.ptx", ptx("softmax"));
    CHECK(place.origin() == "k.ptx");
    place.put("k.sm_90a.ptx", ptx("softmax"));
    CHECK(place.origin() == "k.sm_90a.ptx");
}

TEST_CASE("the group file of a Triton cache names the PTX, wherever the cache is now") {
    const Place place("entry/softmax.cubin");
    place.put("entry/__grp__softmax.json",
              R"({"child_paths": {"softmax.ttir": "/old/x.ttir", "softmax.ptx": "/old/made.ptx"}})");
    CHECK(place.origin() == "");
    place.put("entry/made.ptx", ptx("softmax"));
    CHECK(place.origin() == "made.ptx");
    const std::string elsewhere = (place.folder.path() / "elsewhere.ptx").string();
    place.put("entry/__grp__softmax.json", R"({"child_paths": {"softmax.ptx": ")" + elsewhere + R"("}})");
    CHECK(place.origin() == "");
    place.put("elsewhere.ptx", ptx("softmax"));
    CHECK(place.origin() == "elsewhere.ptx");
    for (const char* bad : {"[]", "{", R"({"child_paths": 3})", R"({"child_paths": {"softmax.ptx": 3}})"}) {
        place.put("entry/__grp__softmax.json", bad);
        CHECK(place.origin() == "");
    }
}

TEST_CASE("of a cubin that Triton compiled, the PTX is found in its cache by the bytes alone") {
    const Place place("cache/ab12/softmax.cubin");
    const auto bytes = required(read_file(place.cubin));
    ::setenv("TRITON_CACHE_DIR", (place.folder.path() / "cache").c_str(), 1);
    CHECK_FALSE(ptx_in_triton_caches(*bytes, "softmax"));
    place.put("cache/ab12/softmax.ptx", ptx("softmax"));
    const auto found = ptx_in_triton_caches(*bytes, "softmax");
    REQUIRE(found);
    CHECK(found->text == ptx("softmax"));
    CHECK_FALSE(ptx_in_triton_caches(*bytes, "another"));
    std::vector<std::byte> other = *bytes;
    other.back() ^= std::byte{1};
    CHECK_FALSE(ptx_in_triton_caches(other, "softmax"));
    ::unsetenv("TRITON_CACHE_DIR");
}

TEST_CASE("a stated file must have the entry, and says what it lacks") {
    const Place place;
    place.put("softmax.ptx", ptx("softmax"));
    place.put("mine.ptx", ptx("softmax") + "// mine\n");
    CHECK((*required(place.find(place.folder.path() / "mine.ptx")))->text.ends_with("// mine\n"));
    place.put("mine.ptx", ptx("other"));
    const auto wrong = place.find(place.folder.path() / "mine.ptx");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().what == "has no entry \"softmax\"");
    place.put("mine.ptx", ptx("softmax", "sm_100"));
    CHECK(place.find(place.folder.path() / "mine.ptx").error().what ==
          "is for sm_100 and cannot be compiled for sm_90a");
    CHECK(place.find("/no/such.ptx").error().code == ErrorCode::NotFound);
}

TEST_CASE("a program's own PTX is found, packed or not, and belongs to the kernel") {
    std::size_t found_in = 0;
    for (const auto& entry : fs::recursive_directory_iterator(CUBINLAB_TEST_DATA "/containers")) {
        const auto container = Container::open(entry.path());
        if (!entry.is_regular_file() || !container) continue;
        for (const ImageContents& contents : list_kernels(**container).images)
            for (const KernelEntry& kernel : contents.kernels) {
                const Image& image = (*container)->images()[kernel.image];
                const auto cubin = required((*container)->cubin(image));
                const auto found =
                    required(find_ptx(**container, {*cubin, kernel.name, kernel.image, image.triton}));
                if (!*found) continue;
                INFO(entry.path().string() << ": " << kernel.name << ": " << (*found)->origin);
                ++found_in;
                CHECK_THAT((*found)->text, contains_text(".entry " + kernel.name));
                CHECK_THAT((*found)->origin, contains_text("PTX"));
            }
    }
    CHECK(found_in > 0);
}

TEST_CASE("a .ptx file opens as the code that ptxas makes of it, and is its own PTX") {
    if (real_ptxas() == nullptr) return;
    const auto cache = required(ScratchFolder::make());
    ::setenv("XDG_CACHE_HOME", cache->path().c_str(), 1);
    const auto container = required(open_device_code(CUBINLAB_SAMPLES "/softmax.ptx"));
    const auto choice = required(choose_kernel(**container, {}));
    const auto sample = required(Cubin::open(kSample));
    CHECK(choice->cubin->code(choice->cubin->kernels().front()) ==
          (*sample)->code((*sample)->kernels().front()));
    const auto found = required(find_ptx(**container, *choice));
    REQUIRE(*found);
    CHECK((*found)->origin == CUBINLAB_SAMPLES "/softmax.ptx");
    const auto broken = cache->path() / "broken.ptx";
    required(write_text(broken, ptx("k") + "nonsense"));
    const auto error = open_device_code(broken);
    REQUIRE_FALSE(error);
    CHECK_THAT(error.error().message(), contains_text("line 8"));
    ::unsetenv("XDG_CACHE_HOME");
}
