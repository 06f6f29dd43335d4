// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_program.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "core/sass/decoder.h"

namespace cubinlab::probe {
namespace {

ControlCode stall_of(int stall, bool yield = false) {
    ControlCode c;
    c.stall = static_cast<std::uint8_t>(stall);
    c.yield = yield;
    return c;
}

class Builder {
  public:
    Builder(const WordBook& book, std::uint32_t exit_offset) : book_(book), exit_(exit_offset) {}

    void put(const std::string& text, const ControlCode& control) {
        if (error_) return;
        auto word = book_.assemble(text);
        if (!word) {
            error_ = word.error();
            return;
        }
        out_.words.push_back(control.encode_into(*word));
    }
    // Short fixed latencies only: 8 cycles are more than any arithmetic instruction needs.
    void settled(const std::string& text) { put(text, stall_of(8)); }
    // Waited for, whatever it is: 45 cycles, and its scoreboards where it has any.
    void waited(const std::string& text) {
        if (error_) return;
        auto word = book_.assemble(text);
        if (!word) {
            error_ = word.error();
            return;
        }
        const Instruction known = decode(book_.arch(), *word, 0);
        ControlCode c = stall_of(15, true);
        if (known.has(Trait::VariableLatency)) {
            bool writes = false;
            for (const Operand& operand : known.operands)
                writes = writes || operand.write;
            (writes ? c.write_barrier : c.read_barrier) = 0;
        }
        out_.words.push_back(c.encode_into(*word));
        drain();
    }
    void drain() {
        ControlCode c = stall_of(15, true);
        c.wait_mask = 0x3f;
        put("NOP", c);
        put("NOP", c);
    }
    void branch(const std::string& guard, std::uint32_t target, const ControlCode& control) {
        if (error_) return;
        auto word = book_.branch(guard, here(), target);
        if (!word) {
            error_ = word.error();
            return;
        }
        out_.words.push_back(control.encode_into(*word));
    }
    std::uint32_t here() const { return static_cast<std::uint32_t>(out_.words.size() * kWordBytes); }

    void start(const std::vector<std::string>& once, int threads) {
        waited("S2R R5, SR_TID.X");
        waited("S2R R6, SR_CTAID.X");
        settled("IMAD.MOV.U32 R3, RZ, RZ, 0x19660d");
        settled("IMAD R0, R5, R3, 0x3c6ef35f");
        settled("IMAD R0, R6, 0x12345677, R0");
        settled("IMAD.SHL.U32 R4, R5, 0x20, RZ");
        settled("VIADD R4, R4, 0x400");
        settled(fmt::format("IMAD R8, R6, 0x{:x}, R5", threads));
        waited("LDC.64 R6, c[0x0][0x218]");
        settled("IMAD.WIDE.U32 R6, R8, 0x20, R6");
        waited("ULDC UR20, c[0x0][0x220]");
        waited("ULDC.64 UR4, c[0x0][0x208]");
        settled("IMAD.MOV.U32 R1, RZ, RZ, RZ");
        settled("IMAD.MOV.U32 R2, RZ, RZ, 0x7fffffff");
        settled("ISETP.NE.AND P5, PT, R3, RZ, PT");
        settled("ISETP.NE.AND P6, PT, R3, R3, PT");
        for (const std::string& text : once)
            waited(text);
    }
    void prepare(const Experiment& experiment) {
        for (const std::string& text : experiment.init)
            settled(text);
        drain();
        for (const std::string& text : experiment.prepare)
            waited(text);
        drain();
    }
    void reference(const Experiment& experiment) {
        const auto& lines = experiment.reference.empty() ? experiment.core : experiment.reference;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].text == "NOP") continue;
            if (lines[i].text.ends_with("BRA")) {
                jump_over(lines[i], stall_of(15, true), 5);  // the drain and the line behind it
                drain();
                continue;
            }
            waited(lines[i].text);
        }
        drain();
    }
    void core(const Experiment& experiment) {
        for (int i = 0; i < experiment.phase; ++i)
            put("NOP", stall_of(1));
        if (experiment.timed) put("CS2R.32 R26, SR_CLOCKLO", stall_of(2));
        out_.core_first = out_.words.size();
        for (const Line& l : experiment.core) {
            if (l.text.ends_with("BRA"))
                jump_over(l, l.control, 1);
            else
                put(l.text, l.control);
        }
        out_.core_count = out_.words.size() - out_.core_first;
        if (experiment.timed) put("CS2R.32 R27, SR_CLOCKLO", stall_of(4));
        put("NOP", stall_of(4));
        drain();
        drain();
    }
    void collect(const Experiment& experiment) {
        for (const std::string& text : experiment.collect)
            waited(text);
    }
    void finish(int threads) {
        waited("S2R R5, SR_TID.X");
        waited("S2R R8, SR_CTAID.X");
        settled(fmt::format("IMAD R8, R8, 0x{:x}, R5", threads));
        settled("LOP3.LUT R9, R5, 0x1f, RZ, 0xc0, !PT");
        settled("ISETP.NE.AND P0, PT, R9, RZ, PT");
        settled("SHF.R.U32.HI R8, RZ, 0x5, R8");
        waited("LDC.64 R10, c[0x0][0x210]");
        settled("IMAD.WIDE.U32 R10, R8, 0x8, R10");
        drain();
        waited("@!P0 STG.E desc[UR4][R10.64], R1");
        waited("@!P0 STG.E desc[UR4][R10.64+0x4], R2");
        branch("", exit_, stall_of(5));
    }
    Result<Program> take() {
        if (error_) return fail(*error_);
        if (out_.words.size() * kWordBytes > exit_)
            return fail(ErrorCode::Unsupported, "the experiment is longer than the frame kernel");
        return std::move(out_);
    }

  private:
    // A branch over the line behind it, which takes `words` words.
    void jump_over(const Line& l, const ControlCode& control, unsigned words) {
        const std::size_t space = l.text.find(' ');
        branch(space == std::string::npos ? "" : l.text.substr(0, space), here() + kWordBytes * (1 + words),
               control);
    }

    const WordBook& book_;
    std::uint32_t exit_;
    Program out_;
    std::optional<Error> error_;
};

}  // namespace

Line line(std::string text, int stall, bool yield) {
    return {std::move(text), stall_of(stall, yield)};
}

std::vector<std::string> random_value(int reg, std::uint32_t salt) {
    return {fmt::format("IMAD R5, R0, R3, 0x{:x}", (salt * 0x2545f491u) & 0x7fffffffu),
            fmt::format("IMAD.HI.U32 R{}, R5, R5, RZ", reg),
            fmt::format("LOP3.LUT R{0}, R{0}, R5, RZ, 0x3c, !PT", reg),
            fmt::format("LOP3.LUT R{0}, R{0}, 0x3ff03ff, RZ, 0xc0, !PT", reg),
            fmt::format("LOP3.LUT R{0}, R{0}, 0x3c003c00, RZ, 0xfc, !PT", reg)};
}

Result<Program> build_program(const WordBook& book, const Experiment& experiment, const Shape& shape,
                              std::uint32_t exit_offset) {
    Builder b(book, exit_offset);
    b.start(experiment.once, shape.threads);
    const std::uint32_t loop = b.here();
    b.settled("IMAD R0, R0, R3, 0x3c6ef35f");
    b.prepare(experiment);
    b.reference(experiment);
    b.collect(experiment);
    b.settled("IMAD.MOV.U32 R29, RZ, RZ, R28");
    b.prepare(experiment);
    b.core(experiment);
    b.collect(experiment);
    if (experiment.timed) {
        b.settled("IMAD.IADD R26, R27, 0x1, -R26");
        b.settled("VIMNMX R2, R2, R26, PT");
    }
    b.settled("ISETP.NE.AND P0, PT, R28, R29, PT");
    b.drain();
    b.waited("VOTE.ANY P0, P0");
    b.waited("@P0 VIADD R1, R1, 0x1");
    b.waited("UIADD3 UR20, UR20, -0x1, URZ");
    b.settled("ISETP.GE.U32.AND P0, PT, RZ, UR20, PT");
    b.drain();
    b.branch("@!P0", loop, stall_of(15, true));
    b.drain();
    b.finish(shape.threads);
    return b.take();
}

Result<Program> build_loop(const WordBook& book, const TimedLoop& loop, const Shape& shape,
                           std::uint32_t exit_offset) {
    Builder b(book, exit_offset);
    b.start(loop.once, shape.threads);
    b.drain();
    b.put("CS2R.32 R26, SR_CLOCKLO", stall_of(8));
    const std::uint32_t first = b.here();
    for (const Line& l : loop.body)
        b.put(l.text, l.control);
    // What a uniform register's reader, and a branch on a predicate, need: 7 and 13 cycles.
    b.put("UIADD3 UR20, UR20, -0x1, URZ", stall_of(12, true));
    b.put("ISETP.GE.U32.AND P0, PT, RZ, UR20, PT", stall_of(13, true));
    b.branch("@!P0", first, stall_of(5));
    b.put("CS2R.32 R27, SR_CLOCKLO", stall_of(8));
    b.drain();
    b.settled("IMAD.IADD R2, R27, 0x1, -R26");
    b.finish(shape.threads);
    return b.take();
}

Result<std::uint32_t> frame_exit(const Cubin& cubin) {
    auto info = cubin.kernel(kFrameName);
    if (!info) return fail(info.error());
    if ((*info)->exit_offsets.empty())
        return fail(ErrorCode::NotFound, "the frame kernel has no EXIT", cubin.where());
    return (*info)->exit_offsets.back();
}

Result<std::vector<std::byte>> build_image(const Cubin& cubin, const Program& program) {
    auto info = cubin.kernel(kFrameName);
    if (!info) return fail(info.error());
    const std::span<const std::byte> bytes = cubin.bytes();
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    const std::size_t size = program.words.size() * sizeof(Word);
    if (size > (*info)->code_size)
        return fail(ErrorCode::Unsupported, "the experiment is longer than the frame kernel");
    std::memcpy(out.data() + (*info)->code_offset, program.words.data(), size);
    return out;
}

}  // namespace cubinlab::probe
