// SPDX-License-Identifier: GPL-3.0-or-later
// Which two statements may exchange places, by the PTX ISA; the scheduler and the check of orders answer alike.
#include "core/ptx/order.h"
#include "core/ptx/order_check.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Case {
    const char* first;
    const char* second;
    bool exchange;
};

std::string kernel(const std::string& body) {
    return ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 "
           "retval0)\n{\n" +
           body + "\nret;\n}\n";
}

// Whether the last two units of the text exchange when their keys do.
bool scheduler_exchanges(const std::string& text, const std::string& exchanged) {
    const ptx::Module module = *required(ptx::parse(text));
    const ptx::Order order = *required(ptx::order_of(module, "k"));
    std::vector<double> keys = order.identity();
    if (keys.size() < 2) return false;
    std::swap(keys[keys.size() - 1], keys[keys.size() - 2]);
    const std::string result = *required(ptx::reorder(module, order, keys));
    const bool same = result == text;
    if (!same) CHECK(result == exchanged);
    return !same;
}

void check(const Case& c, const std::string& before = "") {
    INFO(c.first << "\n" << c.second);
    const std::string first = std::string(c.first) + "\n", second = std::string(c.second) + "\n";
    const std::string text = kernel(before + first + second), exchanged = kernel(before + second + first);
    CHECK(scheduler_exchanges(text, exchanged) == c.exchange);
    const Status checked = ptx::check_order(text, exchanged);
    INFO((checked ? "accepted" : checked.error().message()));
    CHECK(checked.has_value() == c.exchange);
    CHECK(ptx::check_order(text, text));
}

}  // namespace

TEST_CASE("PTX effects: registers") {
    const Case cases[] = {
        {"add.s32 %r1, %r2, %r3;", "add.s32 %r4, %r5, %r6;", true},
        {"add.s32 %r1, %r2, %r3;", "add.s32 %r4, %r2, %r3;", true},
        {"add.s32 %r1, %r2, %r3;", "add.s32 %r4, %r1, %r6;", false},
        {"add.s32 %r4, %r1, %r6;", "add.s32 %r1, %r2, %r3;", false},
        {"add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r5, %r6;", false},
        {"add.s32 %r1, %r2, %r3;", "add.s32 %r4, %r11, %r6;", true},
        {"@%p1 mov.b32 %r1, 1;", "@!%p1 mov.b32 %r1, 2;", false},
        {"setp.lt.s32 %p1, %r1, 0;", "@!%p1 mov.b32 %r2, 2;", false},
        {"setp.lt.and.s32 %p1|%p2, %r1, 0, !%p3;", "selp.b32 %r4, 1, 0, %p2;", false},
        {"setp.lt.and.s32 %p1|_, %r1, 0, !%p3;", "selp.b32 %r4, 1, 0, %p2;", true},
        {"mov.b64 %rd1, {%r1, %r2};", "mov.b64 {%r3, %r2}, %rd2;", false},
        {"mov.b64 {%r1, _}, %rd1;", "mov.b64 {_, %r2}, %rd1;", true},
        {"mov.f32 %v.x, %f1;", "mov.f32 %f2, %v.y;", false},
        {"mov.u32 %r1, %tid.x;", "mov.u32 %r2, %tid.x;", true},
        {"add.cc.u32 %r1, %r2, %r3;", "addc.u32 %r4, %r5, %r6;", false},
        {"addc.u32 %r1, %r2, %r3;", "mad.lo.cc.u32 %r4, %r5, %r6, %r7;", false},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2}, {%r1}, {%r2}, {%f1,%f2};",
         "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f3,%f4}, {%r1}, {%r2}, {%f3,%f4};", true},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2}, {%r1}, {%r2}, {%f1,%f2};",
         "add.f32 %f5, %f2, %f2;", false},
        {"frobnicate.b32 %r1, %r2;", "add.s32 %r4, %r5, %r6;", false},  // no opcode of the table
        {"setmaxnreg.inc.sync.aligned.u32 240;", "add.s32 %r4, %r5, %r6;", false},
    };
    for (const Case& c : cases)
        check(c);
}

TEST_CASE("PTX effects: memory") {
    const Case cases[] = {
        {"ld.global.b32 %r1, [%rd1];", "ld.global.b32 %r2, [%rd2];", true},
        {"ld.global.nc.b32 %r1, [%rd1];", "ld.b32 %r2, [%rd2];", true},
        {"ld.global.b32 %r1, [%rd1];", "st.global.b32 [%rd2], %r2;", false},
        {"ld.global.nc.b32 %r1, [%rd1];", "st.global.b32 [%rd2], %r2;", false},
        {"st.global.b32 [%rd1], %r1;", "st.global.b32 [%rd2], %r2;", false},
        {"ld.global.b32 %r1, [%rd1];", "st.shared::cta.b32 [%r3], %r2;", true},
        {"st.shared::cluster.b32 [%r1], %r2;", "ld.shared.b32 %r4, [%r3];", false},
        {"st.local.b32 [%rd1], %r1;", "st.shared.b32 [%r3], %r2;", true},
        {"ld.b32 %r1, [%rd1];", "st.shared.b32 [%r3], %r2;", false},
        {"st.b32 [%rd1], %r1;", "ld.local.b32 %r2, [%rd2];", false},
        {"ld.param.u64 %rd1, [p];", "bar.sync 0;", true},
        {"ld.const.b32 %r1, [%rd1];", "st.b32 [%rd2], %r2;", true},
        {"st.param.b32 [param0], %r1;", "ld.param.b32 %r2, [retval1];", false},
        {"ld.volatile.global.b32 %r1, [%rd1];", "ld.global.b32 %r2, [%rd2];", false},
        {"ld.acquire.gpu.global.b32 %r1, [%rd1];", "ld.shared.b32 %r2, [%r3];", false},
        {"st.shared.b32 [%r3], %r2;", "st.release.gpu.global.b32 [%rd1], %r1;", false},
        {"ld.relaxed.gpu.b32 %r1, [%rd1];", "ld.relaxed.gpu.b32 %r2, [%rd2];", false},
        {"st.shared.b32 [%r1], %r2;", "bar.sync 0;", false},
        {"bar.sync 0;", "ld.global.b32 %r1, [%rd1];", false},
        {"bar.sync 0;", "add.s32 %r1, %r2, %r3;", true},
        {"atom.global.add.u32 %r1, [%rd1], 1;", "ld.global.b32 %r2, [%rd2];", false},
        {"red.global.add.u32 [%rd1], 1;", "red.global.add.u32 [%rd2], 1;", false},
        {"fence.acq_rel.gpu;", "st.local.b32 [%rd1], %r1;", false},
        {"prefetch.global.L2 [%rd1];", "st.global.b32 [%rd2], %r1;", false},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "ld.shared.b32 %r3, [%r2];", true},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "st.shared.b32 [%r2], %r3;", false},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};", "ld.shared.b32 %r3, [%r2];", false},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];", "add.f32 %f7, %f4, %f4;", false},
        {"mov.u32 %r1, %clock;", "ld.global.b32 %r2, [%rd2];", false},
        {"mov.u64 %rd1, %globaltimer;", "mov.u64 %rd2, %clock64;", false},
        {"mov.u32 %r1, %clock;", "add.s32 %r2, %r3, %r4;", true},
    };
    for (const Case& c : cases)
        check(c);
    // A variable of the body hides the parameter of its name.
    check({"ld.param.b32 %r1, [retval0];", "st.param.b32 [retval0], %r2;", true});
    check({"ld.param.b32 %r1, [retval0];", "st.param.b32 [retval0], %r2;", false}, ".param .b32 retval0;\n");
}

TEST_CASE("PTX effects: the warp and asynchronous operations") {
    const Case cases[] = {
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "shfl.sync.idx.b32 %r3, %r4, 0, 31, -1;", false},
        {"vote.sync.any.pred %p1, %p2, -1;", "redux.sync.add.s32 %r3, %r4, -1;", false},
        {"shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", "ld.global.b32 %r3, [%rd1];", true},
        {"shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", "selp.b32 %r3, 0, 1, %p1;", false},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "bar.warp.sync -1;", false},
        {"vote.ballot.b32 %r1, %p1;", "ld.global.b32 %r3, [%rd1];", false},
        {"activemask.b32 %r1;", "shfl.sync.idx.b32 %r2, %r3, 0, 31, -1;", false},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16;", "ld.global.b32 %r3, [%rd2];", true},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16;", "st.global.b32 [%rd2], %r3;", false},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16;", "ld.shared.b32 %r3, [%r2];", false},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16;", "cp.async.commit_group;", false},
        {"cp.async.commit_group;", "add.s32 %r1, %r2, %r3;", true},
        {"cp.async.wait_group 0;", "ld.shared.b32 %r3, [%r2];", false},
        {"cp.async.bulk.commit_group;", "ld.global.b32 %r3, [%rd2];", false},
        {"mbarrier.arrive.shared.b64 %rd1, [%r1];", "ld.global.b32 %r3, [%rd2];", false},
        {"mbarrier.arrive.shared.b64 %rd1, [%r1];", "add.s64 %rd2, %rd1, 1;", false},
        {"mbarrier.arrive.shared.b64 _, [%r1];", "add.s64 %rd2, %rd1, 1;", true},
        {"griddepcontrol.wait;", "ld.global.nc.b32 %r3, [%rd2];", false},
        {"bar.red.popc.u32 %r1, 0, %p1;", "add.s32 %r2, %r1, 1;", false},
        {"call f, (%r1);", "ld.shared.b32 %r3, [%r2];", false},
        {"call (%r1), f, (%r2);", "add.s32 %r4, %r2, 1;", false},
    };
    for (const Case& c : cases)
        check(c);
    const std::string wgmma =
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, 1, 1, 1, 0, 0;\n";
    check({"wgmma.wait_group.sync.aligned 0;", "add.f32 %f3, %f4, %f5;", true}, wgmma);
    check({"wgmma.wait_group.sync.aligned 0;", "add.f32 %f3, %f2, %f5;", false}, wgmma);
    check({"mov.f32 %f1, 0f00000000;", "wgmma.fence.sync.aligned;", false}, wgmma);
    check({"wgmma.wait_group.sync.aligned 0;", "add.f32 %f3, %f7, %f5;", false},
          wgmma + "mov.f32 %f6, %f1;\nmov.f32 %f7, %f6;\n");
    const std::string tcgen05 = "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];\n";
    check({"tcgen05.wait::ld.sync.aligned;", "add.s32 %r4, %r2, 1;", false}, tcgen05);
    const std::string tcgen05_st = "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r3], {%r1, %r2};\n";
    check({"tcgen05.wait::st.sync.aligned;", "mov.b32 %r2, 1;", false}, tcgen05_st);
}

TEST_CASE("PTX effects: regions move as one, with what they touch outside of them") {
    const std::string local = "{ .reg .pred p; setp.ne.b32 p, %r1, 0; @p ld.global.b32 %r2, [%rd1]; }";
    const std::string other = "{ .reg .pred p; setp.ne.b32 p, %r3, 0; @p ld.global.b32 %r4, [%rd1]; }";
    check({local.c_str(), other.c_str(), true});  // each has its own p
    check({local.c_str(), "add.s32 %r5, %r2, 1;", false});
    check({local.c_str(), "add.s32 %r1, %r5, 1;", false});
    check({"{ { .reg .b32 %r<4>; } mov.b32 %r2, 1; }", "add.s32 %r5, %r2, 1;", false});
    check({"{ mov.b32 %r2, 1; .reg .b32 %r<4>; }", "add.s32 %r5, %r2, 1;", false});
    check({"// begin inline asm\nmov.b32 %r1,\n  1; add.s32 %r2,\n %r1, 1;\n// end inline asm",
           "// begin inline asm\nmov.b32 %r3, 1; {\n.reg .b32 a;\nmov.b32 a, 2;\n}\n// end inline asm",
           true});
    check({"// begin inline asm\n// end inline asm", "bar.sync 0;", true});
    // A loop of its own; a branch out of it; a label that another branch may name.
    check({"{ .reg .pred p; L: mbarrier.try_wait.shared.b64 p, [%r1], %rd1; @p bra D; bra L; D: }",
           "add.s32 %r2, %r3, %r4;", true});
    check({"{ .reg .pred p; L: mbarrier.try_wait.shared.b64 p, [%r1], %rd1; @p bra D; bra L; D: }",
           "ld.shared.b32 %r2, [%r3];", false});
    check({"{ @%p1 bra OUT; }", "add.s32 %r2, %r3, %r4;", false}, "OUT:\n");
    check({"{ @%p1 exit; }", "add.s32 %r2, %r3, %r4;", false});
    check({"// begin inline asm\nL: bra L;\n// end inline asm", "add.s32 %r2, %r3, %r4;", false});
    check({"// begin inline asm\n.reg .b32 t;\n// end inline asm", "mov.b32 t, 1;", false});
    // Registers that a comment of inline assembly names are in use there.
    check({"// begin inline asm\n// wait for %f1\nnanosleep.u32 1;\n// end inline asm", "mov.f32 %f2, %f1;",
           false});
    check({"{ call.uni (retval0), f, (param0); ld.param.b32 %r1, [retval0]; }", "st.global.b32 [%rd1], %r2;",
           false});
    // Labels of debug data keep their order; a label that a branch names ends the block.
    check({"$L__tmp1:", "add.s32 %r2, %r3, %r4;", true});
    check({"$L__tmp1:", "$L__tmp2:", false});
    check({"$L__tmp1:", "add.s32 %r2, %r3, %r4;", false}, "@%p1 bra $L__tmp1;\n");
    check({"L1:", "add.s32 %r2, %r3, %r4;", false});
    check({".pragma \"used_bytes_mask 0xf\";\nld.global.b32 %r1, [%rd1];", "mov.b32 %r2, 1;", true});
    check({".pragma \"nounroll\";", "mov.b32 %r2, 1;", false});
}
