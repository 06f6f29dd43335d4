// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/settings.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cubinlab::inject {
namespace {

std::string text(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool flag(const char* name) {
    const std::string value = text(name);
    return !value.empty() && value != "0";
}

std::uint64_t number(std::string_view text, std::uint64_t otherwise) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value > 0 ? value : otherwise;
}

Settings read() {
    Settings out;
    out.schedules = text("CUBINLAB_SCHEDULES");
    out.out = text("CUBINLAB_OUT");
    out.quiet = flag("CUBINLAB_QUIET");
    out.require = flag("CUBINLAB_REQUIRE");
    out.trial = flag("CUBINLAB_AB");
    out.all = out.trial && flag("CUBINLAB_AB_ALL");
    out.gate = text("CUBINLAB_AB_GATE") != "0";
    out.list = flag("CUBINLAB_LIST");
    out.time = flag("CUBINLAB_TIME");
    out.capture = text("CUBINLAB_CAPTURE");
    const std::string launch = text("CUBINLAB_CAPTURE_LAUNCH");
    if (launch.rfind("first:", 0) == 0) {
        out.count = number(std::string_view(launch).substr(6), 1);
    } else if (launch.rfind("sizes:", 0) == 0) {
        out.sizes = number(std::string_view(launch).substr(6), 1);
    } else {
        out.first = number(launch, 1);
    }
    out.limit = number(text("CUBINLAB_CAPTURE_LIMIT"), out.limit);
    out.fault = text("CUBINLAB_FAULT");
    return out;
}

}  // namespace

const Settings& settings() {
    static const Settings* const read_once = new Settings(read());  // outlives every destructor
    return *read_once;
}

}  // namespace cubinlab::inject
