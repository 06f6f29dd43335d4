// SPDX-License-Identifier: GPL-3.0-or-later
// What every command prints with: one JSON document or lines of text, errors in the same form.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/result/evaluator.h"

namespace cubinlab::cli {

using Json = nlohmann::ordered_json;

bool wants_json(int argc, char** argv);  // --json among the words
// Prints the document (always valid JSON: bytes that are not UTF-8 are replaced) and returns `code`.
int print_document(const Json& document, int code = 0);
// Who speaks on standard error; "cubinlab" where nobody was named.
void speak_as(const std::string& program);
// Text: "PROGRAM: ..." on standard error; JSON: {"error": {...}} on standard output. Returns the exit code.
int print_error(const Error& error, bool json);
// One line; what could steer a terminal or pass for another line (control characters, escapes, bidirectional
// marks, bytes that are no UTF-8) is shown as \n, \x1b, \u202e, however it came into a name.
void print_line(const std::string& line);
void print_text(const std::string& text);  // the program's own lines, as they are but for line ends likewise
std::string printable(std::string_view text);
void print_progress(const std::string& line);  // to standard error
// "wrote OUT", with what was there before.
std::string wrote_text(const std::string& out, const std::string& replaced);
// Standard output or error took no more (closed, a full disk): whatever runs should end.
bool output_lost();

// What gains of a run are: "measured on NVIDIA H200, cold cache" or "in modelled cycles, unmeasured".
std::string gains_of(const EvaluatorInfo& evaluator);
// As many digits as mean something: "18994.3 modelled cycles", "20.307 us".
std::string cost_text(double cost, std::string_view unit);
Json to_json(const Error& error);
Json to_json(const EvaluatorInfo& info);
Json to_json(const Outcome& outcome, EvaluatorKind by);

}  // namespace cubinlab::cli
