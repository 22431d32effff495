#include "app/daemon/serve.h"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "app/daemon/config/version.h"
#include "app/daemon/describe.h"
#include "app/daemon/engine_metrics.h"
#include "app/daemon/host_file.h"
#include "app/daemon/judging.h"
#include "app/daemon/listen.h"
#include "app/daemon/signals.h"
#include "app/daemon/slim.h"
#include "app/daemon/warded_engine.h"
#include "app/daemon/wiring.h"
#include "os/thread.h"
#include "service/processes.h"
#include "transport/grpc.h"
#include "transport/metrics.h"
#include "transport/module_loader.h"
#include "transport/server.h"
#include "wire/json.h"

namespace assay::daemon {
namespace {

using namespace std::chrono_literals;

constexpr auto kDrain = 3s;
constexpr unsigned kLastWords = 15;  // seconds from the end of draining to the end of us
constexpr int kCare = 15'000;        // milliseconds between two looks at what can be given back

void allow_many_descriptors() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

Result<sandbox::HostMeters> look_at_engine(const sandbox::Sandbox& engine, const Settings& settings,
                                           const Log& log) {
  sandbox::HostMeters meters = TRY(engine.meters());
  if (meters.missing.empty()) return meters;
  const std::string lacks = fmt::format("{}", fmt::join(meters.missing, "; "));
  if (!settings.allow_degraded)
    return invalid(
        fmt::format("full boxes cannot be made here ({}); run 'assay doctor' for the "
                    "fix, or start with -allow-degraded",
                    lacks));
  log.warning("DEGRADED: limits and measurements are not to be trusted", {{"missing", lacks}});
  return meters;
}

// Everything that serves, in the order in which it depends on each other.
class Daemon {
 public:
  static Result<std::unique_ptr<Daemon>> start(Startup startup, Wires& wires, const Log& log);
  int wait();

 private:
  Daemon(Startup startup, const Log& log, sandbox::Sandbox engine, store::Store store,
         os::OwnedFd host_files);
  [[nodiscard]] service::Observer observer() const;
  [[nodiscard]] transport::RpcObserver rpc_observer() const;
  Status open_court(LawBooks books);
  Status open_doors(const sandbox::HostMeters& meters);
  Status open_grpc();
  void announce() const;
  int wind_down();

  Startup startup_;
  const Log& log_;
  sandbox::Sandbox engine_;
  store::Store store_;
  HostFiles host_files_;
  exec::Runner runner_;
  std::shared_ptr<transport::Metrics> metrics_;
  service::Service service_;
  service::Processes processes_;            // that clients hold
  std::unique_ptr<Courthouse> courthouse_;  // null: nothing is judged
  std::unique_ptr<transport::Server> server_;
  std::unique_ptr<transport::GrpcServer> grpc_;
  std::vector<std::string> addresses_;
  os::OwnedFd signals_;
  os::OwnedFd warden_;
};

Daemon::Daemon(Startup startup, const Log& log, sandbox::Sandbox engine, store::Store store,
               os::OwnedFd host_files)
    : startup_(std::move(startup)),
      log_(log),
      engine_(std::move(engine)),
      store_(std::move(store)),
      host_files_(std::move(host_files)),
      runner_(
          engine_, store_, [this](const std::string& path) { return host_files_.open(path); },
          runner_rules(startup_)),
      metrics_(startup_.settings.enable_metrics ? std::make_shared<transport::Metrics>() : nullptr),
      service_(std::make_unique<WardedEngine>(service::make_engine(runner_), engine_.warden_pid()),
               store_, service_options(startup_.settings), observer()),
      processes_(service_, {}) {
  if (metrics_) store_.when_added([metrics = metrics_](Bytes size) { metrics->file_added(size); });
}

service::Observer Daemon::observer() const {
  if (!metrics_) return {};
  return [metrics = metrics_](const exec::CommandResult& result) {
    metrics->command_ended(result);
  };
}

transport::RpcObserver Daemon::rpc_observer() const {
  if (!metrics_) return {};
  return [metrics = metrics_](const transport::RpcEvent& event) {
    metrics->rpc(event);
  };
}

// Root until the engine's warden runs; then never again, and only then doors are opened.
Result<std::unique_ptr<Daemon>> Daemon::start(Startup startup, Wires& wires, const Log& log) {
  sandbox::Sandbox engine = TRY(sandbox::Sandbox::start(engine_options(startup)));
  TRY_STATUS(engine.know(startup.profile.name));
  std::optional<LawBooks> books;
  if (startup.settings.judging) books.emplace(TRY(open_books(startup, engine, log)));
  transport::keep_place_of_modules();
  TRY_STATUS(give_up_root(startup.identity));
  TRY_STATUS(leash_to(wires.keeper));
  os::OwnedFd signals = TRY(take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT}));
  const sandbox::HostMeters meters = TRY(look_at_engine(engine, startup.settings, log));
  TRY_STATUS(
      engine.prepare(startup.profile.name, static_cast<unsigned>(startup.settings.pre_fork)));
  store::Store store = TRY(store::Store::open(store_options(startup)));
  const long warden = ::syscall(SYS_pidfd_open, engine.warden_pid(), 0);
  if (warden < 0) return system_error("watch the warden");
  std::unique_ptr<Daemon> daemon(new Daemon(std::move(startup), log, std::move(engine),
                                            std::move(store), std::move(wires.host_files)));
  daemon->signals_ = std::move(signals);
  daemon->warden_ = os::OwnedFd(static_cast<int>(warden));
  if (books) TRY_STATUS(daemon->open_court(*std::move(books)));
  TRY_STATUS(daemon->open_doors(meters));
  daemon->announce();
  return daemon;
}

Status Daemon::open_court(LawBooks books) {
  auto compilers = TRY(open_compilers(startup_, engine_, books));
  auto webhooks = TRY(Webhooks::open(startup_.settings, log_));
  auto journal = TRY(open_journal(startup_, log_));
  auto noj = TRY(NojOffice::open(startup_.settings, log_));
  courthouse_ = std::make_unique<Courthouse>(
      Courthouse::Parts{.books = std::move(books),
                        .compilers = std::move(compilers),
                        .journal = std::move(journal),
                        .engine = engine_,
                        .service = service_,
                        .host_files = host_files_,
                        .serves_host_files = !startup_.settings.src_prefix.empty(),
                        .metrics = metrics_,
                        .webhooks = std::move(webhooks),
                        .noj = std::move(noj),
                        .log = log_});
  TRY_STATUS(courthouse_->resume());
  return courthouse_->warm_up(startup_.settings.warm_up);
}

Status Daemon::open_doors(const sandbox::HostMeters& meters) {
  const Settings& settings = startup_.settings;
  if (metrics_) watch_engine(*metrics_, engine_);
  transport::Options options{
      .auth_token = settings.auth_token,
      .metrics = metrics_,
      .version_json = wire::encode_version({kSpokenVersion, engine_version()}),
      .config_json = wire::encode_config(describe_config(startup_, meters)),
      .judging = courthouse_ ? courthouse_->doors() : nullptr,
      .processes = &processes_,
      .noj = courthouse_ ? courthouse_->noj_doors() : nullptr,
      .limits = {.body = settings.max_body}};
  for (const os::OwnedFd& listener : startup_.listeners)
    addresses_.push_back(address_of(listener));
  options.listeners = std::move(startup_.listeners);
  options.monitor_listeners = std::move(startup_.monitor_listeners);
  if (settings.enable_debug)
    options.access_log = [this](const std::string& line) {
      log_.debug("request", {{"request", Json{line}}});
    };
  if (settings.enable_grpc) TRY_STATUS(open_grpc());
  server_ = TRY(transport::Server::start(service_, std::move(options)));
  return {};
}

Status Daemon::open_grpc() {
  const Settings& settings = startup_.settings;
  const transport::GrpcStart enter = TRY(transport::load_grpc());
  if (metrics_) metrics_->expect_rpcs();
  std::string why;
  grpc_.reset(enter(service_,
                    {.address = settings.grpc_addr,
                     .auth_token = settings.auth_token,
                     .message_size = settings.grpc_msg_size,
                     .observer = rpc_observer(),
                     .judging = courthouse_ ? courthouse_->doors() : nullptr},
                    &why));
  if (!grpc_) return invalid(fmt::format("cannot serve gRPC on '{}': {}", settings.grpc_addr, why));
  log_.info("gRPC is served", {{"address", settings.grpc_addr}});
  return {};
}

void Daemon::announce() const {
  for (const std::string& address : addresses_)
    log_.info("HTTP is served", {{"address", address}});
  log_.info("ready", {{"version", engine_version()},
                      {"workers", std::int64_t{workers_of(startup_.settings)}},
                      {"store", startup_.store},
                      {"user", std::int64_t{::geteuid()}},
                      {"instance", engine_.instance()}});
}

int Daemon::wait() {
  const bool has_due_files =
      startup_.settings.file_timeout > 0ns || startup_.settings.store_quota.count > 0;
  for (;;) {
    std::array<pollfd, 2> wait{{{signals_.get(), POLLIN, 0}, {warden_.get(), POLLIN, 0}}};
    if (::poll(wait.data(), wait.size(), kCare) == 0) {
      if (has_due_files) store_.expire();
      engine_.retire_unneeded();  // what a large request left, when no other comes
      ::malloc_trim(0);           // what an unusual request left in the heaps of the threads
    }
    if (next_signal(signals_) != 0) return wind_down();
    if (wait[1].revents == 0) continue;
    log_.fatal("the warden is gone: no more programs can be run");
    ::_exit(1);  // the keeper removes what is left
  }
}

int Daemon::wind_down() {
  log_.info("stopping: open requests have 3 s");
  server_->stop_accepting();
  const os::OwnedFd over(::eventfd(0, EFD_CLOEXEC));
  const auto drain_judgings = [&] {
    if (courthouse_) courthouse_->drain(kDrain);
  };
  const auto drain = [&] {
    if (courthouse_) courthouse_->stop_packages();  // gRPC would wait for them
    if (grpc_) grpc_->stop(kDrain);
    const auto judgings = os::start_thread<std::jthread>(drain_judgings);
    processes_.stop();  // their clients would never end them
    service_.drain(kDrain);
    if (!judgings) drain_judgings();
    ::eventfd_write(over.get(), 1);
  };
  const auto drainer = os::start_thread<std::jthread>(drain);
  if (!drainer) drain();
  std::array<pollfd, 2> wait{{{over.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
  while (over.is_open() && wait[0].revents == 0) {
    (void)::poll(wait.data(), wait.size(), -1);
    if (next_signal(signals_) == 0) continue;
    log_.warning("a second signal: stopping at once");
    ::_exit(1);
  }
  ::alarm(kLastWords);
  return 0;
}

}  // namespace

int serve(Startup startup, Wires wires, const Log& log) {
  ::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_NAME, "assayd-daemon");
  allow_many_descriptors();
  limit_heaps(workers_of(startup.settings));
  try {
    auto daemon = Daemon::start(std::move(startup), wires, log);
    if (!daemon) {
      log.fatal(describe(daemon.error()));
      return 1;
    }
    (void)!::write(wires.ready.get(), "R", 1);
    ::malloc_trim(0);
    forget_code();
    const int code = (*daemon)->wait();
    daemon->reset();
    log.info("stopped");
    return code;
  } catch (const std::exception& error) {  // a library's
    log.fatal(error.what());
    return 1;
  }
}

}  // namespace assay::daemon
