// SPDX-License-Identifier: GPL-3.0-or-later
// The device code in a file or folder: a cubin, a fatbin, a host program, library, object file or static
// library, a Triton cache, any folder of cubins, PTX text. Opening reads headers only; an image is unpacked
// on request. The original file is never changed.
//
//   auto container = Container::open("libkernels.so");
//   for (const Image& image : (*container)->images()) ...        // kind, architecture, offset
//   auto cubin = (*container)->cubin(image);                      // shared_ptr<const Cubin>
//
// To select a kernel by name, see core/binary/kernel_list.h. Formats: resources/docs/own-kernels.md.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/binary/fatbin.h"
#include "core/binary/file_bytes.h"
#include "core/binary/triton_entry.h"
#include "core/binary/cubin.h"

namespace cubinlab {

struct Image {
    std::size_t index = 0;  // in Container::images(); the user interface counts from 1
    ImageKind kind = ImageKind::Elf;
    Packing packing = Packing::Raw;
    std::optional<Arch> arch;  // as the fatbin entry says; empty if there is no entry
    std::filesystem::path file;
    std::string member;   // "k.o" of an archive, "a/b.cubin" of a folder; empty for a single file
    std::string section;  // ".nv_fatbin", "__nv_relfatbin", "loaded segment"; empty outside of host ELF files
    std::string source;   // name of the source file in the fatbin entry
    std::string options;  // ptxas options
    bool in_fatbin = false;
    bool device_linked_from = false;            // in __nv_relfatbin: the program runs the linked result
    std::size_t offset = 0;                     // of the stored bytes in `file`
    std::size_t stored = 0;                     // stored size, bytes
    std::size_t unpacked = 0;                   // unpacked size, bytes
    std::shared_ptr<const TritonEntry> triton;  // if the image is in a Triton cache
    // Identifies the image in messages: "image 3: sm_90a ELF, zstd, libk.a(k.o)".
    std::string text() const;
};

// Limits for hostile files. The defaults suffice for the largest known libraries.
struct ContainerLimits {
    std::size_t images = 1 << 20;
    std::size_t members = 1 << 17;                       // members of an archive, files of a folder
    std::size_t image_bytes = std::size_t{512} << 20;    // unpacked size of one image
    std::size_t unpacked_bytes = std::size_t{16} << 30;  // total that one Container unpacks
    std::size_t searched_bytes = std::size_t{8} << 30;   // of a file of unknown kind; holes do not count
};

class Container {
  public:
    // Errors: NotFound, Io; BadInput with the reason if the file is valid and has no device code.
    static Result<std::shared_ptr<const Container>> open(const std::filesystem::path& path,
                                                         const ContainerLimits& limits = {});
    static Result<std::shared_ptr<const Container>> read(std::vector<std::byte> bytes,
                                                         const std::string& where,
                                                         const ContainerLimits& limits = {});

    const std::filesystem::path& where() const { return where_; }
    const std::string& what() const { return what_; }  // "cubin", "shared library", "Triton cache" ...
    const std::vector<Image>& images() const { return images_; }
    const std::vector<std::string>& notes() const { return notes_; }  // what is damaged or skipped

    // The image as the driver expects it. Thread-safe. Errors: BadInput (damaged, too large), Unsupported.
    Result<std::vector<std::byte>> bytes(const Image& image) const;
    // Parses an ELF image. If `any`, a cubin without kernels is accepted.
    Result<std::shared_ptr<const Cubin>> cubin(const Image& image, bool any = false) const;

  private:
    friend class ContainerReader;
    struct Budget;
    Container();
    std::filesystem::path where_;
    std::string what_;
    std::vector<Image> images_;
    std::vector<std::string> notes_;
    // A file of a folder is read on request; null if it is not in memory.
    std::vector<std::pair<std::filesystem::path, std::shared_ptr<const FileBytes>>> files_;
    std::vector<std::size_t> file_of_;  // by image
    ContainerLimits limits_;
    std::shared_ptr<Budget> budget_;
};

}  // namespace cubinlab
