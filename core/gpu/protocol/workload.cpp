// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/workload.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/gpu/protocol/captured_launch.h"

namespace cubinlab {
namespace {

using nlohmann::json;

// Reads one workload. Throws Error inside this file only; `parse` catches.
class Reader {
  public:
    explicit Reader(std::filesystem::path beside) : beside_(std::move(beside)) {}

    Workload read(const json& root) {
        object(root, "the workload",
               {"kernel", "grid", "block", "dynamic_shared_bytes", "cluster", "cooperative", "params",
                "check", "about", "name", "shapes", "captured"});
        Workload out;
        if (const auto* v = find(root, "name")) out.name = text(*v, "name");
        out.kernel = text(need(root, "kernel", ""), "kernel");
        if (out.kernel.empty()) bad("kernel", "must not be empty; give the kernel's (mangled) name");
        out.grid = extent(need(root, "grid", ""), "grid");
        out.block = extent(need(root, "block", ""), "block");
        if (const auto* v = find(root, "dynamic_shared_bytes"))
            out.dynamic_shared_bytes =
                static_cast<std::uint32_t>(whole(*v, "dynamic_shared_bytes", 0, 1 << 20));
        if (const auto* v = find(root, "cluster")) out.cluster = extent(*v, "cluster");
        if (const auto* v = find(root, "cooperative")) out.cooperative = boolean(*v, "cooperative");
        if (const auto* v = find(root, "about")) out.about = text(*v, "about");
        const json& params = need(root, "params", "");
        if (!params.is_array())
            bad("params", "must be a list of {\"buffer\": ...}, {\"scalar\": ...} or {\"raw\": ...}");
        if (params.size() > Workload::kMaxParams)
            bad("params", fmt::format("has more than {} entries", Workload::kMaxParams));
        for (std::size_t i = 0; i < params.size(); ++i)
            out.params.push_back(param(params[i], fmt::format("params[{}]", i)));
        check_aliases(out);
        if (const auto* v = find(root, "captured"))
            if (auto captured = CapturedLaunch::read(*v, out.params); !captured)
                throw Error(captured.error());
        if (const auto* v = find(root, "check")) out.tolerance = check(*v);
        return out;
    }

    // The workload of an entry of "shapes": its fields replace those of the workload; entries of "params" (by
    // ordinal) are merged into the parameter (JSON merge patch, RFC 7396).
    static json shape_of(const json& root, std::size_t index) {
        const std::string at = fmt::format("shapes[{}]", index);
        const json& shape = root["shapes"][index];
        object(shape, at,
               {"name", "grid", "block", "dynamic_shared_bytes", "cluster", "cooperative", "params", "check",
                "about", "captured"});
        json out = root;
        out.erase("shapes");
        if (text(need(shape, "name", at), join(at, "name")).empty())
            bad(join(at, "name"), "must not be empty");
        for (const auto& [key, value] : shape.items()) {
            if (key != "params") {
                out[key] = value;
                continue;
            }
            if (!value.is_object())
                bad(join(at, "params"), "must be an object of parameter numbers, {\"0\": {...}}");
            for (const auto& [number_text, patch] : value.items()) {
                const bool digits = !number_text.empty() && number_text.size() < 5 &&
                                    number_text.find_first_not_of("0123456789") == std::string::npos;
                const std::size_t i = digits ? std::stoul(number_text) : Workload::kMaxParams;
                if (!out["params"].is_array() || i >= out["params"].size())
                    bad(join(at, "params"),
                        fmt::format("'{}' is not a parameter number; the first is \"0\"", number_text));
                out["params"][i].merge_patch(patch);
            }
        }
        return out;
    }
    static std::size_t shapes_in(const json& root) {
        const json* shapes = find(root, "shapes");
        if (!shapes) return 0;
        if (!shapes->is_array() || shapes->size() > 64)
            bad("shapes", "must be a list of at most 64 objects, each with a \"name\" and what it changes");
        return shapes->size();
    }
    bool make_captured_absolute(json& root) const {
        bool changed = false;
        if (!root.contains("captured") || beside_.empty()) return false;
        for (json& set : root["captured"]["sets"]) {
            const std::filesystem::path given = set["memory"].get<std::string>();
            if (given.is_absolute()) continue;
            set["memory"] = std::filesystem::absolute(path(given.string())).lexically_normal().string();
            changed = true;
        }
        return changed;
    }
    // Makes the paths of input files absolute; true if a path changed.
    bool make_absolute(json& root) const {
        bool changed = make_captured_absolute(root);
        if (!root.contains("params")) return changed;
        for (json& param : root["params"]) {
            if (!param.contains("buffer") || !param["buffer"].contains("init")) continue;
            json& init = param["buffer"]["init"];
            if (!init.is_object() || !init.contains("file") || !init["file"].is_string()) continue;
            const std::filesystem::path given = init["file"].get<std::string>();
            if (given.is_absolute() || beside_.empty()) continue;
            init["file"] = std::filesystem::absolute(path(given.string())).lexically_normal().string();
            changed = true;
        }
        return changed;
    }

  private:
    [[noreturn]] static void bad(const std::string& field, const std::string& what) {
        throw Error{ErrorCode::BadInput, what, field};
    }
    static const json* find(const json& object, const char* key) {
        const auto it = object.find(key);
        return it == object.end() || it->is_null() ? nullptr : &*it;
    }
    static std::string join(const std::string& at, const char* key) {
        return at.empty() ? key : at + "." + key;
    }
    static const json& need(const json& object, const char* key, const std::string& at) {
        const json* value = find(object, key);
        if (!value) bad(join(at, key), "is missing");
        return *value;
    }
    static void object(const json& value, const std::string& at, std::initializer_list<const char*> known) {
        if (!value.is_object()) bad(at, "must be an object {...}");
        for (const auto& [key, unused] : value.items()) {
            bool ok = false;
            std::string names;
            for (const char* name : known) {
                ok = ok || key == name;
                names += names.empty() ? name : std::string(" ") + name;
            }
            if (!ok) bad(at, fmt::format("has an unknown field '{}'; known fields: {}", key, names));
        }
    }
    static std::string text(const json& value, const std::string& at) {
        if (!value.is_string()) bad(at, "must be a string");
        return value.get<std::string>();
    }
    static bool boolean(const json& value, const std::string& at) {
        if (!value.is_boolean()) bad(at, "must be true or false");
        return value.get<bool>();
    }
    static double number(const json& value, const std::string& at) {
        if (!value.is_number()) bad(at, "must be a number");
        return value.get<double>();
    }
    static std::int64_t whole(const json& value, const std::string& at, std::int64_t low, std::int64_t high) {
        const bool fits = value.is_number_unsigned()
                              ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
                              : true;
        if (!value.is_number_integer() || !fits || value.get<std::int64_t>() < low ||
            value.get<std::int64_t>() > high)
            bad(at, fmt::format("must be a whole number from {} to {}", low, high));
        return value.get<std::int64_t>();
    }
    static std::array<std::uint32_t, 3> extent(const json& value, const std::string& at) {
        if (!value.is_array() || value.empty() || value.size() > 3)
            bad(at, "must be a list of 1 to 3 whole numbers [x, y, z]");
        std::array<std::uint32_t, 3> out{1, 1, 1};
        for (std::size_t i = 0; i < value.size(); ++i)
            out[i] = static_cast<std::uint32_t>(whole(value[i], fmt::format("{}[{}]", at, i), 1, 0x7fffffff));
        return out;
    }

    Param param(const json& value, const std::string& at) {
        object(value, at, {"buffer", "scalar", "raw", "name", "about"});
        const int kinds = (find(value, "buffer") != nullptr) + (find(value, "scalar") != nullptr) +
                          (find(value, "raw") != nullptr);
        if (kinds != 1) bad(at, "must hold exactly one of \"buffer\", \"scalar\" and \"raw\"");
        if (const auto* v = find(value, "buffer")) return buffer(*v, at + ".buffer");
        if (const auto* v = find(value, "scalar")) return scalar(*v, at + ".scalar");
        return raw(*find(value, "raw"), at + ".raw");
    }

    BufferParam buffer(const json& value, const std::string& at) {
        object(value, at, {"dtype", "shape", "init", "output", "inout", "alias_of", "alias", "name"});
        BufferParam out;
        const std::string name = text(need(value, "dtype", at), at + ".dtype");
        const auto dtype = dtype_from(name);
        if (!dtype) bad(at + ".dtype", fmt::format("'{}' is not one of {}", name, kDtypeNames));
        out.dtype = *dtype;
        const json& shape = need(value, "shape", at);
        if (!shape.is_array() || shape.empty() || shape.size() > 16)
            bad(at + ".shape", "must be a list of 1 to 16 whole numbers, for example [512, 2048]");
        std::uint64_t elements = 1;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const auto extent_i =
                static_cast<std::uint64_t>(whole(shape[i], fmt::format("{}.shape[{}]", at, i), 1,
                                                 static_cast<std::int64_t>(Workload::kMaxBufferBytes)));
            if (extent_i > Workload::kMaxBufferBytes / size_of(out.dtype) / elements)
                bad(at + ".shape", fmt::format("asks for more than {} GiB", Workload::kMaxBufferBytes >> 30));
            elements *= extent_i;
            out.shape.push_back(extent_i);
        }
        if (const auto* v = find(value, "output")) out.output = boolean(*v, at + ".output");
        if (const auto* v = find(value, "inout")) out.inout = boolean(*v, at + ".inout");
        for (const char* key : {"alias_of", "alias"})
            if (const auto* v = find(value, key))
                out.alias_of = static_cast<int>(whole(*v, join(at, key), 0, Workload::kMaxParams));
        if (out.inout) out.output = true;
        if (const auto* v = find(value, "init")) out.init = init(*v, at + ".init");
        return out;
    }

    Init init(const json& value, const std::string& at) {
        static const char* expected =
            "must be one of {\"normal\": {\"mean\", \"std\"}}, {\"uniform\": {\"low\", \"high\"}}, "
            "{\"constant\": value}, "
            "{\"range\": {\"start\", \"step\"}}, {\"integers\": {\"low\", \"high\"}}, {\"file\": \"path\"}";
        if (!value.is_object() || value.size() != 1) bad(at, expected);
        const std::string kind = value.begin().key();
        const json& v = value.begin().value();
        const std::string where = at + "." + kind;
        if (kind == "constant") return InitConstant{number(v, where)};
        if (kind == "file") return InitFile{path(text(v, where))};
        auto pair = [&](const char* first, double a, const char* second, double b) {
            object(v, where, {first, second});
            if (const auto* x = find(v, first)) a = number(*x, join(where, first));
            if (const auto* x = find(v, second)) b = number(*x, join(where, second));
            return std::pair(a, b);
        };
        if (kind == "normal") {
            const auto [mean, deviation] = pair("mean", 0, "std", 1);
            if (!(deviation >= 0)) bad(where + ".std", "must not be negative");
            return InitNormal{mean, deviation};
        }
        if (kind == "uniform") {
            const auto [low, high] = pair("low", 0, "high", 1);
            if (!(low <= high)) bad(where, "needs low <= high");
            return InitUniform{low, high};
        }
        if (kind == "range") {
            const auto [start, step] = pair("start", 0, "step", 1);
            return InitRange{start, step};
        }
        if (kind == "integers") {
            constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 2;
            object(v, where, {"low", "high"});
            InitIntegers out;
            if (const auto* x = find(v, "low")) out.low = whole(*x, where + ".low", -limit, limit);
            if (const auto* x = find(v, "high")) out.high = whole(*x, where + ".high", -limit, limit);
            if (out.low > out.high) bad(where, "needs low <= high");
            return out;
        }
        bad(at, expected);
    }

    std::filesystem::path path(const std::string& name) const {
        const std::filesystem::path given(name);
        return given.is_absolute() || beside_.empty() ? given : beside_.parent_path() / given;
    }

    ScalarParam scalar(const json& value, const std::string& at) {
        object(value, at, {"type", "value", "name"});
        ScalarParam out;
        out.type = text(need(value, "type", at), at + ".type");
        const auto dtype = dtype_from(out.type);
        if (!dtype) bad(at + ".type", fmt::format("'{}' is not one of {}", out.type, kDtypeNames));
        const json& v = need(value, "value", at);
        out.text = v.is_string() ? v.get<std::string>() : v.dump();
        out.bytes.resize(size_of(*dtype));
        if (!is_integer(*dtype)) {
            store_element(*dtype, number(v, at + ".value"), out.bytes.data());
            return out;
        }
        const bool is_unsigned = out.type[0] == 'u';
        const int bits = static_cast<int>(out.bytes.size()) * 8;
        if (!v.is_number_integer())
            bad(at + ".value", fmt::format("must be a whole number, as the type is {}", out.type));
        std::uint64_t pattern = 0;
        bool fits = true;
        if (v.is_number_unsigned()) {
            pattern = v.get<std::uint64_t>();
            const int usable = is_unsigned ? bits : bits - 1;
            fits = usable == 64 || pattern >> usable == 0;
        } else {  // negative
            const std::int64_t number_value = v.get<std::int64_t>();
            pattern = static_cast<std::uint64_t>(number_value);
            fits = !is_unsigned && (bits == 64 || number_value >= -(1ll << (bits - 1)));
        }
        if (!fits) bad(at + ".value", fmt::format("{} does not fit in {}", v.dump(), out.type));
        for (std::size_t i = 0; i < out.bytes.size(); ++i)
            out.bytes[i] = static_cast<std::byte>(pattern >> (8 * i));
        return out;
    }

    static RawParam raw(const json& value, const std::string& at) {
        const json* hex = &value;
        if (value.is_object()) {
            object(value, at, {"hex", "name"});
            hex = &need(value, "hex", at);
        }
        const std::string digits = text(*hex, at);
        auto digit = [&](char c) -> unsigned {
            if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
            if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
            if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
            bad(at, "must be hexadecimal digits, two for each byte");
        };
        constexpr std::size_t kMostBytes = 32764;  // that a kernel can be given
        if (digits.empty() || digits.size() % 2 != 0 || digits.size() > 2 * kMostBytes)
            bad(at,
                fmt::format("must be an even number of hexadecimal digits, at most {} bytes", kMostBytes));
        RawParam out;
        for (std::size_t i = 0; i < digits.size(); i += 2)
            out.bytes.push_back(static_cast<std::byte>(digit(digits[i]) * 16 + digit(digits[i + 1])));
        return out;
    }

    static void check_aliases(const Workload& workload) {
        for (std::size_t i = 0; i < workload.params.size(); ++i) {
            const auto* self = std::get_if<BufferParam>(&workload.params[i]);
            if (!self || self->alias_of < 0) continue;
            const std::string at = fmt::format("params[{}].buffer.alias_of", i);
            const auto other = static_cast<std::size_t>(self->alias_of);
            const BufferParam* target =
                other < i ? std::get_if<BufferParam>(&workload.params[other]) : nullptr;
            if (!target) bad(at, "must be the number of an earlier buffer parameter (the first is 0)");
            if (target->alias_of >= 0)
                bad(at, fmt::format("names an alias itself; use {}", target->alias_of));
            if (self->bytes() > target->bytes())
                bad(at, "is smaller than this buffer; give the larger one first");
        }
    }

    static std::optional<CheckTolerance> check(const json& value) {
        static const char* expected =
            "must be \"bitwise\" or {\"tolerance\": {\"absolute\": a, \"relative\": r}}";
        if (value.is_string()) {
            if (value != "bitwise") bad("check", expected);
            return std::nullopt;
        }
        if (!value.is_object() || !find(value, "tolerance")) bad("check", expected);
        object(value, "check", {"tolerance"});
        const json& v = *find(value, "tolerance");
        object(v, "check.tolerance", {"absolute", "relative"});
        CheckTolerance out;
        if (const auto* x = find(v, "absolute")) out.absolute = number(*x, "check.tolerance.absolute");
        if (const auto* x = find(v, "relative")) out.relative = number(*x, "check.tolerance.relative");
        if (!(out.absolute >= 0) || !(out.relative >= 0)) bad("check.tolerance", "must not be negative");
        return out;
    }

    std::filesystem::path beside_;
};

}  // namespace

std::uint64_t BufferParam::elements() const {
    std::uint64_t out = 1;
    for (std::uint64_t extent : shape)
        out *= extent;
    return out;
}

Result<Workload> Workload::parse(std::string_view text, const std::filesystem::path& beside) {
    const std::string file = beside.string();
    auto parsed = parse_json(text, JsonComments::Allowed);
    if (!parsed)
        return fail(
            ErrorCode::BadInput,
            fmt::format("is not a workload file (JSON with comments allowed): {}", parsed.error().what),
            file.empty() ? "workload" : file);
    const nlohmann::json root = std::move(*parsed);
    try {
        const Reader reader(beside);
        Workload out = Reader(beside).read(root);
        nlohmann::json whole = root;
        bool changed = reader.make_absolute(whole);
        for (std::size_t i = 0; i < Reader::shapes_in(root); ++i) {
            nlohmann::json shape = Reader::shape_of(root, i);
            try {
                out.shapes.push_back(Reader(beside).read(shape));
            } catch (Error& error) {
                error.where = fmt::format("shapes[{}], {}", i, error.where);
                throw;
            }
            reader.make_absolute(shape);
            out.shapes.back().json = shape.dump(1);
            for (std::size_t k = 0; k < i; ++k)
                if (out.shapes[k].name == out.shapes[i].name)
                    throw Error{ErrorCode::BadInput, "is the name of another shape, too",
                                fmt::format("shapes[{}].name", i)};
            if (reader.make_captured_absolute(whole["shapes"][i])) changed = true;
            if (!whole["shapes"][i].contains("params")) continue;
            // A patch may name files too.
            nlohmann::json patches = {{"params", nlohmann::json::array()}};
            std::vector<std::string> keys;
            for (const auto& [key, patch] : whole["shapes"][i]["params"].items()) {
                patches["params"].push_back(patch);
                keys.push_back(key);
            }
            if (!reader.make_absolute(patches)) continue;
            changed = true;
            for (std::size_t k = 0; k < keys.size(); ++k)
                whole["shapes"][i]["params"][keys[k]] = patches["params"][k];
        }
        out.json = changed ? whole.dump(1) : std::string(text);
        return out;
    } catch (Error& error) {
        if (!file.empty()) error.where = file + ": " + error.where;
        return fail(std::move(error));
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput,
                    fmt::format("is not a workload file (JSON with comments allowed): {}", message_of(error)),
                    file.empty() ? "workload" : file);
    }
}

Result<Workload> Workload::load(const std::filesystem::path& path) {
    auto text = read_text(path, 16u << 20);
    if (!text) {
        Error error = text.error();
        if (error.code == ErrorCode::NotFound)
            error.what += "; write one with `cubinlab workload init`, or name another with --workload";
        return fail(std::move(error));
    }
    return parse(*text, path);
}

std::filesystem::path default_workload_path(const std::filesystem::path& cubin, const std::string& kernel) {
    std::filesystem::path out = cubin;
    return out.replace_extension(kernel + ".workload.json");
}

}  // namespace cubinlab
