/* format.h - what LAMMPS's headers need to be read where the copy of fmt that they were
 * made with is not installed: names, without functions, for templates that are not used. */
#ifndef POLHODE_LAMMPS_FMT_FORMAT_H
#define POLHODE_LAMMPS_FMT_FORMAT_H

#include <string>

namespace fmt
{
class string_view;
class format_args;
template <typename... Args, typename S>
format_args make_args_checked(const S &format, const Args &...args);
template <typename... Args> format_args make_format_args(const Args &...args);
} // namespace fmt

#endif
