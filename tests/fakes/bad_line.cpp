// SPDX-License-Identifier: GPL-3.0-or-later
// A bad connection between client and worker: bad_line MODE BYTES STATE COMMAND...
//   drop      ends after BYTES bytes came from the worker      garble   changes the byte at that place
//   delay     passes everything on in pieces of 7 bytes, a millisecond apart
//   kill      kills the worker with SIGKILL at that place
// Each run lowers the count of accidents in file STATE (a number); at 0 the line is good.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

bool take_accident(const char* file) {
    int left = 0;
    std::ifstream(file) >> left;
    if (left <= 0) return false;
    std::ofstream(file) << left - 1;
    return true;
}

bool pass(const char* data, ssize_t size) {
    while (size > 0) {
        const ssize_t n = ::write(1, data, static_cast<std::size_t>(size));
        if (n <= 0) return false;
        data += n;
        size -= n;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    const std::string mode = argv[1];
    const long place = std::atol(argv[2]);
    const bool bad = take_accident(argv[3]);
    int down[2], up[2];
    if (::pipe(down) != 0 || ::pipe(up) != 0) return 2;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(down[0], 0);
        ::dup2(up[1], 1);
        for (int fd : {down[0], down[1], up[0], up[1]})
            ::close(fd);
        ::execvp(argv[4], argv + 4);
        ::_exit(127);
    }
    ::close(down[0]);
    ::close(up[1]);
    char buffer[65536];
    long passed = 0;
    pollfd ends[2] = {{0, POLLIN, 0}, {up[0], POLLIN, 0}};
    for (;;) {
        if (::poll(ends, 2, -1) < 0) break;
        if (ends[0].revents) {
            const ssize_t n = ::read(0, buffer, sizeof buffer);
            if (n <= 0) break;
            for (ssize_t done = 0; done < n;) {
                const ssize_t m = ::write(down[1], buffer + done, static_cast<std::size_t>(n - done));
                if (m <= 0) break;
                done += m;
            }
        }
        if (ends[1].revents) {
            const std::size_t most = mode == "delay" && bad ? 7 : sizeof buffer;
            const ssize_t n = ::read(up[0], buffer, most);
            if (n <= 0) break;
            if (mode == "delay" && bad) ::usleep(1000);
            const long at = place - passed;
            if (bad && at >= 0 && at < n) {
                if (mode == "garble") buffer[at] = static_cast<char>(buffer[at] ^ 0x20);
                if (mode == "kill") ::kill(child, SIGKILL);
                if (mode == "drop") {
                    pass(buffer, at);
                    break;
                }
            }
            passed += n;
            if (!pass(buffer, n)) break;
        }
    }
    ::kill(child, SIGKILL);
    return 0;
}
