// SPDX-License-Identifier: GPL-3.0-or-later
// render() against nvdisasm 12.4's text, blanks collapsed, branch labels by their target offset. The listings of
// sm_100 and later are by nvdisasm 13.0, one line of each form: its modifiers of rare forms are not all printed.
#include <iostream>
#include <map>

#include "core/sass/decoder.h"
#include "tests/core/sass/listing_data.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

std::string collapsed(const std::string& text) {
    std::string out;
    for (char c : text)
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

}  // namespace

TEST_CASE("The built-in text equals nvdisasm's on at least 99 percent of the lines of every listing, before sm_100") {
    long all = 0, all_equal = 0;
    for (const auto& file : test::listing_files()) {
        long lines = 0, equal = 0;
        std::map<std::string, std::string> examples;
        for (const auto& kernel : file.kernels)
            for (const auto& listed : kernel.instructions) {
                const std::string ours = collapsed(render(file.arch, listed.word, listed.offset));
                ++lines;
                if (ours == listed.text)
                    ++equal;
                else
                    examples.emplace(test::listed_opcode(listed.text), listed.text + "   <>   " + ours);
            }
        std::cout << "render: " << file.name << " " << equal << "/" << lines << "\n";
        for (const auto& [opcode, example] : examples)
            std::cout << "    " << example << "\n";
        CHECK(equal * 100 >= lines * (file.arch.sm < 100 ? 99 : 70));
        all += lines;
        all_equal += equal;
    }
    std::cout << "render: all " << all_equal << "/" << all << "\n";
    CHECK(all > 20000);
}

TEST_CASE("Unknown opcodes show their bits") {
    const std::string text = render({90, true}, {0x0000000000000fff, 0x000fe20000000000}, 0);
    CHECK(text.find("0x000fe20000000000") != std::string::npos);
}

TEST_CASE("Labels are byte offsets, guards stand first") {
    // sm_80 `@P0 BRA` at 0x12e0 with displacement -0x710 from the next word.
    CHECK(render({80, false}, {0xfffff8f000000947, 0x000fea000383ffff}, 0x12e0) == "@P0 BRA `(.L_x_be0)");
    CHECK(render({90, true}, {0xfffffff800b05947, 0x000ff0000383ffff}, 0x1210) == "@P5 BRA `(.L_x_ce0)");
}

TEST_CASE("Words that ptxas made from known PTX, by hand") {
    const Arch turing{75, false}, ampere{80, false}, ada{89, false}, hopper{90, false};
    CHECK(render(turing, {0x000080060000791a, 0x000fcc0000000000}, 0) == "DEPBAR.LE SB0, 0x0, {2,1}");
    CHECK(render(ampere, {0x0000000c0804723d, 0x004ff60000015404}, 0) ==
          "BMMA.168256.AND.POPC R4, R8.ROW, R12.COL, R4");
    CHECK(render(ampere, {0x000000000804723d, 0x004fde0000010c04}, 0) ==
          "BMMA.168128.XOR.POPC R4, R8.ROW, R0.COL, R4");
    CHECK(render(ada, {0x000000100c04727a, 0x0c0ff6000000ac08}, 0) ==
          "QMMA.16832.F32.E4M3.E5M2 R4, R12.reuse, R16.reuse, R8");
    CHECK(render(hopper, {0x0000000108047547, 0x008fea000b800000}, 0x1250) == "BRA.U !UP0, `(.L_x_1270)");
    CHECK(render(hopper, {0x0000007ba40d7243, 0x000fe4000000147a}, 0) ==
          "F2IP.S8.F32.NTZ R13, R164, R123, R122");
    CHECK(render({86, false}, {0x0000005140887243, 0x000fe200000014ff}, 0) ==
          "F2IP.S8.F32.NTZ R136, R64, R81, RZ");
    // nvdisasm knows no such instruction before sm_86.
    CHECK(render(ampere, {0x0000005140887243, 0x000fe200000014ff}, 0).find("F2IP") == std::string::npos);
    CHECK(render(hopper, {0x000000111400721f, 0x080fe40000760213}, 0) ==
          "PLOP3.LUT P3, PT, R20.SIGN, R17.reuse.SIGN, R19.SIGN, 0x2, 0x0");
}

TEST_CASE("Texts of seldom instructions are nvdisasm's") {
    const Arch turing{75, false}, ampere{80, false}, hopper{90, false};
    CHECK(render(turing, {0x000000f0120d7822, 0x010fe4000000200d}, 0) ==
          "FSWZADD.NDV R13, R18, R13, ZPZPPPPP");
    CHECK(render(ampere, {0x0000040004ff73aa, 0x000ea40000000500}, 0) == "QSPC.E.S P0, RZ, [R4+0x4]");
    CHECK(render(ampere, {0x00000004101c7214, 0x000fe400000c00ff}, 0) == "VABSDIFF.U32 R28, P6, R16, R4, RZ");
    CHECK(render(ampere, {0x000000020f1d7215, 0x020fe400000e08ff}, 0) == "VABSDIFF4.U8.ACC R29, R15, R2, RZ");
    CHECK(render(hopper, {0x0000001506007dbd, 0x004fe2000c00083f}, 0) == "STAS [R6.64], R21");
    CHECK(render(hopper, {0x0000101506007dbd, 0x004fe2000c000c04}, 0) == "STAS.128 [R6.64+UR4+0x10], R21");
    CHECK(render(hopper, {0x0000000210007dbe, 0x0003e2000900013f}, 0) == "REDAS.MAX [R16.64], R2");
    CHECK(render(hopper, {0x00000028000079c8, 0x010fc000080e0500}, 0) == "USETMAXREG.DEALLOC.CTAPOOL 0x28");
    CHECK(render(hopper, {0x000000a0000079c8, 0x000e640008000600}, 0) ==
          "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xa0");
    CHECK(render(hopper, {0x000000000000791b, 0x000fea0001000000}, 0) == "ENDCOLLECTIVE P2");
    CHECK(render(hopper, {0x0000100005027983, 0x000ea20008300800}, 0) == "LDL.LU R2, [R5+UR0+0x10]");
    CHECK(render(ampere, {0x0000100204007987, 0x0001e80008100805}, 0) == "STL [R4+UR5+0x10], R2");
    CHECK(render(hopper, {0x0000000007087348, 0x001fea0003c00000}, 0) ==
          "WARPSYNC.COLLECTIVE R7, `(.L_x_30)");
    CHECK(render(hopper, {0x000000080c0085b8, 0x0001f00008018000}, 0) == "@!UP0 UTMAPF.L2.4D [UR8], [UR12]");
    CHECK(render(ampere, {0x0000000707077220, 0x0002fe2000200000}, 0) == "FMUL.D4 R7, R7, R7");
    CHECK(render(ampere, {0x3f803f8004047831, 0x000fe40000200003}, 0) == "HFMA2.BF16_V2 R4, R4, 1, 1, R3");
    CHECK(render(turing, {0x00100000ff007984, 0x000ea20000001800}, 0) == "LDS.U R0, [0x1000]");
    CHECK(render(turing, {0x00100007ff009388, 0x0003e40000000800}, 0) == "@!P1 STS [0x1000], R7");
    CHECK(render(hopper, {0x000000405f5e7846, 0x004fe20003800106}, 0) == "VIADDMNMX R94, R95, 0x40, R6, PT");
    CHECK(render(hopper, {0x000000280f707248, 0x001fc60003fe1100}, 0) == "VIMNMX.RELU R112, R15, R40, PT");
}

TEST_CASE("sm_75: the offset of an access at a generic address has 32 bits") {
    const Arch turing{75, false};
    const Word load{0x000001c80202a980, 0x000ea2000010eb00}, store{0x0000000808007385, 0x000fe8000010eb06};
    CHECK(render(turing, load, 0) == "@!P2 LD.E.64.SYS R2, [R2+0x1c8]");
    CHECK(decode(turing, load, 0).memory.offset == 0x1c8);
    CHECK(render(turing, store, 0) == "ST.E.64.SYS [R8+0x8], R6");
    CHECK(decode(turing, store, 0).memory.offset == 8);
}
