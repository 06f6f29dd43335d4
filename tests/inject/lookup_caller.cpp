// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin that is linked against the driver and launches as often as it is asked.
extern "C" {
int cuLaunchKernel();

__attribute__((visibility("default"))) int call(int times) {
    int sum = 0;
    for (int i = 0; i < times; ++i)
        sum += cuLaunchKernel();
    return sum;
}
}
