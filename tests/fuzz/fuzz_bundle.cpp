// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence bundles: the input is evidence.json, or (first byte 'p') the stamp beside a sound one; the cubins
// and the workload of the folder are a sample's.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/evidence/evidence_bundle.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

namespace {

// In memory where there is such a file system; goes away with the process.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::error_code none;
        const std::filesystem::path base =
            std::filesystem::exists("/dev/shm", none) ? "/dev/shm" : std::filesystem::temp_directory_path();
        path = base / ("cubinlab-fuzz-bundle-" + std::to_string(::getpid()));
        std::filesystem::create_directories(path);
        for (const char* name : {"original.cubin", "candidate.cubin"})
            std::filesystem::copy_file(CUBINLAB_SAMPLES "/softmax.cubin", path / name,
                                       std::filesystem::copy_options::overwrite_existing);
        std::filesystem::copy_file(CUBINLAB_SAMPLES "/softmax.workload.json", path / "workload.json",
                                   std::filesystem::copy_options::overwrite_existing);
    }
    ~Folder() {
        std::error_code none;
        std::filesystem::remove_all(path, none);
    }
    void write(const char* name, std::string_view text) const {
        std::ofstream(path / name, std::ios::binary) << text;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    static const std::string sound = [] {
        std::ifstream in(CUBINLAB_TEST_DATA "/fuzz/bundle/sound.json", std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    }();
    const std::string_view text = fuzz::text_of(data, size);
    const bool stamp = text.starts_with('p');
    folder.write("evidence.json", stamp ? std::string_view(sound) : text);
    folder.write("candidate.cubin.provenance.json", stamp ? text.substr(1) : std::string_view("{}"));
    (void)check_bundle(folder.path);
    return 0;
}
