#include <stdint.h>
// Rows of a long multiplication: the carry of each IMAD.WIDE.U32.X is read by the next.
// nvcc -cubin -arch=sm_80 carry_rows.cu -o carry_rows.80.cubin (13.0; .75 likewise)
extern "C" __global__ void carry_rows(const uint32_t* a, uint32_t* c){
  uint32_t x[8],z[8]; int t=threadIdx.x*8;
  for(int i=0;i<8;++i){x[i]=a[t+i]; z[i]=c[t+i];}
  uint32_t y=a[t+8];
  asm volatile("mad.lo.cc.u32 %0,%8,%12,%0; madc.hi.cc.u32 %1,%8,%12,%1; madc.lo.cc.u32 %2,%9,%12,%2; madc.hi.cc.u32 %3,%9,%12,%3; madc.lo.cc.u32 %4,%10,%12,%4; madc.hi.cc.u32 %5,%10,%12,%5; madc.lo.cc.u32 %6,%11,%12,%6; madc.hi.u32 %7,%11,%12,%7;":"+r"(z[0]),"+r"(z[1]),"+r"(z[2]),"+r"(z[3]),"+r"(z[4]),"+r"(z[5]),"+r"(z[6]),"+r"(z[7]):"r"(x[0]),"r"(x[2]),"r"(x[4]),"r"(x[6]),"r"(y));
  for(int i=0;i<8;++i) c[t+i]=z[i];
}
