// SPDX-License-Identifier: GPL-3.0-or-later
// One decoded instruction: the scheduling properties from the 128 bits alone.
//
//   @!P2 LDG.E.128 R8, desc[UR6][R18.64]
//     guard   {Pred 2, negated}
//     operands {Gpr 8..11 write Dest} {Gpr 18..19 read Address} {UGpr 6..7 read Descriptor} {Pred 2 read Guard}
//     unit    Lsu,  memory {Global, read, base R18, offset 0, 16 bytes}
//
// Zero registers (RZ, PT, URZ, UPT) are not operands: they create no dependences. A predicated definition is
// a write; use `guarded()` to find that it may keep the old value.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>
#include <string>

#include "core/base/ids.h"
#include "core/isa/control_code.h"
#include "core/isa/word.h"

namespace cubinlab {

enum class RegFile : std::uint8_t { Gpr, Pred, UGpr, UPred, BReg };
// UR0 to UR62, from sm_100 on UR0 to UR79.
inline constexpr unsigned kUniformRegisters = 80;
inline constexpr std::uint8_t kNoUniform = 255;
constexpr const char* register_prefix(RegFile file) {
    constexpr std::array<const char*, 5> kPrefix = {"R", "P", "UR", "UP", "B"};
    return kPrefix[static_cast<std::size_t>(file)];
}

// The role of an operand. A/B/C number the operands as the reuse bits do (slot 0/1/2).
enum class Role : std::uint8_t {
    Dest,
    PredDest,  // writes
    A,
    B,
    C,
    PredSource,
    Guard,  // reads of the data path
    Address,
    StoreData,
    Descriptor,  // reads of memory instructions
    Other,       // any other read (or read and write: both flags set)
};

struct Operand {
    RegFile file = RegFile::Gpr;
    std::uint8_t first = 0;  // lowest register
    std::uint8_t count = 1;  // registers covered, consecutive
    Role role = Role::Other;
    bool read = false;
    bool write = false;

    bool overlaps(const Operand& other) const {
        return file == other.file && first < other.first + other.count && other.first < first + count;
    }
    friend bool operator==(const Operand&, const Operand&) = default;
};

// Execution resource: selects rows and columns of the latency tables and issue-spacing classes.
enum class Unit : std::uint8_t {
    Alu,        // IADD3 LOP3 SHF ISETP SEL MOV LEA PRMT FSETP FMNMX FSEL VOTE PLOP3 I2IP F2FP ...
    Fma,        // FFMA FADD FMUL IMAD, VIADD on sm_90
    FmaWide,    // IMAD.WIDE, IMAD.HI
    Fp16,       // HADD2 HMUL2 HFMA2 (not .MMA) HSETP2 HSET2
    H2Mma,      // HFMA2.MMA
    Fp64,       // DADD DMUL DFMA DSETP
    MmaImma88,  // IMMA.8816 and 884x
    Mma1x,      // HMMA.1688 f16, IMMA.16816
    Mma2x,      // HMMA.16816, tf32 1688, IMMA.16832, sparse
    Dmma,
    Gmma,  // HGMMA QGMMA IGMMA BGMMA: asynchronous, retired by WARPGROUP.DEPBAR
    Cs2r,  // CS2R (32 and 64 bit)
    Xu,    // MUFU, conversions, POPC FLO BREV, F2I I2F F2F FRND
    S2r,
    S2ur,
    Ldc,  // LDC
    R2ur,
    Redux,       // REDUX, VOTEU sources that cross lanes on the slow path
    Mio,         // shared memory and lane crossing: LDS STS LDSM STSM SHFL ATOMS, LDL STL
    Lsu,         // LD ST LDG STG ATOM ATOMG RED LDGSTS, CCTL
    Tex,         // TEX TLD SULD SUST ...
    Match,       // MATCH
    Udp,         // UIADD3 UIMAD ULOP3 USHF ULEA UISETP ...
    UdpFast,     // ULDC UMOV VOTEU
    Cbu,         // BRA EXIT BSSY BSYNC CALL RET BRX BREAK WARPSYNC BMOV NANOSLEEP YIELD ...
    Barrier,     // BAR, UCGABAR
    Fence,       // MEMBAR ERRBAR CGAERRBAR FENCE CCTL.IVALL
    Depbar,      // DEPBAR LDGDEPBAR
    AsyncGroup,  // WARPGROUP ARRIVES UBLKCP UTMALDG UTMASTG UTMACMDFLUSH SYNCS ELECT
    Nop,
    Unknown,
};
const char* to_string(Unit unit);

class UnitSet {
  public:
    template <class... Units>
    constexpr explicit UnitSet(Units... units) : bits_((... | (1ull << static_cast<unsigned>(units)))) {}
    constexpr bool has(Unit unit) const { return (bits_ >> static_cast<unsigned>(unit) & 1) != 0; }

  private:
    std::uint64_t bits_;
};
inline constexpr UnitSet kMmaUnits(Unit::MmaImma88, Unit::Mma1x, Unit::Mma2x, Unit::Dmma);

enum class MemorySpace : std::uint8_t { None, Global, Shared, Local, Constant, Generic };

struct MemoryAccess {
    MemorySpace space = MemorySpace::None;  // the memory accessed; for LDGSTS the global read
    bool reads = false;
    bool writes = false;
    bool atomic = false;
    bool strong = false;  // .STRONG, .MMIO, volatile: ordered
    bool plain = false;   // the address is only scaled base register(s) + offset; the fields below are valid
    RegFile base_file = RegFile::Gpr;
    std::uint8_t base = 255;  // first base register, 255 = RZ
    std::uint8_t base_count = 1;
    std::uint8_t base_scale = 1;      // factor of the base register: .X4 .X8 .X16
    std::uint8_t uniform_base = kNoUniform;  // added UR
    std::int32_t offset = 0;          // bytes
    std::uint16_t width = 0;          // bytes per thread
    bool also_writes_shared = false;  // LDGSTS, UBLKCP, UTMALDG
};

// Properties that restrict scheduling. An instruction may have several.
enum class Trait : std::uint32_t {
    Terminator =
        1u << 0,         // must remain last in its block: BRA BRX EXIT RET CALL BSYNC WARPSYNC KILL BREAK ...
    Branch = 1u << 1,    // has a branch target
    Fence = 1u << 2,     // no memory access, atomic, barrier or other fence may cross it
    WarpWide = 1u << 3,  // reads or writes other lanes: SHFL VOTE MATCH REDUX R2UR S2UR VOTEU ELECT
    AddressDependent = 1u << 4,  // the encoding depends on the address of the word (BSSY, LEPC, BRA ...)
    VariableLatency = 1u << 5,   // a scoreboard signals the result or the operand release
    InOrderMio = 1u << 6,        // in the in-order group MIO   (LDS LDSM SHFL ATOMS LDL)
    InOrderXu = 1u << 7,         // in the in-order group XU    (MUFU, conversions ...)
    InOrderFp64 = 1u << 8,       // in the in-order group FP64  (sm_75..89, 103, 120)
    InOrderS2ur = 1u << 9,
    InOrderTex = 1u << 10,
    Clock = 1u << 11,             // reads a clock or other state; cannot move
    AsyncIssue = 1u << 12,        // LDGSTS, HGMMA, UBLKCP, UTMA: completes asynchronously
    ScoreboardByName = 1u << 13,  // has a scoreboard operand: DEPBAR.LE SBn, LDGDEPBAR
    Convergence = 1u << 14,       // BSSY BSYNC BMOV BREAK WARPSYNC YIELD ...
    UnknownOpcode = 1u << 15,     // not in the tables: pinned, and a fence for everything
    Pinned = 1u << 16,            // cannot move for another reason (set by the decoder)
};

inline constexpr std::size_t kMaxOperands = 14;

class OperandList {
  public:
    void push(const Operand& operand) { insert(size_, operand); }
    void insert(std::size_t at, const Operand& operand) {
        assert(at <= size_ && size_ < kMaxOperands);
        for (std::size_t i = size_++; i > at; --i)
            items_[i] = items_[i - 1];
        items_[at] = operand;
    }
    const Operand* begin() const { return items_.data(); }
    const Operand* end() const { return items_.data() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Operand& operator[](std::size_t i) const { return items_[i]; }

  private:
    std::array<Operand, kMaxOperands> items_{};
    std::uint8_t size_ = 0;
};

struct Instruction {
    Word word;
    std::uint16_t opcode = 0;    // bits 0..11, including the form
    const char* mnemonic = "?";  // base name without modifiers, static storage: "LDG", "HMMA"
    Unit unit = Unit::Unknown;
    std::uint32_t traits = 0;  // bits of Trait
    OperandList operands;
    MemoryAccess memory;
    std::uint8_t guard = 7;  // guard predicate register, 7 = PT
    bool guard_negated = false;
    bool uniform_guard = false;  // the guard is a uniform predicate (some uniform-datapath forms)
    std::int64_t branch_target =
        -1;  // byte offset in the kernel if it is direct and known; BSSY: reconvergence point
    std::int8_t named_scoreboard = -1;  // DEPBAR.LE SBn,k / LDGDEPBAR: n
    std::uint8_t named_count = 0;       // DEPBAR.LE: k; WARPGROUP.DEPBAR: N

    bool has(Trait trait) const { return (traits & static_cast<std::uint32_t>(trait)) != 0; }
    bool guarded() const { return guard != 7 || guard_negated; }
    ControlCode control() const { return ControlCode::decode(word); }
};

}  // namespace cubinlab
