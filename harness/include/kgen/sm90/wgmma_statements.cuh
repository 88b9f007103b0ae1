// One inline statement a register count, for kgen/sm90/wgmma.cuh: wgmma takes its accumulator registers one by one.
// What else differs between the instructions (type, majors) comes in as text, so every kind shares these statements.
#pragma once

// "%0,%1,...", the names of the first n operands, and the operands themselves.
#define KGEN_N2 "%0,%1"
#define KGEN_N4 KGEN_N2 ",%2,%3"
#define KGEN_N6 KGEN_N4 ",%4,%5"
#define KGEN_N8 KGEN_N6 ",%6,%7"
#define KGEN_N10 KGEN_N8 ",%8,%9"
#define KGEN_N12 KGEN_N10 ",%10,%11"
#define KGEN_N14 KGEN_N12 ",%12,%13"
#define KGEN_N16 KGEN_N14 ",%14,%15"
#define KGEN_N18 KGEN_N16 ",%16,%17"
#define KGEN_N20 KGEN_N18 ",%18,%19"
#define KGEN_N22 KGEN_N20 ",%20,%21"
#define KGEN_N24 KGEN_N22 ",%22,%23"
#define KGEN_N26 KGEN_N24 ",%24,%25"
#define KGEN_N28 KGEN_N26 ",%26,%27"
#define KGEN_N30 KGEN_N28 ",%28,%29"
#define KGEN_N32 KGEN_N30 ",%30,%31"
#define KGEN_N34 KGEN_N32 ",%32,%33"
#define KGEN_N36 KGEN_N34 ",%34,%35"
#define KGEN_N38 KGEN_N36 ",%36,%37"
#define KGEN_N40 KGEN_N38 ",%38,%39"
#define KGEN_N42 KGEN_N40 ",%40,%41"
#define KGEN_N44 KGEN_N42 ",%42,%43"
#define KGEN_N46 KGEN_N44 ",%44,%45"
#define KGEN_N48 KGEN_N46 ",%46,%47"
#define KGEN_N50 KGEN_N48 ",%48,%49"
#define KGEN_N52 KGEN_N50 ",%50,%51"
#define KGEN_N54 KGEN_N52 ",%52,%53"
#define KGEN_N56 KGEN_N54 ",%54,%55"
#define KGEN_N58 KGEN_N56 ",%56,%57"
#define KGEN_N60 KGEN_N58 ",%58,%59"
#define KGEN_N62 KGEN_N60 ",%60,%61"
#define KGEN_N64 KGEN_N62 ",%62,%63"
#define KGEN_N68 KGEN_N64 ",%64,%65,%66,%67"
#define KGEN_N72 KGEN_N68 ",%68,%69,%70,%71"
#define KGEN_N76 KGEN_N72 ",%72,%73,%74,%75"
#define KGEN_N80 KGEN_N76 ",%76,%77,%78,%79"
#define KGEN_N84 KGEN_N80 ",%80,%81,%82,%83"
#define KGEN_N88 KGEN_N84 ",%84,%85,%86,%87"
#define KGEN_N92 KGEN_N88 ",%88,%89,%90,%91"
#define KGEN_N96 KGEN_N92 ",%92,%93,%94,%95"
#define KGEN_N100 KGEN_N96 ",%96,%97,%98,%99"
#define KGEN_N104 KGEN_N100 ",%100,%101,%102,%103"
#define KGEN_N108 KGEN_N104 ",%104,%105,%106,%107"
#define KGEN_N112 KGEN_N108 ",%108,%109,%110,%111"
#define KGEN_N116 KGEN_N112 ",%112,%113,%114,%115"
#define KGEN_N120 KGEN_N116 ",%116,%117,%118,%119"
#define KGEN_N124 KGEN_N120 ",%120,%121,%122,%123"
#define KGEN_N128 KGEN_N124 ",%124,%125,%126,%127"
#define KGEN_D2(c) c(d[0]), c(d[1])
#define KGEN_D4(c) KGEN_D2(c), c(d[2]), c(d[3])
#define KGEN_D6(c) KGEN_D4(c), c(d[4]), c(d[5])
#define KGEN_D8(c) KGEN_D6(c), c(d[6]), c(d[7])
#define KGEN_D10(c) KGEN_D8(c), c(d[8]), c(d[9])
#define KGEN_D12(c) KGEN_D10(c), c(d[10]), c(d[11])
#define KGEN_D14(c) KGEN_D12(c), c(d[12]), c(d[13])
#define KGEN_D16(c) KGEN_D14(c), c(d[14]), c(d[15])
#define KGEN_D18(c) KGEN_D16(c), c(d[16]), c(d[17])
#define KGEN_D20(c) KGEN_D18(c), c(d[18]), c(d[19])
#define KGEN_D22(c) KGEN_D20(c), c(d[20]), c(d[21])
#define KGEN_D24(c) KGEN_D22(c), c(d[22]), c(d[23])
#define KGEN_D26(c) KGEN_D24(c), c(d[24]), c(d[25])
#define KGEN_D28(c) KGEN_D26(c), c(d[26]), c(d[27])
#define KGEN_D30(c) KGEN_D28(c), c(d[28]), c(d[29])
#define KGEN_D32(c) KGEN_D30(c), c(d[30]), c(d[31])
#define KGEN_D34(c) KGEN_D32(c), c(d[32]), c(d[33])
#define KGEN_D36(c) KGEN_D34(c), c(d[34]), c(d[35])
#define KGEN_D38(c) KGEN_D36(c), c(d[36]), c(d[37])
#define KGEN_D40(c) KGEN_D38(c), c(d[38]), c(d[39])
#define KGEN_D42(c) KGEN_D40(c), c(d[40]), c(d[41])
#define KGEN_D44(c) KGEN_D42(c), c(d[42]), c(d[43])
#define KGEN_D46(c) KGEN_D44(c), c(d[44]), c(d[45])
#define KGEN_D48(c) KGEN_D46(c), c(d[46]), c(d[47])
#define KGEN_D50(c) KGEN_D48(c), c(d[48]), c(d[49])
#define KGEN_D52(c) KGEN_D50(c), c(d[50]), c(d[51])
#define KGEN_D54(c) KGEN_D52(c), c(d[52]), c(d[53])
#define KGEN_D56(c) KGEN_D54(c), c(d[54]), c(d[55])
#define KGEN_D58(c) KGEN_D56(c), c(d[56]), c(d[57])
#define KGEN_D60(c) KGEN_D58(c), c(d[58]), c(d[59])
#define KGEN_D62(c) KGEN_D60(c), c(d[60]), c(d[61])
#define KGEN_D64(c) KGEN_D62(c), c(d[62]), c(d[63])
#define KGEN_D68(c) KGEN_D64(c), c(d[64]), c(d[65]), c(d[66]), c(d[67])
#define KGEN_D72(c) KGEN_D68(c), c(d[68]), c(d[69]), c(d[70]), c(d[71])
#define KGEN_D76(c) KGEN_D72(c), c(d[72]), c(d[73]), c(d[74]), c(d[75])
#define KGEN_D80(c) KGEN_D76(c), c(d[76]), c(d[77]), c(d[78]), c(d[79])
#define KGEN_D84(c) KGEN_D80(c), c(d[80]), c(d[81]), c(d[82]), c(d[83])
#define KGEN_D88(c) KGEN_D84(c), c(d[84]), c(d[85]), c(d[86]), c(d[87])
#define KGEN_D92(c) KGEN_D88(c), c(d[88]), c(d[89]), c(d[90]), c(d[91])
#define KGEN_D96(c) KGEN_D92(c), c(d[92]), c(d[93]), c(d[94]), c(d[95])
#define KGEN_D100(c) KGEN_D96(c), c(d[96]), c(d[97]), c(d[98]), c(d[99])
#define KGEN_D104(c) KGEN_D100(c), c(d[100]), c(d[101]), c(d[102]), c(d[103])
#define KGEN_D108(c) KGEN_D104(c), c(d[104]), c(d[105]), c(d[106]), c(d[107])
#define KGEN_D112(c) KGEN_D108(c), c(d[108]), c(d[109]), c(d[110]), c(d[111])
#define KGEN_D116(c) KGEN_D112(c), c(d[112]), c(d[113]), c(d[114]), c(d[115])
#define KGEN_D120(c) KGEN_D116(c), c(d[116]), c(d[117]), c(d[118]), c(d[119])
#define KGEN_D124(c) KGEN_D120(c), c(d[120]), c(d[121]), c(d[122]), c(d[123])
#define KGEN_D128(c) KGEN_D124(c), c(d[124]), c(d[125]), c(d[126]), c(d[127])

namespace kgen::sm90::detail {

// Op has n (columns of D), kind ("k16.f32.bf16.bf16") and tail (scales and majors). i0 to i7 number the operands behind D.
#define KGEN_WGMMA_SHARED(R, Reg, c, i0, i1, i2, i3, i4, i5)                                                          \
  template <class Op>                                                                                                 \
  __device__ __forceinline__ void wgmma_shared(Reg (&d)[R], uint64_t a, uint64_t b, int scale_d) {                    \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i2 ", 0;\nwgmma.mma_async.sync.aligned.m64n%" #i3 "%" #i4 " {" \
                 KGEN_N##R "}, %" #i0 ", %" #i1 ", p%" #i5 ";\n}"                                                     \
                 : KGEN_D##R(c)                                                                                       \
                 : "l"(a), "l"(b), "r"(scale_d), "n"(Op::n), "C"(Op::kind), "C"(Op::tail));                           \
  }
#define KGEN_WGMMA_REGISTERS(R, Reg, c, i0, i1, i2, i3, i4, i5, i6, i7, i8)                                           \
  template <class Op>                                                                                                 \
  __device__ __forceinline__ void wgmma_registers(Reg (&d)[R], const uint32_t (&a)[4], uint64_t b, int scale_d) {     \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i5 ", 0;\nwgmma.mma_async.sync.aligned.m64n%" #i6 "%" #i7 " {" \
                 KGEN_N##R "}, {%" #i0 ",%" #i1 ",%" #i2 ",%" #i3 "}, %" #i4 ", p%" #i8 ";\n}"                        \
                 : KGEN_D##R(c)                                                                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "n"(Op::n), "C"(Op::kind),       \
                   "C"(Op::tail));                                                                                    \
  }
#define KGEN_WGMMA(R, i0, i1, i2, i3, i4, i5, i6, i7, i8)                           \
  KGEN_WGMMA_SHARED(R, float, "+f", i0, i1, i2, i3, i4, i5)                         \
  KGEN_WGMMA_SHARED(R, uint32_t, "+r", i0, i1, i2, i3, i4, i5)                      \
  KGEN_WGMMA_SHARED(R, int, "+r", i0, i1, i2, i3, i4, i5)                           \
  KGEN_WGMMA_REGISTERS(R, float, "+f", i0, i1, i2, i3, i4, i5, i6, i7, i8)          \
  KGEN_WGMMA_REGISTERS(R, uint32_t, "+r", i0, i1, i2, i3, i4, i5, i6, i7, i8)       \
  KGEN_WGMMA_REGISTERS(R, int, "+r", i0, i1, i2, i3, i4, i5, i6, i7, i8)

KGEN_WGMMA(2, 2, 3, 4, 5, 6, 7, 8, 9, 10)
KGEN_WGMMA(4, 4, 5, 6, 7, 8, 9, 10, 11, 12)
KGEN_WGMMA(6, 6, 7, 8, 9, 10, 11, 12, 13, 14)
KGEN_WGMMA(8, 8, 9, 10, 11, 12, 13, 14, 15, 16)
KGEN_WGMMA(10, 10, 11, 12, 13, 14, 15, 16, 17, 18)
KGEN_WGMMA(12, 12, 13, 14, 15, 16, 17, 18, 19, 20)
KGEN_WGMMA(14, 14, 15, 16, 17, 18, 19, 20, 21, 22)
KGEN_WGMMA(16, 16, 17, 18, 19, 20, 21, 22, 23, 24)
KGEN_WGMMA(18, 18, 19, 20, 21, 22, 23, 24, 25, 26)
KGEN_WGMMA(20, 20, 21, 22, 23, 24, 25, 26, 27, 28)
KGEN_WGMMA(22, 22, 23, 24, 25, 26, 27, 28, 29, 30)
KGEN_WGMMA(24, 24, 25, 26, 27, 28, 29, 30, 31, 32)
KGEN_WGMMA(26, 26, 27, 28, 29, 30, 31, 32, 33, 34)
KGEN_WGMMA(28, 28, 29, 30, 31, 32, 33, 34, 35, 36)
KGEN_WGMMA(30, 30, 31, 32, 33, 34, 35, 36, 37, 38)
KGEN_WGMMA(32, 32, 33, 34, 35, 36, 37, 38, 39, 40)
KGEN_WGMMA(34, 34, 35, 36, 37, 38, 39, 40, 41, 42)
KGEN_WGMMA(36, 36, 37, 38, 39, 40, 41, 42, 43, 44)
KGEN_WGMMA(38, 38, 39, 40, 41, 42, 43, 44, 45, 46)
KGEN_WGMMA(40, 40, 41, 42, 43, 44, 45, 46, 47, 48)
KGEN_WGMMA(42, 42, 43, 44, 45, 46, 47, 48, 49, 50)
KGEN_WGMMA(44, 44, 45, 46, 47, 48, 49, 50, 51, 52)
KGEN_WGMMA(46, 46, 47, 48, 49, 50, 51, 52, 53, 54)
KGEN_WGMMA(48, 48, 49, 50, 51, 52, 53, 54, 55, 56)
KGEN_WGMMA(50, 50, 51, 52, 53, 54, 55, 56, 57, 58)
KGEN_WGMMA(52, 52, 53, 54, 55, 56, 57, 58, 59, 60)
KGEN_WGMMA(54, 54, 55, 56, 57, 58, 59, 60, 61, 62)
KGEN_WGMMA(56, 56, 57, 58, 59, 60, 61, 62, 63, 64)
KGEN_WGMMA(58, 58, 59, 60, 61, 62, 63, 64, 65, 66)
KGEN_WGMMA(60, 60, 61, 62, 63, 64, 65, 66, 67, 68)
KGEN_WGMMA(62, 62, 63, 64, 65, 66, 67, 68, 69, 70)
KGEN_WGMMA(64, 64, 65, 66, 67, 68, 69, 70, 71, 72)
KGEN_WGMMA(68, 68, 69, 70, 71, 72, 73, 74, 75, 76)
KGEN_WGMMA(72, 72, 73, 74, 75, 76, 77, 78, 79, 80)
KGEN_WGMMA(76, 76, 77, 78, 79, 80, 81, 82, 83, 84)
KGEN_WGMMA(80, 80, 81, 82, 83, 84, 85, 86, 87, 88)
KGEN_WGMMA(84, 84, 85, 86, 87, 88, 89, 90, 91, 92)
KGEN_WGMMA(88, 88, 89, 90, 91, 92, 93, 94, 95, 96)
KGEN_WGMMA(92, 92, 93, 94, 95, 96, 97, 98, 99, 100)
KGEN_WGMMA(96, 96, 97, 98, 99, 100, 101, 102, 103, 104)
KGEN_WGMMA(100, 100, 101, 102, 103, 104, 105, 106, 107, 108)
KGEN_WGMMA(104, 104, 105, 106, 107, 108, 109, 110, 111, 112)
KGEN_WGMMA(108, 108, 109, 110, 111, 112, 113, 114, 115, 116)
KGEN_WGMMA(112, 112, 113, 114, 115, 116, 117, 118, 119, 120)
KGEN_WGMMA(116, 116, 117, 118, 119, 120, 121, 122, 123, 124)
KGEN_WGMMA(120, 120, 121, 122, 123, 124, 125, 126, 127, 128)
KGEN_WGMMA(124, 124, 125, 126, 127, 128, 129, 130, 131, 132)
KGEN_WGMMA(128, 128, 129, 130, 131, 132, 133, 134, 135, 136)

#undef KGEN_WGMMA
#undef KGEN_WGMMA_REGISTERS
#undef KGEN_WGMMA_SHARED

}  // namespace kgen::sm90::detail
