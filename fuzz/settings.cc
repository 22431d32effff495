// What is said to the daemon before it begins, and where its results may go.
#include "app/daemon/config/box.h"
#include "app/daemon/config/values.h"
#include "app/daemon/config/webhook_url.h"
#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"

namespace assay::fuzz {

// A mount file that is taken becomes a profile that is taken, and says the same.
void mount_file(std::string_view bytes) {
  const auto file = daemon::parse_mount_file("mount.yaml", bytes);
  if (!file) {
    CHECK(is_explained(file, bytes.size()));
    CHECK(file.error().context.starts_with("mount.yaml:"));
    return;
  }
  const auto box = daemon::make_box_settings(*file, {}, {});
  if (!box) {
    CHECK(is_explained(box, bytes.size()));
    return;
  }
  const auto profile = sandbox::parse_profile("gojudge", daemon::profile_text(box->profile));
  if (!profile) {
    CHECK(is_explained(profile, bytes.size()));
    return;
  }
  CHECK(profile->work_dir == box->profile.work_dir && profile->hostname == box->profile.hostname);
  CHECK(profile->mounts.size() == box->profile.mounts.size());
  for (std::size_t i = 0; i < profile->mounts.size(); ++i)
    CHECK(profile->mounts[i].source == box->profile.mounts[i].source &&
          profile->mounts[i].target == box->profile.mounts[i].target);
}

void webhook_url(std::string_view bytes) {
  Slices in(bytes);
  const auto prefix = daemon::parse_webhook_prefix(in.part());
  const std::string_view text = in.rest();
  const auto url = daemon::parse_webhook_url(text);
  if (!url) {
    CHECK(is_explained(url, bytes.size()));
    CHECK(url.error().context.size() < 100);  // it has no room for the text, which may be a secret
    return;
  }
  CHECK(!url->host.empty() && url->port != 0 && (url->path.empty() || url->path[0] == '/'));
  const std::string again = (url->secure ? "https://" : "http://") + url->host + ":" +
                            std::to_string(url->port) + url->path + url->query;
  CHECK(again.size() > 2048 || daemon::parse_webhook_url(again) == *url);
  if (url->query.empty()) CHECK(daemon::is_before(*url, *url));
  if (prefix && daemon::is_before(*prefix, *url)) CHECK(prefix->host == url->host);
}

void values(std::string_view bytes) {
  (void)parse_count(bytes, 0, UINT64_MAX);
  (void)daemon::parse_size(bytes);
  (void)daemon::parse_address(bytes);
  (void)daemon::parse_flag(bytes);
  if (const auto size = parse_bytes(bytes)) CHECK(!format_bytes(*size).empty());
  if (const auto time = parse_duration(bytes))
    CHECK(*time >= Nanoseconds{} && !format_duration(*time).empty());
  if (const auto time = daemon::parse_go_duration(bytes)) CHECK(*time >= Nanoseconds{});
  if (const auto cores = daemon::parse_cores(bytes))
    CHECK(!cores->empty() && cores->back() < 1024 && cores->size() <= 1024);
  if (const auto options = daemon::parse_tmpfs_options(bytes, 8_GiB))
    CHECK(options->size.count > 0);
  for (const std::string& line : daemon::parse_environment_file(bytes))
    CHECK(line.contains('=') && !line.contains('\n') && !line.contains('\0'));
}

}  // namespace assay::fuzz
