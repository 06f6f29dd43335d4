// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab-worker --launch [DEVICE]`: plain launches without checks, for experiments that count on the
// device. It uses the frames of the bench protocol (core/gpu/protocol/frame.h), one request at a time:
//
//   machine {}                  -> machine {device, driver, sm, multiprocessors} | error
//   input   {bytes}             -> done (the kernel's second parameter)
//   launch  {image, kernel, blocks, threads, iterations, out_bytes}
//                               -> launched {out, us} | fault {what}
//
// The kernel receives (output pointer, input pointer, u32 iterations); the output is zeroed first. After a
// fault the process ends, because its context is lost. The client detects and ends a hang.
#pragma once

namespace cubinlab {

int run_launch_loop(int device);

}  // namespace cubinlab
