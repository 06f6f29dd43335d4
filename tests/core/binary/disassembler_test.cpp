// SPDX-License-Identifier: GPL-3.0-or-later
// The display listing, with nvdisasm played by shell scripts: one that answers well, others that do not.
#include "core/sass/disassembler.h"

#include <stdlib.h>

#include <fstream>
#include <random>
#include <thread>

#include "core/sass/nvdisasm_text.h"
#include "tests/core/binary/test_cubins.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

// A folder that goes away with its test.
class Folder {
  public:
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "cubinlab-test-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()));
        path_ = pattern;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    fs::path operator/(const std::string& name) const { return path_ / name; }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

// Sets a variable for the length of a test.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() {
        if (old_)
            ::setenv(name_, old_->c_str(), 1);
        else
            ::unsetenv(name_);
    }

  private:
    const char* name_;
    std::optional<std::string> old_;
};

// nvdisasm's output for a cubin, rebuilt from its words and the sample's stored texts, in the notation
// of 12.4.
std::string nvdisasm_output(const Cubin& cubin, const std::vector<std::string>& texts) {
    const KernelInfo& kernel = cubin.kernels()[0];
    const std::vector<Word> code = cubin.code(kernel);
    std::string out = "\t.headerflags\t@\"EF_CUDA_SM90\"\n\n//--------------------- .text." + kernel.name +
                      " ------\n\t.section\t.text." + kernel.name + ",\"ax\",@progbits\n\t.align\t128\n" +
                      kernel.name + ":\n.text." + kernel.name + ":\n";
    char line[256];
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::snprintf(line, sizeof line,
                      "        /*%04zx*/                   %s ;     /* 0x%016llx */\n%60s/* 0x%016llx */\n",
                      i * 16, texts[i].c_str(), static_cast<unsigned long long>(code[i].lo), "",
                      static_cast<unsigned long long>(code[i].hi));
        out += line;
    }
    return out;
}

struct Fixture {
    Folder folder;
    std::shared_ptr<const Cubin> cubin = open_cubin(sample("softmax"));
    std::string stored = *read_text(default_listing_path(sample("softmax")));
    std::vector<std::string> texts;
    DisassemblerSettings settings;

    Fixture() {
        auto lines = required(read_stored_listing(
            stored, "softmax", hash_bytes(cubin->bytes().subspan(kernel().code_offset, kernel().code_size))));
        texts = *lines;
        settings.cache = folder / "cache";
        settings.timeout_ms = 20000;
    }
    const KernelInfo& kernel() const { return cubin->kernels()[0]; }
    // A tool that logs each call and then runs `body` (unless it is asked for its version).
    void tool(const std::string& body, const std::string& version = "V12.4.127") {
        settings.nvdisasm = (folder / "nvdisasm").string();
        std::ofstream script(settings.nvdisasm);
        script << "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release 12.4, "
               << version << "'; exit 0; fi\necho \"$@\" >> '" << (folder / "calls").string() << "'\n"
               << body << "\n";
        script.close();
        fs::permissions(settings.nvdisasm, fs::perms::owner_all);
    }
    void good_tool() {
        std::ofstream(folder / "output.txt") << nvdisasm_output(*cubin, texts);
        tool("cat '" + (folder / "output.txt").string() + "'");
    }
    int calls() const {
        std::ifstream in(folder / "calls");
        int n = 0;
        for (std::string line; std::getline(in, line);)
            ++n;
        return n;
    }
    Listing list(std::optional<std::string> with_stored = {}, std::stop_token stop = {}) const {
        return list_kernel(*cubin, kernel(), settings, std::move(with_stored), stop);
    }
};

}  // namespace

TEST_CASE("a good nvdisasm is called once and its text is kept") {
    Fixture f;
    f.good_tool();
    const Listing first = f.list();
    INFO(first.note);
    CHECK(first.source == ListingSource::Nvdisasm);
    CHECK(first.origin.find("12.4.127") != std::string::npos);
    CHECK(first.lines == f.texts);
    CHECK(first.note.empty());
    CHECK(f.list().lines == f.texts);
    CHECK(f.calls() == 1);
    std::ifstream in(f.folder / "calls");
    std::string arguments;
    std::getline(in, arguments);
    CHECK(arguments.rfind("-c -hex ", 0) == 0);
}

TEST_CASE("a damaged cache entry is ignored and made anew") {
    Fixture f;
    f.good_tool();
    REQUIRE(f.list().source == ListingSource::Nvdisasm);
    int damaged = 0;
    for (const auto& entry : fs::directory_iterator(f.settings.cache)) {
        auto text = *read_text(entry.path());
        text[text.size() / 2] ^= 1;
        REQUIRE(write_text(entry.path(), text));
        ++damaged;
    }
    REQUIRE(damaged == 1);
    CHECK(f.list().lines == f.texts);
    CHECK(f.calls() == 2);
    CHECK(f.list().lines == f.texts);
    CHECK(f.calls() == 2);
}

TEST_CASE("a cache folder that cannot be made costs a call, nothing else") {
    Fixture f;
    f.good_tool();
    std::ofstream(f.folder / "file") << "x";
    f.settings.cache = f.folder / "file" / "cache";
    CHECK(f.list().lines == f.texts);
    CHECK(f.list().lines == f.texts);
    CHECK(f.calls() == 2);
}

TEST_CASE("garbage, failure and absence fall back to the stored listing and say why") {
    Fixture f;
    SECTION("garbage") {
        f.tool("head -c 5000 /dev/urandom; echo; echo '/*0000*/ nonsense ;'");
        const Listing l = f.list(f.stored);
        CHECK(l.source == ListingSource::Stored);
        CHECK(l.lines == f.texts);
        CHECK(l.note.find("no listing that matches") != std::string::npos);
    }
    SECTION("the text of other code") {
        auto other = f.texts;
        std::string output = nvdisasm_output(*f.cubin, other);
        const std::size_t digit = output.find("/* 0x", output.find("/*0130*/")) + 10;
        output[digit] = output[digit] == '1' ? '2' : '1';
        std::ofstream(f.folder / "output.txt") << output;
        f.tool("cat '" + (f.folder / "output.txt").string() + "'");
        CHECK(f.list(f.stored).source == ListingSource::Stored);
    }
    SECTION("exit status 1") {
        f.tool("echo 'nvdisasm fatal   : Cannot decode architecture' >&2; exit 1");
        const Listing l = f.list(f.stored);
        CHECK(l.source == ListingSource::Stored);
        CHECK(l.note.find("Cannot decode architecture") != std::string::npos);
        CHECK(f.calls() == 2);  // once more with the header of CUDA 12
    }
    SECTION("ended by a signal") {
        f.tool("kill -SEGV $$");
        CHECK(f.list(f.stored).note.find("139") != std::string::npos);
    }
    SECTION("no such program") {
        f.settings.nvdisasm = (f.folder / "nothing").string();
        const Listing l = f.list(f.stored);
        CHECK(l.source == ListingSource::Stored);
        CHECK(l.note.find("nothing") != std::string::npos);
    }
    SECTION("not to be used") {
        f.good_tool();
        f.settings.allow_nvdisasm = false;
        CHECK(f.list(f.stored).source == ListingSource::Stored);
        CHECK(f.calls() == 0);
    }
}

TEST_CASE("without nvdisasm and without a stored listing there is the built-in rendering") {
    Fixture f;
    f.settings.nvdisasm = (f.folder / "nothing").string();
    const Listing l = f.list();
    CHECK(l.source == ListingSource::BuiltIn);
    CHECK(l.lines.size() == f.texts.size());
    CHECK(l.note.find("there is no stored listing") != std::string::npos);
    const Listing wrong = f.list(*read_text(default_listing_path(sample("bmm"))));
    CHECK(wrong.source == ListingSource::BuiltIn);
    CHECK(wrong.note.find("contains no kernel") != std::string::npos);
}

TEST_CASE("a tool that hangs is ended, with all it started") {
    Fixture f;
    const std::string pid_file = (f.folder / "pid").string();
    f.tool("sleep 300 & echo $! > '" + pid_file + "'; wait");
    f.settings.timeout_ms = 300;
    const Listing l = f.list(f.stored);
    CHECK(l.source == ListingSource::Stored);
    CHECK(l.note.find("did not finish within 300 ms") != std::string::npos);
    CHECK(f.calls() == 1);
    const std::string pid = *read_text(pid_file);
    const fs::path status = fs::path("/proc") / pid.substr(0, pid.find('\n')) / "stat";
    // The sleep was sent SIGKILL; it dies when the kernel next runs it, which on a loaded machine
    // may be a little later, and shows as a zombie (Z) until its new parent reaps it.
    const auto gone = [&] {
        const auto left = read_text(status);
        return !left || left->find(") Z ") != std::string::npos;
    };
    CHECK(wait_until(gone));
}

TEST_CASE("a stop request ends the tool at once") {
    Fixture f;
    f.tool("exec sleep 300");
    std::stop_source source;
    std::thread stopper([&] {
        wait_until([&] { return f.calls() > 0; });
        source.request_stop();
    });
    const Listing l = f.list(f.stored, source.get_token());
    stopper.join();
    CHECK(l.source == ListingSource::Stored);
    CHECK(l.note.find("was stopped") != std::string::npos);
}

TEST_CASE("nvdisasm of CUDA 11.8 gets a copy with the old header") {
    Fixture f;
    std::ofstream(f.folder / "output.txt") << nvdisasm_output(*f.cubin, f.texts);
    // Byte 8 is the ABI version; this tool takes 7 alone, as 11.8 does.
    f.tool(
        "abi=$(od -An -tu1 -j8 -N1 \"$3\" | tr -d ' ')\n"
        "version=$(od -An -tu4 -j20 -N4 \"$3\" | tr -d ' ')\n"
        "flags=$(od -An -tx4 -j48 -N4 \"$3\" | tr -d ' ')\n"
        "if [ \"$abi-$version-$flags\" = 7-118-005a0d5a ]; then cat '" +
            (f.folder / "output.txt").string() + "'; else echo 'no architecture' >&2; exit 1; fi",
        "V11.8.86");
    const Listing l = f.list();
    INFO(l.note);
    CHECK(l.source == ListingSource::Nvdisasm);
    CHECK(l.lines == f.texts);
}

TEST_CASE("where nvdisasm is looked for") {
    Fixture f;
    f.good_tool();
    fs::create_directories(f.folder / "cuda/bin");
    fs::copy_file(f.settings.nvdisasm, f.folder / "cuda/bin/nvdisasm");
    const Variable path("PATH", "/nonexistent");
    const Variable none("CUBINLAB_NVDISASM", "");
    {
        const Variable home("CUDA_HOME", (f.folder / "cuda").string());
        const auto found = required(find_nvdisasm());
        CHECK(found->path == f.folder / "cuda/bin/nvdisasm");
        CHECK(found->version == "12.4.127");
    }
    {
        const Variable named("CUBINLAB_NVDISASM", f.settings.nvdisasm);
        const Variable home("CUDA_HOME", (f.folder / "cuda").string());
        CHECK(find_nvdisasm()->path == f.settings.nvdisasm);
        CHECK(find_nvdisasm({(f.folder / "cuda/bin/nvdisasm").string(), {}, true, 1000})->path ==
              f.folder / "cuda/bin/nvdisasm");
    }
    {
        const Variable named("CUBINLAB_NVDISASM", "/nonexistent/nvdisasm");
        const auto found = find_nvdisasm();
        REQUIRE_FALSE(found);
        CHECK(found.error().code == ErrorCode::NotFound);
        CHECK(found.error().where.find("CUBINLAB_NVDISASM") != std::string::npos);
    }
    {
        const Variable both("PATH", (f.folder / "cuda/bin").string());
        const Variable home("CUDA_HOME", "");
        CHECK(find_nvdisasm()->path == f.folder / "cuda/bin/nvdisasm");
    }
}

TEST_CASE("the text parser: labels become offsets, padding and notation differences are taken") {
    const char* text =
        "\t.section\t.text.k,\"ax\",@progbits\n"
        "        .size           k,(.L_x_9 - k)\n"
        "k:\n.text.k:\n"
        "        /*0000*/                   ISETP.GE.AND P0, PT, R5, 0x1, PT ;          /* "
        "0x000000010500780c */\n"
        "                                                                               /* "
        "0x000fe20003f06270 */\n"
        ".L_x_7:\n"
        "        /*0010*/              @!P0 BRA `(.L_x_8) ;          /* 0x00000d7000008947 */\n"
        "                                                             /* 0x000fea0003800000 */\n"
        "        /*0020*/                   BRX R6 -0x130             (*\"BRANCH_TARGETS .L_x_7,.L_x_8\"*);  "
        "  /* 0xfffffffc06b47949 */\n"
        "                                                             /* 0x000fea000383ffff */\n"
        "        /*0030*/                   RET.REL.NODEC R20 `(k) ;    /* 0xfffffffc14707950 */\n"
        "                                                             /* 0x008fec0003c3ffff */\n"
        ".L_x_8:\n"
        "        /*0040*/                   BRA `(.L_x_8);    /* 0xfffffff000007947 */\n"
        "                                                             /* 0x000fc0000383ffff */\n"
        ".L_x_9:\n"
        "\t.section\t.nv.info,\"\",@SHT_CUDA_INFO\n"
        "        /*0000*/ .byte 0x04, 0x2f\n";
    const auto parsed = parse_nvdisasm(text);
    REQUIRE(parsed.size() == 1);
    const auto& lines = parsed.at("k");
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].text == "ISETP.GE.AND P0, PT, R5, 0x1, PT");
    CHECK(lines[0].word == Word{0x000000010500780cull, 0x000fe20003f06270ull});
    CHECK(lines[1].text == "@!P0 BRA `(.L_x_40)");
    CHECK(lines[2].text == "BRX R6 -0x130 (*\"BRANCH_TARGETS .L_x_10,.L_x_40\"*)");
    CHECK(lines[3].text == "RET.REL.NODEC R20 `(k)");
    CHECK(lines[4].text == "BRA `(.L_x_40)");
    CHECK(lines[4].offset == 0x40);
}

TEST_CASE("damaged output never does harm") {
    Fixture f;
    const std::string good = nvdisasm_output(*f.cubin, f.texts).substr(0, 6000);
    std::mt19937_64 random(37);
    for (int i = 0; i < 2000; ++i) {
        std::string text = good;
        for (std::uint64_t n = 1 + random() % 30; n > 0; --n)
            text[random() % text.size()] = static_cast<char>(random() % 256);
        text.resize(random() % (text.size() + 1));
        std::size_t lines = 0;
        for (const auto& [name, kernel] : parse_nvdisasm(text))
            lines += kernel.size();
        REQUIRE(lines < 1000);
    }
}

TEST_CASE("stored listings: there and back, and every kind of damage is refused") {
    Fixture f;
    const Hash128 hash = hash_bytes(f.cubin->bytes().subspan(f.kernel().code_offset, f.kernel().code_size));
    CHECK(write_stored_listing(f.kernel(), hash, f.texts) == f.stored);
    CHECK(f.stored.rfind("cubinlab-listing 1 softmax " + hash.hex() + "\n0000\tLDC R1, c[0x0][0x28]\n", 0) ==
          0);
    const auto refused = [&](std::string text, std::string_view part) {
        const auto lines = read_stored_listing(text, "softmax", hash);
        REQUIRE_FALSE(lines);
        INFO(lines.error().message());
        CHECK(lines.error().what.find(part) != std::string::npos);
    };
    refused("", "cubinlab-listing");
    refused("hello\n", "cubinlab-listing");
    refused("cubinlab-listing 1 softmax " + Hash128{}.hex() + "\n0000\tNOP\n", "other code");
    refused("cubinlab-listing 1 softmax short\n0000\tNOP\n", "contains no kernel");
    refused("cubinlab-listing 1 softmax " + hash.hex() + "\n0010\tNOP\n", "offset 0000");
    refused("cubinlab-listing 1 softmax " + hash.hex() + "\n0000 NOP\n", "OFFSET<TAB>TEXT");
    CHECK_FALSE(read_stored_listing(f.stored, "bmm", hash));
    // Several kernels in one file.
    const std::string two = "cubinlab-listing 1 other " + Hash128{}.hex() + "\n0000\tEXIT\n" + f.stored;
    CHECK(*read_stored_listing(two, "softmax", hash) == f.texts);
    CHECK(*read_stored_listing(two, "other", Hash128{}) == std::vector<std::string>{"EXIT"});
    CHECK(default_listing_path("a/b.cubin") == fs::path("a/b.listing"));
}

TEST_CASE("every sample has a stored listing for its very code") {
    int seen = 0;
    for (const auto& entry : fs::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().extension() != ".cubin") continue;
        INFO(entry.path().string());
        const auto cubin = open_cubin(entry.path());
        const KernelInfo& kernel = cubin->kernels()[0];
        const auto text = required(read_text(default_listing_path(entry.path())));
        const auto lines = required(read_stored_listing(
            *text, kernel.name, hash_bytes(cubin->bytes().subspan(kernel.code_offset, kernel.code_size))));
        CHECK(lines->size() == kernel.code_size / kWordBytes);
        ++seen;
    }
    CHECK(seen == 13);
}
