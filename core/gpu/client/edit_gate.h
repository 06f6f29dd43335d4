// SPDX-License-Identifier: GPL-3.0-or-later
// Whether edited code of an architecture may run: for sm_100 and later only where the owner's GPU has passed
// `cubinlab doctor --edit-test` (core/tuning/edit_test.h). Editing, proving and the model do not ask.
//
//   TRY(edited_code_may_run(arch, gpu.device, gpu.driver));    // Refused, naming the command
//   TRY(edited_code_may_be_written(arch));                     // any GPU that passed will do
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/isa/arch.h"

namespace cubinlab {

// The newest test of one GPU model, driver and architecture.
struct EditTestRecord {
    std::string device;  // "NVIDIA B200"
    std::string driver;  // "580.95.05 (CUDA 13.0)"
    int sm = 0;          // of the code: 100
    bool passed = false;
    std::string sentence;  // for people
    std::string when;      // UTC
};

// $XDG_STATE_HOME/cubinlab/edit-tests.json, else below ~/.local/state. Empty: no home is known.
std::filesystem::path edit_test_file();
// Empty where there is no file or it is damaged.
std::vector<EditTestRecord> stored_edit_tests();
// Replaces the record of the same device, driver and architecture.
Status store_edit_test(const EditTestRecord& record);

// `--untested-architecture`: from now on this process asks for no test. Stamps say so.
void allow_untested_architecture();

Status edited_code_may_run(const Arch& arch, const std::string& device, const std::string& driver);
Status edited_code_may_be_written(const Arch& arch);
// What a stamp says of edited code of this architecture: who passed the test, or that nobody did. Empty where no
// test is needed.
std::string edit_test_note(const Arch& arch);
// Whether that is what some machine says.
bool is_edit_test_note(const Arch& arch, std::string_view note);

}  // namespace cubinlab
