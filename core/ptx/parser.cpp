// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "core/base/parse_number.h"
#include "core/ptx/effects.h"
#include "core/ptx/module.h"
#include "core/ptx/token.h"

namespace cubinlab::ptx {

namespace {

std::size_t size_of_type(std::string_view type) {
    static constexpr std::pair<std::string_view, std::size_t> kNamed[] = {
        {"pred", 1}, {"f16x2", 4}, {"bf16x2", 4}, {"texref", 8}, {"samplerref", 8}, {"surfref", 8}};
    for (const auto& [name, size] : kNamed)
        if (type == name) return size;
    const std::size_t digit = std::min(type.find_first_of("0123456789"), type.size());
    return parse_number<std::size_t>(type.substr(digit)).value_or(0) / 8;
}

class Parser {
  public:
    Parser(Module& module, const std::vector<Token>& tokens)
        : module_(module), text_(module.text), tokens_(tokens) {}

    Status run() {
        while (!done())
            TRY(statement());
        if (module_.version.empty()) return error("the text has no .version directive");
        return {};
    }

  private:
    bool done() const { return at_ >= tokens_.size(); }
    bool sign(char c) const { return !done() && is(tokens_[at_], text_, c); }
    bool sign_after(char c) const { return at_ + 1 < tokens_.size() && is(tokens_[at_ + 1], text_, c); }
    bool word() const { return !done() && tokens_[at_].kind == Token::Kind::Word; }
    std::string_view here() const { return done() ? std::string_view() : tokens_[at_].in(text_); }
    bool take(char c) {
        const bool found = sign(c);
        at_ += found ? 1 : 0;
        return found;
    }
    tl::unexpected<Error> error(std::string what) const {
        const std::size_t at = done() ? text_.size() : tokens_[at_].begin;
        return fail(ErrorCode::BadInput, std::move(what), line_text(text_, at));
    }
    tl::unexpected<Error> unexpected(const std::string& in) const {
        if (done()) return error("the text ends inside " + in);
        return error(in + " has an unexpected '" + std::string(here().substr(0, 60)) + "'");
    }
    Result<std::string> take_word(const std::string& what) {
        if (!word()) return unexpected(what);
        return std::string(tokens_[at_++].in(text_));
    }
    Result<unsigned> take_number(const std::string& what) {
        const std::string said = TRY(take_word(what));
        const auto number = said.starts_with("0x") ? parse_number<unsigned>(said.substr(2), 16)
                                                   : parse_number<unsigned>(said);
        if (!number) return --at_, unexpected(what);
        return *number;
    }
    void skip_line() {
        do
            ++at_;
        while (!done() && !tokens_[at_].line_start);
    }
    // To behind the sign `last`, which is outside of brackets.
    Status skip_to(char last, const std::string& what) {
        std::string open;
        for (; !done(); ++at_) {
            const Token::Kind kind = tokens_[at_].kind;
            if (kind == Token::Kind::AsmBegin || kind == Token::Kind::AsmEnd) return unexpected(what);
            if (kind != Token::Kind::Sign) continue;
            const char c = text_[tokens_[at_].begin];
            if (c == last && open.empty()) return ++at_, Status();
            if (c == '{' || c == '(' || c == '[') open += c == '(' ? ')' : static_cast<char>(c + 2);
            if (c == ';') return unexpected(what);
            if (c != '}' && c != ')' && c != ']') continue;
            if (open.empty() || open.back() != c) return unexpected(what);
            open.pop_back();
        }
        return unexpected(what);
    }

    // One at the level of the module.
    Status statement() {
        static const std::vector<std::string_view> kLinking = {".extern", ".visible", ".weak", ".common"};
        static const std::vector<std::string_view> kVariables = {
            ".global", ".const", ".shared", ".local",     ".param", ".tex",     ".reg",
            ".alias",  ".sreg",  ".pragma", ".attribute", ".surf",  ".sampler", ".branchtargets"};
        const std::string_view first = here().substr(0, here().find('.', 1));  // of ".global.u32" too
        const auto any = [first](const std::vector<std::string_view>& names) {
            return std::find(names.begin(), names.end(), first) != names.end();
        };
        if (here() == ".entry" || here() == ".func") return function();
        if (any(kVariables)) return skip_to(';', "the declaration " + std::string(here()));
        if (here() == ".section") return section();
        if (here() == ".version") return version();
        if (here() == ".target") return target();
        if (here() == ".address_size") {
            ++at_;
            module_.address_size = TRY(take_number(".address_size"));
        } else if (here() == ".file" || here() == ".loc" || (sign('@') && sign_after('@'))) {
            skip_line();
        } else if (any(kLinking) || sign(';') || (!done() && tokens_[at_].kind > Token::Kind::Sign)) {
            ++at_;
        } else {
            return error("the module has an unknown construct '" + std::string(here().substr(0, 60)) + "'");
        }
        return {};
    }
    Status version() {
        ++at_;
        module_.version = TRY(take_word(".version"));
        return {};
    }
    Status target() {
        do {
            ++at_;
            module_.target.push_back(TRY(take_word(".target")));
        } while (sign(','));
        return {};
    }
    Status section() {
        ++at_;
        TRY(take_word(".section"));
        if (!take('{')) return unexpected(".section");
        return skip_to('}', ".section");
    }

    Status function() {
        const bool is_entry = here() == ".entry";
        const std::string what(here());
        ++at_;
        if (!is_entry && take('(')) TRY(skip_to(')', "the result of .func"));
        Entry entry;
        entry.name = TRY(take_word(what));
        if (take('(')) TRY(parameters(entry));
        TRY(performance_directives(entry));
        if (take(';')) return keep(is_entry, std::move(entry));
        if (!take('{')) return unexpected(what + " " + entry.name);
        TRY(body(entry));
        return keep(is_entry, std::move(entry));
    }
    Status keep(bool is_entry, Entry entry) {
        if (is_entry) module_.entries.push_back(std::move(entry));
        return {};
    }
    Status parameters(Entry& entry) {
        if (take(')')) return {};
        do
            TRY(parameter(entry));
        while (take(','));
        if (!take(')')) return unexpected("the parameters of " + entry.name);
        return {};
    }
    // .param .align 8 .b8 name[16], .param .u64 .ptr .global .align 1 name
    Status parameter(Entry& entry) {
        const std::string what = "a parameter of " + entry.name;
        Parameter p;
        while (word() && here().starts_with('.')) {
            const std::string_view part = here();
            ++at_;
            if (part == ".ptr") p.pointer = true;
            if (part == ".align") {
                const std::size_t align = TRY(take_number(what));
                if (!p.pointer) p.align = align;
            } else if (part == ".attribute" && take('(')) {
                TRY(skip_to(')', what));
            } else if (!p.pointer && size_of_type(part.substr(1)) != 0) {
                p.type = part.substr(1);
            }
        }
        p.name = TRY(take_word(what));
        p.size = size_of_type(p.type);
        if (p.align == 0) p.align = p.size;
        while (take('[')) {
            if (!sign(']')) p.size *= TRY(take_number(what));
            if (!take(']')) return unexpected(what);
        }
        entry.parameters.push_back(std::move(p));
        return {};
    }
    Status performance_directives(Entry& entry) {
        const std::string what = "the directives of " + entry.name;
        while (word()) {
            const std::string_view name = here();
            if (name == ".pragma") {
                TRY(skip_to(';', what));
            } else if (name == ".reqntid" || name == ".maxntid" || name == ".reqnctapercluster") {
                (name == ".reqntid"   ? entry.reqntid
                 : name == ".maxntid" ? entry.maxntid
                                      : entry.reqnctapercluster) = TRY(extent(what));
            } else if (name == ".minnctapersm" || name == ".maxnreg") {
                ++at_;
                (name == ".maxnreg" ? entry.maxnreg : entry.minnctapersm) = TRY(take_number(what));
            } else if (name == ".maxnctapersm" || name == ".maxclusterrank" || name == ".abi_preserve" ||
                       name == ".abi_preserve_control") {
                ++at_;
                TRY(take_number(what));
            } else if (name == ".noreturn" || name == ".unique" || name == ".explicitcluster" ||
                       name == ".blocksareclusters" || name == ".retain") {
                ++at_;
            } else if (name == ".attribute" && sign_after('(')) {
                at_ += 2;
                TRY(skip_to(')', what));
            } else if (name == ".loc" || name == ".file") {
                skip_line();
            } else {
                return unexpected(what);
            }
        }
        return {};
    }
    Result<Extent> extent(const std::string& what) {
        Extent e = {1, 1, 1};
        ++at_;
        for (unsigned& number : e) {
            number = TRY(take_number(what));
            if (!take(',')) break;
        }
        return e;
    }

    // What follows the '{' of a function, to its '}'.
    Status body(Entry& entry) {
        const std::size_t opened = at_;
        std::size_t depth = 1;
        bool assembly = false;
        while (!done()) {
            const std::size_t first = at_;
            if (tokens_[at_].kind == (assembly ? Token::Kind::AsmEnd : Token::Kind::AsmBegin))
                assembly = !assembly;
            else if (tokens_[at_].kind == Token::Kind::AsmEnd || (assembly && sign('}') && depth == 1))
                return error("inline assembly without its begin or its end");
            if (sign('}') && depth == 1) return ++at_, Status();
            const Statement::Kind kind = TRY(body_statement(entry.name));
            if (kind == Statement::Kind::ScopeBegin && ++depth > kDeepestScope)
                return error("scopes are nested deeper than " + std::to_string(kDeepestScope));
            if (kind == Statement::Kind::ScopeEnd) --depth;
            entry.body.push_back({kind, tokens_[first].begin, tokens_[at_ - 1].end});
        }
        at_ = opened - 1;
        return error("the body of " + entry.name + " has no end");
    }
    Result<Statement::Kind> body_statement(const std::string& function) {
        using Kind = Statement::Kind;
        const Token& token = tokens_[at_];
        if (token.kind == Token::Kind::AsmBegin) return ++at_, Kind::AsmBegin;
        if (token.kind == Token::Kind::AsmEnd) return ++at_, Kind::AsmEnd;
        if (token.kind == Token::Kind::Comment) return ++at_, Kind::Nothing;
        if (take('{')) return Kind::ScopeBegin;
        if (take('}')) return Kind::ScopeEnd;
        if (take(';')) return Kind::Nothing;
        if (sign('@')) return sign_after('@') ? (skip_line(), Kind::Location) : instruction(function);
        if (!word()) return unexpected("the body of " + function);
        if (here().starts_with('.')) return directive(function);
        if (sign_after(':')) return at_ += 2, Kind::Label;
        return instruction(function);
    }
    Result<Statement::Kind> directive(const std::string& function) {
        static const std::vector<std::string_view> kKnown = {
            ".reg",     ".param", ".local",  ".shared",        ".global",      ".const",         ".extern",
            ".visible", ".weak",  ".common", ".branchtargets", ".calltargets", ".callprototype", ".pragma"};
        const std::string_view name = here().substr(0, here().find('.', 1));  // of ".reg.b32" too
        if (name == ".loc" || name == ".file") return skip_line(), Statement::Kind::Location;
        if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
            return error("the body of " + function + " has an unknown directive '" +
                         std::string(name.substr(0, 60)) + "'");
        const bool pragma = name == ".pragma";
        TRY(skip_to(';', "the directive " + std::string(name)));
        return pragma ? Statement::Kind::Pragma : Statement::Kind::Declaration;
    }
    Result<Statement::Kind> instruction(const std::string& function) {
        if (take('@')) {
            take('!');
            TRY(take_word("the guard of an instruction"));
        }
        const char first = here().empty() ? '\0' : here()[0];
        if (!word() || first < 'a' || first > 'z') return unexpected("the body of " + function);
        TRY(skip_to(';', "the instruction " + std::string(here().substr(0, 60))));
        return Statement::Kind::Instruction;
    }

    Module& module_;
    std::string_view text_;
    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
};

}  // namespace

const Entry* Module::find(std::string_view entry) const {
    for (const Entry& e : entries)
        if (e.name == entry && !e.body.empty()) return &e;
    return nullptr;
}

Result<Module> parse(std::string text) {
    Module module;
    module.text = std::move(text);
    const std::vector<Token> tokens = TRY(tokens_of(module.text));
    TRY(Parser(module, tokens).run());
    return module;
}

}  // namespace cubinlab::ptx
