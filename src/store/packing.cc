#include "store/packing.h"

#include <lz4frame.h>
#include <unistd.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "os/file.h"

namespace assay::store {
namespace {

constexpr std::size_t kPiece = 64U << 10U;
constexpr int kZstdLevel = 1;

std::unexpected<Error> damaged(std::string_view why) {
  return system_error(EBADMSG, "unpack: " + std::string(why));
}

std::unexpected<Error> no_memory() {
  return system_error(ENOMEM, "make a compressor");
}

// Passes bytes on as long as there are no more of them than were promised.
struct Bounded {
  Bytes left;
  const Sink& sink;

  Status operator()(std::string_view bytes) {
    if (bytes.size() > left.count) return damaged("more bytes than the record says");
    left.count -= bytes.size();
    return sink(bytes);
  }
};

struct ZstdPacker {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
  std::vector<char> out = std::vector<char>(ZSTD_CStreamOutSize());
  int to = -1;

  Status feed(std::string_view bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer room{out.data(), out.size(), 0};
      left = ZSTD_compressStream2(context.get(), &room, &in, end);
      if (ZSTD_isError(left) != 0) return system_error(EIO, ZSTD_getErrorName(left));
      TRY_STATUS(os::write_all(to, {out.data(), room.pos}));
    } while (in.pos < in.size || (end == ZSTD_e_end && left > 0));
    return {};
  }
};

Status pack_zstd(int from, int to) {
  ZstdPacker packer{.to = to};
  if (!packer.context) return no_memory();
  ZSTD_CCtx_setParameter(packer.context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  TRY_STATUS(read_through(
      from, [&](std::string_view bytes) { return packer.feed(bytes, ZSTD_e_continue); }));
  return packer.feed({}, ZSTD_e_end);
}

struct ZstdUnpacker {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
  std::vector<char> out = std::vector<char>(ZSTD_DStreamOutSize());
  std::size_t left = 1;  // 0 exactly when a frame has ended

  Status feed(std::string_view bytes, Bounded& sink) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool full = false;  // the output was: there may be more in the context
    while (in.pos < in.size || full) {
      ZSTD_outBuffer room{out.data(), out.size(), 0};
      left = ZSTD_decompressStream(context.get(), &room, &in);
      if (ZSTD_isError(left) != 0) return damaged(ZSTD_getErrorName(left));
      TRY_STATUS(sink({out.data(), room.pos}));
      full = room.pos == room.size && left > 0;
    }
    return {};
  }
};

Status pack_lz4(int from, int to) {
  LZ4F_cctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createCompressionContext(&raw, LZ4F_VERSION)) != 0) return no_memory();
  const std::unique_ptr<LZ4F_cctx, decltype(&LZ4F_freeCompressionContext)> context(
      raw, &LZ4F_freeCompressionContext);
  std::vector<char> out(LZ4F_compressBound(kPiece, nullptr) + LZ4F_HEADER_SIZE_MAX);
  const auto put = [&](std::size_t size) -> Status {
    if (LZ4F_isError(size) != 0) return system_error(EIO, LZ4F_getErrorName(size));
    return os::write_all(to, {out.data(), size});
  };
  TRY_STATUS(put(LZ4F_compressBegin(raw, out.data(), out.size(), nullptr)));
  TRY_STATUS(read_through(from, [&](std::string_view bytes) -> Status {
    return put(
        LZ4F_compressUpdate(raw, out.data(), out.size(), bytes.data(), bytes.size(), nullptr));
  }));
  return put(LZ4F_compressEnd(raw, out.data(), out.size(), nullptr));
}

struct Lz4Unpacker {
  static LZ4F_dctx* make() {
    LZ4F_dctx* raw = nullptr;
    return LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION)) != 0 ? nullptr : raw;
  }
  std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context{
      make(), &LZ4F_freeDecompressionContext};
  std::vector<char> out = std::vector<char>(kPiece);
  std::size_t left = 1;  // 0 exactly when a frame has ended

  Status feed(std::string_view bytes, Bounded& sink) {
    bool full = false;
    while (!bytes.empty() || full) {
      std::size_t made = out.size();
      std::size_t used = bytes.size();
      left = LZ4F_decompress(context.get(), out.data(), &made, bytes.data(), &used, nullptr);
      if (LZ4F_isError(left) != 0) return damaged(LZ4F_getErrorName(left));
      bytes.remove_prefix(used);
      TRY_STATUS(sink({out.data(), made}));
      full = made == out.size() && left > 0;
    }
    return {};
  }
};

template <typename Unpacker>
Status unpack_with(int from, Bounded& sink) {
  Unpacker unpacker;
  if (!unpacker.context) return no_memory();
  TRY_STATUS(
      read_through(from, [&](std::string_view bytes) { return unpacker.feed(bytes, sink); }));
  if (unpacker.left != 0) return damaged("the end is missing");
  return {};
}

struct Form {
  Compression form;
  std::string_view word;
  std::string_view suffix;
};
constexpr std::array kForms{Form{Compression::None, "plain", ""},
                            Form{Compression::Lz4, "lz4", ".lz4"},
                            Form{Compression::Zstd, "zstd", ".zst"}};

}  // namespace

Status read_through(int fd, const Sink& sink) {
  // On the stack and not cleared: for a small file either would cost more than reading it.
  std::array<char, kPiece> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  off_t offset = 0;
  for (;;) {
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read a file of the store");
    if (got == 0) return {};
    offset += got;
    TRY_STATUS(sink({buffer.data(), static_cast<std::size_t>(got)}));
  }
}

Status pack(int from, int to, Compression form) {
  if (form == Compression::Zstd) return pack_zstd(from, to);
  if (form == Compression::Lz4) return pack_lz4(from, to);
  return read_through(from, [&](std::string_view bytes) { return os::write_all(to, bytes); });
}

Status unpack(int from, Compression form, Bytes most, const Sink& sink) {
  Bounded bounded{.left = most, .sink = sink};
  if (form == Compression::Zstd) return unpack_with<ZstdUnpacker>(from, bounded);
  if (form == Compression::Lz4) return unpack_with<Lz4Unpacker>(from, bounded);
  return read_through(from, [&](std::string_view bytes) { return bounded(bytes); });
}

std::string_view word_of(Compression form) {
  for (const Form& known : kForms)
    if (known.form == form) return known.word;
  return "plain";
}

std::optional<Compression> form_of(std::string_view word) {
  for (const Form& known : kForms)
    if (known.word == word) return known.form;
  return std::nullopt;
}

std::string_view suffix_of(Compression form) {
  for (const Form& known : kForms)
    if (known.form == form) return known.suffix;
  return "";
}

}  // namespace assay::store
