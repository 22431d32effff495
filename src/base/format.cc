// fmt's compiled half. Debian ships it only as a shared object, which would cost every start of
// `assay exec` a library more to load; header-only, it is compiled again into each file that
// formats (2 to 4 s of a file's 7). So it is compiled here, once.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto locale_ref::get<std::locale>() const -> std::locale;
template locale_ref::locale_ref(const std::locale&);
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>,
                         locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
