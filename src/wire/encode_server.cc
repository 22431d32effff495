// What the server tells about itself and its store.
#include <algorithm>

#include "wire/json.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

// What clients ask for before they use it. All true: we have them all.
void append_features(Object& object) {
  for (const std::string_view feature :
       {"copyOutOptional", "pipeProxy", "symlink", "addressSpaceLimit", "stream", "procPeak",
        "copyOutTruncate", "pipeProxyZeroCopy", "fixSymlinkEscape"})
    object.flag(feature, true);
}

void append_mount(std::string& out, const ConfigMount& mount) {
  Object object(out);
  object.text("Source", mount.source);
  object.text("Target", mount.target);
  object.text("FsType", mount.type);
  object.text("Data", mount.data);
  object.count("Flags", mount.flags);
  object.close();
}

void append_link(std::string& out, const ConfigLink& link) {
  Object object(out);
  object.text("LinkPath", link.path);
  object.text("Target", link.target);
  object.close();
}

void append_runner(std::string& out, const Config& config) {
  Object object(out);
  object.number("cgroupType", config.cgroup_type);
  append_list(object.value("cgroupControllers"), config.cgroup_controllers, append_text);
  append_list(object.value("mount"), config.mounts, append_mount);
  append_list(object.value("symbolicLink"), config.links, append_link);
  append_list(object.value("maskedPaths"), config.masked_paths, append_text);
  object.text("hostName", config.host_name);
  object.text("domainName", config.domain_name);
  object.text("workDir", config.work_dir);
  object.count("uid", config.uid);
  object.count("gid", config.gid);
  object.close();
}

constexpr std::string_view kPlatform =
#if defined(__aarch64__)
    "arm64";
#else
    "amd64";
#endif

}  // namespace

std::string encode_version(const Version& version) {
  std::string out;
  Object object(out);
  object.text("buildVersion", version.build_version);
  object.text("goVersion", "none");  // clients expect the field; there is no Go in here
  object.text("platform", kPlatform);
  object.text("os", "linux");
  append_features(object);
  object.text("engineVersion", version.engine_version);
  object.close();
  return out;
}

std::string encode_config(const Config& config) {
  std::string out;
  Object object(out);
  append_features(object);
  object.text("fileStorePath", config.file_store_path);
  append_runner(object.value("runnerConfig"), config);
  object.close();
  return out;
}

std::string encode_files(const std::vector<store::Listed>& files) {
  std::vector<const store::Listed*> sorted;
  sorted.reserve(files.size());
  for (const store::Listed& file : files)
    sorted.push_back(&file);
  std::ranges::sort(sorted, {}, &store::Listed::id);
  std::string out;
  Object object(out);
  for (const store::Listed* file : sorted)
    append_text(object.value_of(file->id), file->name);
  object.close();
  return out;
}

}  // namespace assay::wire
