#include "wire/openapi.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/wire/golden.h"

namespace assay::wire {
namespace {

TEST(OpenApi, TheCopyForReadersIsWhatTheServerAnswers) {
  expect_golden("api/openapi.json", openapi_json());
}

TEST(OpenApi, DescribesEveryRoute) {
  EXPECT_TRUE(is_json(openapi_json()));
  EXPECT_NE(openapi_json().find(R"("openapi": "3.1.0")"), std::string_view::npos);
  for (const std::string route : {"/run",
                                  "/file",
                                  "/file/{fid}",
                                  "/version",
                                  "/config",
                                  "/ws",
                                  "/stream",
                                  "/metrics",
                                  "/healthz",
                                  "/readyz",
                                  "/openapi.json",
                                  "/v1/submissions",
                                  "/v1/submissions/{id}",
                                  "/v1/submissions/{id}/events",
                                  "/v1/languages",
                                  "/v1/problems",
                                  "/v1/problems/{id}",
                                  "/v1/processes",
                                  "/v1/processes/{id}",
                                  "/v1/processes/{id}/wait",
                                  "/v1/processes/{id}/stdin",
                                  "/v1/processes/{id}/stdout"})
    EXPECT_NE(openapi_json().find("\n  \"" + route + "\": {"), std::string_view::npos) << route;
}

}  // namespace
}  // namespace assay::wire
