#include "app/cli/commands.h"
namespace assay::cli {
__attribute__((weak)) int doctor(const DoctorOptions&) { return failed("not linked"); }
__attribute__((weak)) int bench(const BenchOptions&) { return failed("not linked"); }
}
