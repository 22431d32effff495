// libarchive cuts a name at its first zero byte without a word, so that two readers of one zip file
// could see different names.
#pragma once

namespace assay::judge::unpacker {

// In the central directory of a seekable file, which is left at its start. False for what is no zip
// file: somebody else will complain.
bool zip_has_zero_in_a_name(int file);

}  // namespace assay::judge::unpacker
