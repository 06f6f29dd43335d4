// SPDX-License-Identifier: GPL-3.0-or-later
// What device code lies in a file or folder, wherever it comes from: a cubin, a fatbin, a host program, library,
// object file or static library, a Triton cache or any folder of cubins, PTX text. Opening reads headers alone; an
// image is unpacked when it is asked for, and the original file is never changed.
//
//   auto container = Container::open("libkernels.so");
//   for (const Image& image : (*container)->images()) ...        // kind, architecture, place
//   auto cubin = (*container)->cubin(image);                      // shared_ptr<const Cubin>
//
// Kernels by name: core/containers/kernel_list.h. Formats: resources/docs/own-kernels.md.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/containers/fatbin.h"
#include "core/containers/file_bytes.h"
#include "core/containers/triton_entry.h"
#include "core/cubin/cubin.h"

namespace cubinlab {

struct Image {
    std::size_t index = 0;  // in Container::images(); people count from 1
    ImageKind kind = ImageKind::Elf;
    Packing packing = Packing::Raw;
    std::optional<Arch> arch;  // as the entry says; empty where there is no entry around it
    std::filesystem::path file;
    std::string member;   // "k.o" of an archive, "a/b.cubin" of a folder; empty where the file is not divided
    std::string section;  // ".nv_fatbin", "__nv_relfatbin", "loaded segment"; empty outside of host ELF files
    std::string source;   // the entry's own name: a source file
    std::string options;  // of ptxas
    bool in_fatbin = false;
    bool device_linked_from = false;            // of __nv_relfatbin: the program runs what was linked from it
    std::size_t offset = 0;                     // of the stored bytes in `file`
    std::size_t stored = 0;                     // bytes there
    std::size_t unpacked = 0;                   // bytes of the image
    std::shared_ptr<const TritonEntry> triton;  // of a Triton cache
    // "image 3: sm_90a ELF, zstd, libk.a(k.o)": what tells it from the others.
    std::string text() const;
};

// How much of a hostile file is followed. The defaults hold for the largest libraries there are.
struct ContainerLimits {
    std::size_t images = 1 << 20;
    std::size_t members = 1 << 17;                       // of an archive, files of a folder
    std::size_t image_bytes = std::size_t{512} << 20;    // unpacked, of one
    std::size_t unpacked_bytes = std::size_t{16} << 30;  // of all that one Container unpacks
    std::size_t searched_bytes = std::size_t{8} << 30;   // of a file of unknown kind; holes do not count
};

class Container {
  public:
    // Errors: NotFound and Io; BadInput where the file is understood and holds no device code, with the reason.
    static Result<std::shared_ptr<const Container>> open(const std::filesystem::path& path,
                                                         const ContainerLimits& limits = {});
    static Result<std::shared_ptr<const Container>> read(std::vector<std::byte> bytes,
                                                         const std::string& where,
                                                         const ContainerLimits& limits = {});

    const std::filesystem::path& where() const { return where_; }
    const std::string& what() const { return what_; }  // "cubin", "shared library", "Triton cache" ...
    const std::vector<Image>& images() const { return images_; }
    const std::vector<std::string>& notes() const { return notes_; }  // what is damaged or left out

    // The image as the driver gets it. Thread-safe. Errors: BadInput (damaged, too large), Unsupported.
    Result<std::vector<std::byte>> bytes(const Image& image) const;
    // Of an ELF image. With `any`, one without kernels is no error.
    Result<std::shared_ptr<const Cubin>> cubin(const Image& image, bool any = false) const;

  private:
    friend class ContainerReader;
    struct Budget;
    Container();
    std::filesystem::path where_;
    std::string what_;
    std::vector<Image> images_;
    std::vector<std::string> notes_;
    // A file of a folder is read when one of its images is asked for: null until then, and after.
    std::vector<std::pair<std::filesystem::path, std::shared_ptr<const FileBytes>>> files_;
    std::vector<std::size_t> file_of_;  // by image
    ContainerLimits limits_;
    std::shared_ptr<Budget> budget_;
};

}  // namespace cubinlab
