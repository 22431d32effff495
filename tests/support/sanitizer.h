// Which sanitizer this test was built with, for what cannot be looked at under it.
#pragma once

namespace assay {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kAddressSanitizer = false;
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace assay
