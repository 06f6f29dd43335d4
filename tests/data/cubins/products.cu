// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc -arch=sm_103a -cubin -o products.103a.cubin products.cu (CUDA 13.0)
extern "C" __global__ void products(double* o, int* oi, const double* a, const int4* m){ double x=a[0], y=a[1];
 int c0=0,c1=0,c2=0,c3=0; int4 v=m[threadIdx.x], w=m[threadIdx.x+32];
 asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+r"(c0),"+r"(c1),"+r"(c2),"+r"(c3):"r"(v.x),"r"(v.y),"r"(v.z),"r"(v.w),"r"(w.x),"r"(w.y));
 *o=x*y+1.5; oi[threadIdx.x]=c0+c1+c2+c3; }
