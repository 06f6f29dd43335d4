// SPDX-License-Identifier: GPL-3.0-or-later
// PTX as compilers write it: Triton, nvcc, Inductor, CUTLASS, clang. The text is kept byte for byte; what is parsed
// are positions in it.
//
//   const ptx::Module module = TRY(ptx::parse(text));
//   for (const ptx::Entry& entry : module.entries) ...
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::ptx {

struct Statement {
    enum class Kind : std::uint8_t {
        Instruction,
        Label,
        Declaration,  // any directive that ends with ';': .reg, .param, .branchtargets, ...
        Pragma,
        Location,  // .loc, .file: ends with its line
        ScopeBegin,
        ScopeEnd,
        AsmBegin,  // the comment "begin inline asm"
        AsmEnd,
        Nothing,  // a comment that names registers of inline assembly, a ';' alone
    };
    Kind kind = Kind::Instruction;
    std::uint32_t begin = 0, end = 0;  // bytes of Module::text, without white space and comments around it
};

struct Parameter {
    std::string name;
    std::string type;       // "u64", "b8"
    std::size_t size = 0;   // bytes, of the whole array
    std::size_t align = 0;  // bytes; the size of the type where the text has none
    bool pointer = false;   // .ptr
};

using Extent = std::array<unsigned, 3>;

struct Entry {
    std::string name;
    std::vector<Parameter> parameters;
    std::optional<Extent> reqntid, maxntid, reqnctapercluster;
    std::optional<unsigned> minnctapersm, maxnreg;
    std::vector<Statement> body;  // in text order, without the outermost braces; empty for a declaration
};

struct Module {
    std::string text;
    std::string version;              // "8.7"
    std::vector<std::string> target;  // "sm_90a", "debug"
    unsigned address_size = 32;       // bits; the ISA's default
    std::vector<Entry> entries;

    const Entry* find(std::string_view entry) const;  // with a body; null: there is none
};

// Errors: BadInput, with the line in Error::where and the construct in Error::what. A text of more than 32 MiB and
// scopes nested deeper than 256 are refused.
Result<Module> parse(std::string text);

// The text with an entry renamed wherever it is named: the whole identifier in directives, calls and initialisers, and
// quoted strings that are the name. Longer names (`NAME_param_0`) stay. Names that debug sections spell as byte
// lists stay too: they are names of the source.
// Errors: those of parse, NotFound (no such entry), BadUse (`to` is no identifier, or the text already names it).
Result<std::string> rename_entry(const std::string& text, std::string_view from, std::string_view to);

}  // namespace cubinlab::ptx
