// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles of Nsight Compute: comma-separated values as they come, the columns of several versions, and the
// column in the listing.
#include <fstream>
#include <random>

#include "core/gpu/client/profile_csv.h"
#include "tests/ui/window_support.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/gutter.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// A source page as `ncu --page source --csv` writes it, with `samples(p)` at each position.
template <class Samples>
std::string source_page(const Kernel& kernel, const Schedule& schedule, Samples samples,
                        const std::string& column = "Warp Stall Sampling (All Samples)") {
    std::string text = "\"Kernel Name\",\"" + kernel.name() + "\"\n";
    text += "\"#\",\"Address\",\"Source\",\"" + column +
            "\",\"Warp Stall Sampling (Not-issued Samples)\",\"Instructions Executed\",\"stall_long_sb\","
            "\"stall_wait\",\"stall_wait_not_issued\"\n";
    for (Position p = 0; p < schedule.size(); ++p) {
        const int n = samples(p);
        text += "\"" + std::to_string(p + 1) + "\",\"" + std::to_string(0x7f0000000000 + p * 16) +
                "\",\"      @P0 " + kernel.instruction(schedule.at(p)).mnemonic +
                ".E R1, \"\"x\"\", R2\",\"" + std::to_string(n) + "\",\"0\",\"1,024\",\"" +
                std::to_string(n / 2) + "\",\"" + std::to_string(n - n / 2) + "\",\"9\"\n";
    }
    return text;
}

KernelPtr kernel_of(const char* name) {
    auto cubin = required(Cubin::open(sample(name)));
    return *Kernel::load(*cubin);
}

}  // namespace

TEST_CASE("comma-separated values: quotes, doubled quotes, line breaks inside, empty fields") {
    using Row = std::vector<std::string>;
    CHECK(parse_csv("").empty());
    CHECK(parse_csv("a,b\r\nc,d") == std::vector<Row>{{"a", "b"}, {"c", "d"}});
    CHECK(parse_csv("\"a,\"\"b\"\"\nc\",d\n") == std::vector<Row>{{"a,\"b\"\nc", "d"}});
    CHECK(parse_csv(",\n\n,,") == std::vector<Row>{{"", ""}, {"", "", ""}});
    CHECK(parse_csv("\"open") == std::vector<Row>{{"open"}});
    CHECK(parse_csv("\xef\xbb\xbf\"a\"") == std::vector<Row>{{"a"}});
}

TEST_CASE("samples and reasons of a source page go to the instructions of the schedule that was profiled") {
    const KernelPtr kernel = kernel_of("bmm_mma.cubin");
    const Schedule original(kernel);
    const auto samples = [](Position p) { return static_cast<int>(p % 7) * 100; };
    for (const char* column :
         {"Warp Stall Sampling (All Samples)", "# Samples", "Sampling Data (All)", "Something else"}) {
        auto tables = parse_profile("==PROF== Connected\n" + source_page(*kernel, original, samples, column));
        INFO(column);
        REQUIRE(tables);
        REQUIRE(tables->size() == 1);
        CHECK(tables->front().kernel == kernel->name());
        auto profile = required(match_profile(tables->front(), original));
        for (InstrId id = 0; id < kernel->size(); ++id)
            CHECK(profile->by_instr[id].samples == samples(id));
        CHECK(profile->most == 600);
        // "Not issued" is a part of its reason, not one more.
        CHECK(profile->by_instr[3].reasons.size() == 2);
        CHECK(profile->by_instr[3].reasons.front().second == 150);
    }
}

TEST_CASE("a profile of other code is refused with the first difference") {
    const KernelPtr kernel = kernel_of("bmm_mma.cubin");
    const KernelPtr other = kernel_of("softmax.cubin");
    auto tables = parse_profile(source_page(*other, Schedule(other), [](Position) { return 1; }));
    REQUIRE(tables);
    CHECK_FALSE(match_profile(tables->front(), Schedule(kernel)));
    for (const char* text :
         {"", "no table at all", "Address,Source\n0,FADD", "\"Address\",\"Source\",\"x\"\n1,2,3"}) {
        auto none = parse_profile(text);
        REQUIRE_FALSE(none);
        CHECK(none.error().what.find("ncu --import") != std::string::npos);
    }
}

TEST_CASE("no mutation of a profile brings the reader down") {
    const KernelPtr kernel = kernel_of("softmax.cubin");
    const Schedule original(kernel);
    const std::string good = source_page(*kernel, original, [](Position p) { return static_cast<int>(p); });
    std::mt19937 random(1);
    const std::string bits = "\",\n\r0\xff";
    for (int i = 0; i < 300; ++i) {
        std::string text = good;
        for (int n = 0; n < 8; ++n) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0)
                text.erase(at, random() % 40);
            else
                text[at] = bits[random() % bits.size()];
            if (text.empty()) break;
        }
        if (auto tables = parse_profile(text))
            for (const ProfileTable& table : *tables)
                (void)match_profile(table, original);
    }
}

QUIET_CASE(
    "an imported profile is a column of both listings, by instruction, and the tooltip has the reasons") {
    OpenWindow open;
    const KernelPtr kernel = open.window.document().kernel();
    const Position hot = 0x1270 / kWordBytes;
    std::ofstream(open.path("p.csv").toStdString())
        << source_page(*kernel, Schedule(kernel), [hot](Position p) { return p == hot ? 900 : 1; });
    open.window.hand_tools().import_profile(open.path("p.csv"));
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    const auto shown = [gutter] {
        for (const auto& [x, caption] : gutter->captions())
            if (caption == QStringLiteral("samples")) return true;
        return false;
    };
    REQUIRE(wait_for(shown));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("Original")));
    const int row = open.window.compare_view().rows().row_of(hot, Side::Right);
    const QString tip = gutter->tip_at(row, 30);
    CHECK(tip.contains(QStringLiteral("900 samples")));
    CHECK(tip.contains(QStringLiteral("stall_long_sb 450")));
    open.window.commands()[QStringLiteral("view.profile")]->trigger();
    CHECK_FALSE(shown());

    std::ofstream(open.path("bad.csv").toStdString()) << "nothing";
    open.window.hand_tools().import_profile(open.path("bad.csv"));
    REQUIRE(wait_for(
        [&] { return open.window.messages().newest_text().contains(QStringLiteral("Cannot import")); }));
}
