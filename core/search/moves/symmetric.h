// SPDX-License-Identifier: GPL-3.0-or-later
// A symmetric matrix for least-squares problems of some hundred weights.
#pragma once
#include <cstddef>
#include <vector>

namespace cubinlab {

class Symmetric {
  public:
    explicit Symmetric(std::size_t n) : n_(n), at_(n * n, 0.0) {}
    double& operator()(std::size_t r, std::size_t c) { return at_[r * n_ + c]; }
    double operator()(std::size_t r, std::size_t c) const { return at_[r * n_ + c]; }
    std::size_t size() const { return n_; }

    // Inverse of a positive definite matrix by Gauss-Jordan elimination without pivoting, in place.
    void invert() {
        for (std::size_t p = 0; p < n_; ++p) {
            const double pivot = 1.0 / (*this)(p, p);
            (*this)(p, p) = 1.0;
            for (std::size_t c = 0; c < n_; ++c)
                (*this)(p, c) *= pivot;
            for (std::size_t r = 0; r < n_; ++r) {
                if (r == p) continue;
                const double factor = (*this)(r, p);
                if (factor == 0) continue;
                (*this)(r, p) = 0;
                for (std::size_t c = 0; c < n_; ++c)
                    (*this)(r, c) -= factor * (*this)(p, c);
            }
        }
    }

  private:
    std::size_t n_;
    std::vector<double> at_;
};

}  // namespace cubinlab
