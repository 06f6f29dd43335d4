// SPDX-License-Identifier: GPL-3.0-or-later
// Sources compiled by nvcc, whose place a script takes: the cubin and the PTX next to it.
#include "core/start/compile_source.h"

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "tests/support/catch.h"

using namespace cubinlab;
namespace fs = std::filesystem;

namespace {

// Writes "made" where -o says and, where it is asked to keep what it makes, a PTX of the name of its input.
struct FakeNvcc {
    ScratchFolder folder = std::move(*required(ScratchFolder::make()));
    fs::path path = folder.path() / "nvcc";

    FakeNvcc() {
        required(write_text(path, R"(#!/bin/sh
for input; do :; done
case "$input" in *bad*) echo "$input(3): error: bad" >&2; exit 2;; esac
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then echo made >"$2"; fi
  if [ "$1" = --keep-dir ]; then dir=$2; fi
  shift
done
name=$(basename "$input")
case "$name" in *.cu) case "$name" in *silent*) ;; *) cat "$input" >"$dir/${name%.cu}.ptx";; esac;; esac
)"));
        fs::permissions(path, fs::perms::owner_all);
    }
    fs::path source(const std::string& name, const std::string& text) const {
        required(write_text(folder.path() / name, text));
        return folder.path() / name;
    }
    Result<fs::path> compile(const fs::path& from) const {
        return compile_source(from, "sm_90a", folder.path() / "out", path.string());
    }
};

}  // namespace

TEST_CASE("the PTX of a compiled source is kept next to its cubin, and never that of an earlier one") {
    const FakeNvcc nvcc;
    const fs::path cubin = *required(nvcc.compile(nvcc.source("k.cu", "first")));
    CHECK(cubin.filename() == "k.sm_90a.cubin");
    CHECK(*required(read_text(cubin)) == "made\n");
    const fs::path ptx = cubin.parent_path() / "k.sm_90a.ptx";
    CHECK(*required(read_text(ptx)) == "first");
    CHECK(nvcc.compile(nvcc.source("k.ptx", "a text")));
    CHECK(*required(read_text(ptx)) == "a text");
    CompileRequest edited{nvcc.source("k.cu", "on disk"), "unsaved",          "sm_90a",
                          nvcc.folder.path() / "out",     nvcc.path.string(), {}};
    CHECK(compile_source(edited));
    CHECK_THAT(*required(read_text(ptx)), contains_text("unsaved"));
    CHECK(nvcc.compile(nvcc.source("silent.cu", "x")));
    required(write_text(cubin.parent_path() / "silent.sm_90a.ptx", "old"));
    CHECK(nvcc.compile(nvcc.source("silent.cu", "x")));
    CHECK_FALSE(fs::exists(cubin.parent_path() / "silent.sm_90a.ptx"));
    const auto bad = nvcc.compile(nvcc.source("bad.cu", "x"));
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code == ErrorCode::BadInput);
    CHECK_FALSE(fs::exists(cubin.parent_path() / "bad.sm_90a.cubin"));
}
