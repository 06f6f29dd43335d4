// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of the fields of a struct is a function next to the struct. Whatever writes or reads the fields calls it:
//
//   template <FieldsOf<Calibration> T>
//   void visit_fields(T& c, auto&& visit) {
//       visit("original_us", c.original_us);
//   }
#pragma once
#include <type_traits>

namespace cubinlab {

// `Struct`, also const.
template <class T, class Struct>
concept FieldsOf = std::is_same_v<std::remove_const_t<T>, Struct>;

template <class T>
concept HasFields = requires(T& value) {
    visit_fields(value, [](const char*, auto&) {});
};

}  // namespace cubinlab
