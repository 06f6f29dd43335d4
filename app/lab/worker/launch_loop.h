// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab-worker --launch [DEVICE]`: plain launches with nothing judged, for experiments that count
// on the device. The same frames as the bench protocol (core/gpu/protocol/frame.h), one request at a time:
//
//   machine {}                  -> machine {device, driver, sm, multiprocessors} | error
//   input   {bytes}             -> done (the kernel's second parameter)
//   launch  {image, kernel, blocks, threads, iterations, out_bytes}
//                               -> launched {out, us} | fault {what}
//
// The kernel is called with (output pointer, input pointer, u32 iterations); the output is zeroed before.
// After a fault the process ends: its context is lost. A hang is for the client to see and to end.
#pragma once

namespace cubinlab {

int run_launch_loop(int device);

}  // namespace cubinlab
