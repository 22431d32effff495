#include "app/daemon/config/options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::daemon {
namespace {

using Environment = std::map<std::string, std::string, std::less<>>;

Result<Chosen> chosen(const std::vector<std::string>& arguments, Environment environment = {},
                      bool first = false) {
  return choose({arguments, std::move(environment), first});
}

Settings settings(const std::vector<std::string>& arguments, Environment environment = {},
                  bool first = false) {
  auto result = chosen(arguments, std::move(environment), first);
  EXPECT_TRUE(result) << describe(result.error());
  return result ? result->settings : Settings{};
}

std::string refusal(const std::vector<std::string>& arguments, Environment environment = {}) {
  const auto result = chosen(arguments, std::move(environment));
  return result ? "it was accepted" : result.error().context;
}

// Flag, variable and default of every row of go-judge's table, and of ours.
struct Row {
  std::string flag, variable, fallback;
};
const std::vector<Row> kRows{
    {"http-addr", "ES_HTTP_ADDR", "localhost:5050"},
    {"enable-grpc", "ES_ENABLE_GRPC", "false"},
    {"grpc-addr", "ES_GRPC_ADDR", "localhost:5051"},
    {"grpc-msg-size", "ES_GRPC_MSG_SIZE", "64m"},
    {"monitor-addr", "ES_MONITOR_ADDR", "localhost:5052"},
    {"enable-metrics", "ES_ENABLE_METRICS", "false"},
    {"enable-debug", "ES_ENABLE_DEBUG", "false"},
    {"auth-token", "ES_AUTH_TOKEN", ""},
    {"release", "ES_RELEASE", "false"},
    {"silent", "ES_SILENT", "false"},
    {"parallelism", "ES_PARALLELISM", "0"},
    {"pre-fork", "ES_PRE_FORK", "1"},
    {"cpuset", "ES_CPUSET", ""},
    {"container-cred-start", "ES_CONTAINER_CRED_START", "0"},
    {"container-init-path", "ES_CONTAINER_INIT_PATH", ""},
    {"cgroup-prefix", "ES_CGROUP_PREFIX", "gojudge"},
    {"no-fallback", "ES_NO_FALLBACK", "false"},
    {"net-share", "ES_NET_SHARE", "false"},
    {"mount-conf", "ES_MOUNT_CONF", "mount.yaml"},
    {"seccomp-conf", "ES_SECCOMP_CONF", "seccomp.yaml"},
    {"tmp-fs-param", "ES_TMP_FS_PARAM", "size=128m,nr_inodes=4k"},
    {"dir", "ES_DIR", ""},
    {"file-timeout", "ES_FILE_TIMEOUT", "0s"},
    {"src-prefix", "ES_SRC_PREFIX", ""},
    {"time-limit-checker-interval", "ES_TIME_LIMIT_CHECKER_INTERVAL", "100ms"},
    {"output-limit", "ES_OUTPUT_LIMIT", "256m"},
    {"copy-out-limit", "ES_COPY_OUT_LIMIT", "256m"},
    {"open-file-limit", "ES_OPEN_FILE_LIMIT", "256"},
    {"extra-memory-limit", "ES_EXTRA_MEMORY_LIMIT", "16k"},
    {"enable-cpu-rate", "ES_ENABLE_CPU_RATE", "false"},
    {"cpu-cfs-period", "ES_CPU_CFS_PERIOD", "100ms"},
    {"force-gc-target", "ES_FORCE_GC_TARGET", "20m"},
    {"force-gc-interval", "ES_FORCE_GC_INTERVAL", "5s"},
    {"version", "ES_VERSION", "false"},
    {"help", "ES_HELP", "false"},
    {"queue-limit", "ES_QUEUE_LIMIT", "512"},
    {"memory-limit", "ES_MEMORY_LIMIT", "0"},
    {"default-cpu", "ES_DEFAULT_CPU", "10s"},
    {"default-clock", "ES_DEFAULT_CLOCK", "30s"},
    {"default-memory", "ES_DEFAULT_MEMORY", "512m"},
    {"default-proc", "ES_DEFAULT_PROC", "64"},
    {"strict-defaults", "ES_STRICT_DEFAULTS", "false"},
    {"allow-degraded", "ES_ALLOW_DEGRADED", "false"},
    {"store-quota", "ES_STORE_QUOTA", "0"},
    {"user", "ES_USER", ""},
    {"profiles", "ES_PROFILES", ""},
    {"judging", "ES_JUDGING", "true"},
    {"languages", "ES_LANGUAGES", ""},
    {"policies", "ES_POLICIES", ""},
    {"compile-cache", "ES_COMPILE_CACHE", ""},
    {"warm-up", "ES_WARM_UP", ""},
    {"journal", "ES_JOURNAL", ""},
    {"journal-sync", "ES_JOURNAL_SYNC", "false"},
    {"webhook-prefix", "ES_WEBHOOK_PREFIX", ""},
    {"webhook-secret", "ES_WEBHOOK_SECRET", ""},
    {"noj-problems", "ES_NOJ_PROBLEMS", ""},
    {"noj-backend", "ES_NOJ_BACKEND", ""},
    {"noj-token", "ES_NOJ_TOKEN", ""},
    {"noj-queue", "ES_NOJ_QUEUE", "512"},
    {"max-body", "ES_MAX_BODY", "1g"},
    {"log-format", "ES_LOG_FORMAT", "auto"},
};

TEST(Options, EveryRowHasItsFlagVariableAndDefault) {
  const auto names = option_names();
  ASSERT_EQ(names.size(), kRows.size());
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    EXPECT_EQ(names[i].flag, kRows[i].flag);
    EXPECT_EQ(names[i].variable, kRows[i].variable);
    EXPECT_EQ(names[i].fallback, kRows[i].fallback) << kRows[i].flag;
  }
}

// One value for each option, as a person writes it, and the same set by hand.
struct Sample {
  std::string flag, text;
  std::function<void(Settings&)> set;
};
const std::vector<Sample> kSamples{
    {"http-addr", ":80",
     [](auto& s) {
       s.http_addr = ":80";
     }},
    {"enable-grpc", "true",
     [](auto& s) {
       s.enable_grpc = true;
     }},
    {"grpc-addr", "[::1]:1",
     [](auto& s) {
       s.grpc_addr = "[::1]:1";
     }},
    {"grpc-msg-size", "1k",
     [](auto& s) {
       s.grpc_msg_size = 1_KiB;
     }},
    {"monitor-addr", "h:2",
     [](auto& s) {
       s.monitor_addr = "h:2";
     }},
    {"enable-metrics", "1",
     [](auto& s) {
       s.enable_metrics = true;
     }},
    {"enable-debug", "T",
     [](auto& s) {
       s.enable_debug = true;
     }},
    {"auth-token", "a b",
     [](auto& s) {
       s.auth_token = "a b";
     }},
    {"release", "TRUE",
     [](auto& s) {
       s.release = true;
     }},
    {"silent", "t",
     [](auto& s) {
       s.silent = true;
     }},
    {"parallelism", "7",
     [](auto& s) {
       s.parallelism = 7;
     }},
    {"pre-fork", "3",
     [](auto& s) {
       s.pre_fork = 3;
     }},
    {"cpuset", "0-1,3",
     [](auto& s) {
       s.cpuset = {"0-1", "3"};
     }},
    {"container-cred-start", "10000",
     [](auto& s) {
       s.container_cred_start = 10000;
     }},
    {"container-init-path", "/x",
     [](auto& s) {
       s.container_init_path = "/x";
     }},
    {"cgroup-prefix", "p",
     [](auto& s) {
       s.cgroup_prefix = "p";
     }},
    {"no-fallback", "true",
     [](auto& s) {
       s.no_fallback = true;
     }},
    {"net-share", "true",
     [](auto& s) {
       s.net_share = true;
     }},
    {"mount-conf", "m.yaml",
     [](auto& s) {
       s.mount_conf = "m.yaml";
     }},
    {"seccomp-conf", "s.yaml",
     [](auto& s) {
       s.seccomp_conf = "s.yaml";
     }},
    {"tmp-fs-param", "size=1m",
     [](auto& s) {
       s.tmp_fs_param = "size=1m";
     }},
    {"dir", "/d",
     [](auto& s) {
       s.dir = "/d";
     }},
    {"file-timeout", "1h2m3.5s",
     [](auto& s) {
       s.file_timeout = 1h + 2min + 3500ms;
     }},
    {"src-prefix", "/a,/b",
     [](auto& s) {
       s.src_prefix = {"/a", "/b"};
     }},
    {"time-limit-checker-interval", "50ms",
     [](auto& s) {
       s.time_limit_checker_interval = 50ms;
     }},
    {"output-limit", "1m",
     [](auto& s) {
       s.output_limit = 1_MiB;
     }},
    {"copy-out-limit", "2g",
     [](auto& s) {
       s.copy_out_limit = 2_GiB;
     }},
    {"open-file-limit", "64",
     [](auto& s) {
       s.open_file_limit = 64;
     }},
    {"extra-memory-limit", "100b",
     [](auto& s) {
       s.extra_memory_limit = 100_B;
     }},
    {"enable-cpu-rate", "True",
     [](auto& s) {
       s.enable_cpu_rate = true;
     }},
    {"cpu-cfs-period", "20ms",
     [](auto& s) {
       s.cpu_cfs_period = 20ms;
     }},
    {"force-gc-target", "1m",
     [](auto& s) {
       s.force_gc_target = 1_MiB;
     }},
    {"force-gc-interval", "1s",
     [](auto& s) {
       s.force_gc_interval = 1s;
     }},
    {"version", "true",
     [](auto& s) {
       s.version = true;
     }},
    {"queue-limit", "5",
     [](auto& s) {
       s.queue_limit = 5;
     }},
    {"memory-limit", "3g",
     [](auto& s) {
       s.memory_limit = 3_GiB;
     }},
    {"default-cpu", "1s",
     [](auto& s) {
       s.default_cpu = 1s;
     }},
    {"default-clock", "2s",
     [](auto& s) {
       s.default_clock = 2s;
     }},
    {"default-memory", "64m",
     [](auto& s) {
       s.default_memory = 64_MiB;
     }},
    {"default-proc", "1",
     [](auto& s) {
       s.default_proc = 1;
     }},
    {"strict-defaults", "true",
     [](auto& s) {
       s.strict_defaults = true;
     }},
    {"allow-degraded", "true",
     [](auto& s) {
       s.allow_degraded = true;
     }},
    {"store-quota", "9m",
     [](auto& s) {
       s.store_quota = 9_MiB;
     }},
    {"user", "assay",
     [](auto& s) {
       s.user = "assay";
     }},
    {"profiles", "/p",
     [](auto& s) {
       s.profiles = "/p";
     }},
    {"judging", "false",
     [](auto& s) {
       s.judging = false;
     }},
    {"languages", "/l",
     [](auto& s) {
       s.languages = "/l";
     }},
    {"policies", "/q",
     [](auto& s) {
       s.policies = "/q";
     }},
    {"compile-cache", "/c",
     [](auto& s) {
       s.compile_cache = "/c";
     }},
    {"warm-up", "cpp,c",
     [](auto& s) {
       s.warm_up = {"cpp", "c"};
     }},
    {"journal", "/j",
     [](auto& s) {
       s.journal = "/j";
     }},
    {"journal-sync", "true",
     [](auto& s) {
       s.journal_sync = true;
     }},
    {"webhook-secret", "a b",
     [](auto& s) {
       s.webhook_secret = "a b";
     }},
    {"noj-token", "a b",
     [](auto& s) {
       s.noj_token = "a b";
     }},
    {"noj-queue", "16",
     [](auto& s) {
       s.noj_queue = 16;
     }},
    {"max-body", "4096",
     [](auto& s) {
       s.max_body = 4096_B;
     }},
    {"log-format", "json",
     [](auto& s) {
       s.log_format = "json";
     }},
};

TEST(Options, EveryFlagSetsItsOwnValueAndNoOther) {
  // All but -help, and those that need others: -webhook-prefix, -noj-problems and -noj-backend.
  ASSERT_EQ(kSamples.size() + 4, kRows.size());
  for (const Sample& sample : kSamples) {
    Settings expected;
    sample.set(expected);
    EXPECT_EQ(settings({"-" + sample.flag + "=" + sample.text}), expected) << sample.flag;
    EXPECT_EQ(settings({"--" + sample.flag + "=" + sample.text}), expected) << sample.flag;
  }
}

TEST(Options, EveryVariableSetsTheSameAsItsFlag) {
  for (const Sample& sample : kSamples) {
    Settings expected;
    sample.set(expected);
    const auto row = std::ranges::find(kRows, sample.flag, &Row::flag);
    EXPECT_EQ(settings({}, {{row->variable, sample.text}}), expected) << row->variable;
  }
}

TEST(Options, FlagsWinOverTheEnvironmentAndThatOverDefaults) {
  EXPECT_EQ(settings({}).parallelism, 0U);
  EXPECT_EQ(settings({}, {{"ES_PARALLELISM", "3"}}).parallelism, 3U);
  EXPECT_EQ(settings({"-parallelism=4"}, {{"ES_PARALLELISM", "3"}}).parallelism, 4U);
  EXPECT_FALSE(settings({"-release=false"}, {{"ES_RELEASE", "1"}}).release);
  EXPECT_EQ(settings({"-dir", "/a", "-dir", "/b"}).dir, "/b");
}

TEST(Options, AValueMayFollowItsFlagAndABooleanNeedsNone) {
  const Settings result = settings({"-dir", "/d", "-release", "--http-addr", ":1", "-silent"});
  EXPECT_EQ(result.dir, "/d");
  EXPECT_TRUE(result.release);
  EXPECT_EQ(result.http_addr, ":1");
  EXPECT_TRUE(result.silent);
  EXPECT_EQ(settings({"-auth-token", "-x"}).auth_token, "-x");
}

TEST(Options, TheFirstProcessOfAContainerListensEverywhereAndLogsJson) {
  const Settings result = settings({}, {}, true);
  EXPECT_EQ(result.http_addr, ":5050");
  EXPECT_TRUE(result.release);
  EXPECT_EQ(settings({"-http-addr=localhost:1"}, {}, true).http_addr, "localhost:1");
}

TEST(Options, HelpIsAskedForInFourWays) {
  for (const char* word : {"-h", "--h", "-help", "--help"})
    EXPECT_TRUE(settings({word}).help) << word;
}

struct Mistake {
  std::vector<std::string> arguments;
  std::string said;
};

TEST(Options, EachMistakeIsNamedWithItsFlag) {
  const std::vector<Mistake> mistakes{
      {{"-nonsense"}, "unknown flag '-nonsense' (see -help)"},
      {{"--nonsense=1"}, "unknown flag '-nonsense' (see -help)"},
      {{"-HTTP-addr=:1"}, "unknown flag '-HTTP-addr' (see -help)"},
      {{"serve"}, "unexpected argument 'serve': every setting is a flag (see -help)"},
      {{"-release", "true"}, "unexpected argument 'true': every setting is a flag (see -help)"},
      {{"--"}, "unexpected argument '--': every setting is a flag (see -help)"},
      {{"-dir"}, "-dir: needs a value"},
      {{"-release=maybe"}, "-release: 'maybe' is neither true nor false"},
      {{"-grpc-msg-size=64x"},
       "-grpc-msg-size: '64x' has no known unit: use B, KiB, MiB, GiB or TiB"},
      {{"-grpc-msg-size="}, "-grpc-msg-size: '' is no size"},
      {{"-file-timeout=5"}, "-file-timeout: '5' needs units: ns, us, ms, s, m or h"},
      {{"-file-timeout=-1s"}, "-file-timeout: '-1s' is negative"},
      {{"-file-timeout=1s2"}, "-file-timeout: '1s2' needs units: ns, us, ms, s, m or h"},
      {{"-http-addr=localhost"}, "-http-addr: 'localhost' has no port: write host:port or :port"},
      {{"-http-addr=::1:80"},
       "-http-addr: '::1:80' has too many colons: write [address]:port for IPv6"},
      {{"-http-addr=:70000"}, "-http-addr: ':70000': the port must be 0 to 65535"},
      {{"-http-addr=:"}, "-http-addr: ':': the port must be 0 to 65535"},
      {{"-cpuset=0-x"}, "-cpuset: '0-x' is no list of cores such as 0-1,3"},
      {{"-cpuset=3-1"}, "-cpuset: '3-1' counts down"},
      {{"-log-format=xml"}, "-log-format: 'xml' is none of auto, text, json"},
      {{"-src-prefix=data"}, "-src-prefix: 'data' is not an absolute path"},
      {{"-open-file-limit=0"}, "-open-file-limit: must be 1 or more"},
      {{"-max-body=0"}, "-max-body: must be more than 0"},
      {{"-noj-problems=/p"}, "-noj-problems: everybody could submit; set ES_NOJ_TOKEN"},
      {{"-noj-problems=p"}, "-noj-problems: 'p' is not an absolute path"},
      {{"-noj-problems=/p", "-noj-queue=0"}, "-noj-queue: must be 1 or more"},
      {{"-noj-problems=/p", "-noj-token=t", "-noj-backend=ftp://a.example"},
       "-noj-backend: 'ftp://a.example' does not begin with http:// or https://"},
      {{"-noj-problems=/p", "-noj-token=t", "-judging=false"},
       "-noj-problems: nothing is judged without -judging"},
      {{"-noj-backend=http://a.example"},
       "-noj-backend: there is nothing to judge without -noj-problems"},
      {{"-webhook-prefix=http://a.example"},
       "-webhook-prefix: results are sent signed only; set ES_WEBHOOK_SECRET"},
      {{"-webhook-prefix=http://a.example", "-webhook-secret=s", "-judging=false"},
       "-webhook-prefix: there are no results without -judging"},
      {{"-webhook-prefix=http://a.example,ftp://b.example", "-webhook-secret=s"},
       "-webhook-prefix: 'ftp://b.example' does not begin with http:// or https://"},
      {{"-webhook-prefix=http://a.example/?x=1", "-webhook-secret=s"},
       "-webhook-prefix: 'http://a.example/?x=1' has a query"},
      {{"-no-fallback", "-allow-degraded"},
       "-no-fallback and -allow-degraded contradict each other"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(refusal(mistake.arguments), mistake.said) << mistake.arguments[0];
}

TEST(Options, WebhooksNeedPrefixesAndASecretWhereverTheyComeFrom) {
  const Settings result = settings({"-webhook-prefix=http://a.example/x,https://b.example:8443"},
                                   {{"ES_WEBHOOK_SECRET", "s"}});
  EXPECT_EQ(result.webhook_prefix,
            (std::vector<std::string>{"http://a.example/x", "https://b.example:8443"}));
  EXPECT_EQ(result.webhook_secret, "s");
  EXPECT_EQ(settings({"-webhook-secret=s"},
                     {{"ES_WEBHOOK_PREFIX", "http://a.example"}, {"ES_WEBHOOK_SECRET", "other"}})
                .webhook_secret,
            "s");
}

TEST(Options, TheSecretIsInNoMessage) {
  const std::string secret = "do-not-tell";
  for (const char* spoilt : {"-webhook-prefix=nonsense", "-max-body=0", "-judging=false"})
    EXPECT_EQ(refusal({"-webhook-secret=" + secret, "-webhook-prefix=http://a.example", spoilt})
                  .find(secret),
              std::string::npos);
  EXPECT_EQ(help_text().find(secret), std::string::npos);
}

TEST(Options, AWrongVariableIsNamedAndAnEmptySwitchIsOff) {
  EXPECT_EQ(refusal({}, {{"ES_RELEASE", "x"}}), "ES_RELEASE: 'x' is neither true nor false");
  EXPECT_FALSE(settings({}, {{"ES_RELEASE", ""}}).release);
  EXPECT_EQ(settings({}, {{"ES_NO_SUCH", "1"}}), Settings{});
}

TEST(Options, WhatChangesNothingIsSaidWhenSomebodySetIt) {
  EXPECT_TRUE(without_effect(*chosen({"-dir=/d"})).empty());
  const auto said = without_effect(*chosen({"-force-gc-target=1m"}, {{"ES_CGROUP_PREFIX", "x"}}));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0],
            "ES_CGROUP_PREFIX changes nothing here: cgroups carry the engine's own "
            "instance name");
  EXPECT_EQ(said[1], "-force-gc-target changes nothing here: there is no garbage to collect");
}

TEST(Options, HelpHasARowForEveryOption) {
  const std::string text = help_text();
  for (const Row& row : kRows)
    EXPECT_NE(text.find("  -" + row.flag + " "), std::string::npos) << row.flag;
}

}  // namespace
}  // namespace assay::daemon
