// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>

#include "core/base/bounded_json.h"
#include "core/evidence/schedule_patch.h"

namespace cubinlab {
namespace {

constexpr const char* kFormat = "cubinlab-schedule-patch 1";
constexpr std::size_t kMostInstructions = 1 << 22;
using Json = nlohmann::ordered_json;

// "  3  B------:R-:W-:-:S01 r0  LDG.E R2, [R4]": number in the compiler's order, control code, instruction. A field that
// is rewritten besides follows the control code: "  3  B------:R-:W-:-:S01 r0 evict_first  LDG.E.EF R2, [R4]".
constexpr std::size_t kControlText = 22;  // characters of a control code with its reuse mask

std::string line_text(std::size_t number, const PatchLine& line) {
    std::string fields;
    for (const FieldValue& value : line.fields)
        fields += (fields.empty() ? "" : " ") + field_of(value.kind).text(value.bits);
    return fmt::format("{:4}  {}  {}", number, fields, line.text);
}

// One word of another field than the control code.
Result<FieldValue> other_field(std::string_view word) {
    for (const FieldKind* kind : kFieldKinds)
        if (kind != &kControlField)
            if (const auto bits = kind->parse(word)) return FieldValue{kind->kind, *bits};
    return fail(ErrorCode::BadInput, fmt::format("'{}' is not a field of an instruction", word));
}

Result<std::vector<FieldValue>> fields_from(std::string_view text) {
    if (text.size() < kControlText) return fail(ErrorCode::BadInput, "lacks a control code");
    std::vector<FieldValue> out;
    auto control = TRY(kControlField.parse(text.substr(0, kControlText)));
    out.push_back({EditKind::Control, control});
    for (text.remove_prefix(kControlText); !text.empty();) {
        if (text.front() != ' ') return fail(ErrorCode::BadInput, "lacks a blank between two fields");
        text.remove_prefix(1);
        const std::string_view word = text.substr(0, text.find(' '));
        auto value = TRY(other_field(word));
        out.push_back(value);
        text.remove_prefix(word.size());
    }
    return out;
}

struct Line {
    std::size_t number = 0;
    PatchLine line;
};

Result<Line> line_from(const std::string& whole) {
    std::string_view rest = whole;
    const auto bad = [&] {
        return fail(ErrorCode::BadInput, fmt::format("'{}' is not a line of a patch", whole.substr(0, 120)));
    };
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
    Line out;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out.number);
    if (error != std::errc{}) return bad();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with("  ")) return bad();
    rest.remove_prefix(2);
    const std::size_t gap = rest.find("  ");
    if (gap == std::string_view::npos) return bad();
    auto fields = TRY(fields_from(rest.substr(0, gap)));
    out.line = {std::move(fields), std::string(rest.substr(gap + 2))};
    return out;
}

Json texts_json(const std::vector<std::string>& texts) {
    Json out = Json::array();
    for (const std::string& t : texts)
        out.push_back(t);
    return out;
}

Result<std::vector<std::string>> texts_from(const nlohmann::json& object, const char* name) {
    std::vector<std::string> out;
    const auto it = object.find(name);
    if (it == object.end() || !it->is_array())
        return fail(ErrorCode::BadInput, fmt::format("lacks the list \"{}\"", name));
    for (const nlohmann::json& text : *it) {
        if (!text.is_string())
            return fail(ErrorCode::BadInput, fmt::format("\"{}\" holds something that is not text", name));
        out.push_back(text.get<std::string>());
    }
    return out;
}

// A count that stands there and is none must not pass for one that was left out.
Result<std::size_t> count_from(const nlohmann::json& json, const char* key, std::size_t otherwise) {
    if (!json.contains(key)) return otherwise;
    if (const auto count = whole_number_in<std::size_t>(json[key])) return *count;
    return fail(ErrorCode::BadInput, fmt::format("'{}' of a block is not a count", key));
}

Result<PatchBlock> block_from(const nlohmann::json& json) {
    if (!json.is_object()) return fail(ErrorCode::BadInput, "is no block");
    PatchBlock out;
    out.at = TRY(count_from(json, "at", 0));
    out.which = TRY(count_from(json, "which", 0));
    out.of = TRY(count_from(json, "of", 1));
    auto before = texts_from(json, "before"), behind = texts_from(json, "behind");
    auto original = texts_from(json, "original"), tuned = texts_from(json, "tuned");
    for (const auto* part : {&before, &behind, &original, &tuned})
        if (!*part) return fail(part->error());
    out.before = std::move(*before);
    out.behind = std::move(*behind);
    for (const std::string& text : *original) {
        auto line = TRY(line_from(text));
        if (line.number != out.original.size())
            return fail(ErrorCode::BadInput, "the numbers of \"original\" do not count up");
        out.original.push_back(std::move(line.line));
    }
    if (tuned->size() != original->size() || original->empty())
        return fail(ErrorCode::BadInput, "\"tuned\" has another number of instructions than \"original\"");
    std::vector<bool> taken(original->size());
    for (const std::string& text : *tuned) {
        auto line = TRY(line_from(text));
        if (line.number >= taken.size() || taken[line.number])
            return fail(ErrorCode::BadInput,
                        fmt::format("instruction {} of \"tuned\" is there twice or not at all", line.number));
        if (out.original[line.number].text != line.line.text && line.line.fields.size() == 1)
            return fail(
                ErrorCode::BadInput,
                fmt::format("instruction {} is another one in \"tuned\" than in \"original\"", line.number));
        taken[line.number] = true;
        out.order.push_back(line.number);
        out.tuned.push_back(std::move(line.line));
    }
    return out;
}

}  // namespace

std::string patch_text(const SchedulePatch& patch) {
    Json blocks = Json::array();
    for (const PatchBlock& b : patch.blocks) {
        Json original = Json::array(), tuned = Json::array();
        for (std::size_t i = 0; i < b.original.size(); ++i)
            original.push_back(line_text(i, b.original[i]));
        for (std::size_t i = 0; i < b.order.size(); ++i)
            tuned.push_back(line_text(b.order[i], b.tuned[i]));
        blocks.push_back({{"at", b.at},
                          {"which", b.which},
                          {"of", b.of},
                          {"before", texts_json(b.before)},
                          {"behind", texts_json(b.behind)},
                          {"original", original},
                          {"tuned", tuned}});
    }
    const Json json = {{"format", kFormat},
                       {"kernel", patch.kernel},
                       {"arch", patch.arch},
                       {"original_code_hash", patch.original_code.hex()},
                       {"tuned_code_hash", patch.tuned_code.hex()},
                       {"stamp", patch.stamp},
                       {"blocks", blocks}};
    return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Result<SchedulePatch> read_patch(std::string_view text) {
    auto json = TRY(parse_json(text));
    if (!json.is_object() || json.value("format", nlohmann::json()) != kFormat)
        return fail(ErrorCode::BadInput, fmt::format("is not a schedule patch (\"format\": \"{}\")", kFormat));
    SchedulePatch out;
    const auto text_of = [&](const char* name) { return json_or(json, name, ""); };
    out.kernel = text_of("kernel");
    out.arch = text_of("arch");
    out.stamp = text_of("stamp");
    out.original_code = Hash128::from_hex(text_of("original_code_hash")).value_or(Hash128{});
    out.tuned_code = Hash128::from_hex(text_of("tuned_code_hash")).value_or(Hash128{});
    const auto blocks = json.find("blocks");
    if (out.kernel.empty() || blocks == json.end() || !blocks->is_array())
        return fail(ErrorCode::BadInput, "lacks \"kernel\" or \"blocks\"");
    std::size_t instructions = 0;
    for (const nlohmann::json& b : *blocks) {
        auto block = block_from(b);
        if (!block)
            return fail(ErrorCode::BadInput,
                        fmt::format("blocks[{}]: {}", out.blocks.size(), block.error().what));
        instructions += block->original.size();
        if (instructions > kMostInstructions)
            return fail(ErrorCode::BadInput, "has more instructions than a kernel can have");
        out.blocks.push_back(std::move(*block));
    }
    return out;
}

}  // namespace cubinlab
