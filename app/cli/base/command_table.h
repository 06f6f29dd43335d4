// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of one program: name, options and body of each are given once, and parsing, help and errors of
// use follow from that.
//
//   CommandTable table("cubinlab", "CubinLab: ...", version_line());
//   CLI::App* info = table.add("info", "kernels, architecture", options, run_info);
//   info->add_option("FILE", options.file, "cubin")->required();
//   return table.run(argc, argv);
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "core/base/result.h"

namespace cubinlab::cli {

class CommandTable {
  public:
    CommandTable(std::string program, const std::string& about, const std::string& version);

    // Where the words choose this command, `body(options)` gives the exit code, or the error to print.
    // `options` must outlive run().
    template <class Options, class Body>
    CLI::App* add(const char* name, const char* about, Options& options, Body body,
                  CLI::App* group = nullptr) {
        CLI::App* command = (group ? group : &app_)->add_subcommand(name, about);
        command->callback([this, &options, body] {
            run_ = [&options, body] {
                const Result<int> code = body(options);
                return code ? *code : print_error(code.error(), options.json);
            };
        });
        return command;
    }
    CLI::App* add_group(const char* name, const char* about);  // of commands that it needs one of
    // A command that another program has now: whatever stands behind it, the answer is one line, bad use.
    void add_moved(const std::string& name, const std::string& where);

    // What stands behind the first -- is a program with its arguments, which goes to `words` as it is.
    void add_program(const std::string& name, std::vector<std::string>& words) { programs_[name] = &words; }

    // Names of all commands, with `help`, `manual` and `completion`; not those that moved.
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;  // those that moved, too
    // 0 ok, 1 found problems, 2 bad use or bad input, 3 no GPU.
    int run(int argc, char** argv);

  private:
    int print_help(std::span<char*> words, bool json);
    int print_script(std::span<char*> words, bool json);  // manual, completion SHELL
    int tell_moved(const std::string& name, bool json) const;
    Error use_error(std::span<char*> words, const std::string& what);

    std::string program_;
    CLI::App app_;
    std::function<int()> run_;
    std::map<std::string, std::vector<std::string>*> programs_;
    std::map<std::string, std::string> moved_;  // to the command line that does it now
};

// "; did you mean show?", or nothing where nothing was meant.
std::string hint(const std::string& meant);

}  // namespace cubinlab::cli
