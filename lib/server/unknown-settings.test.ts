import { expect, it } from "vitest";
import { FILE_SETTINGS, SETTING_NAMES } from "@/lib/kernel/env";
import { findUnknownSettings } from "./unknown-settings";

it("a misspelled setting is found, with the one that was probably meant", () => {
  expect(findUnknownSettings({ SESION_IDLE_SECONDS: "60", METRIC_TOKEN: "x", NO_SUCH_SETTING: "1" })).toEqual([
    { name: "METRIC_TOKEN", similar: "METRICS_TOKEN" },
    { name: "NO_SUCH_SETTING", similar: undefined },
    { name: "SESION_IDLE_SECONDS", similar: "SESSION_IDLE_SECONDS" },
  ]);
});

it("settings, their files, and variables of the system, the image and Kubernetes are known", () => {
  const names = [
    ...SETTING_NAMES,
    ...FILE_SETTINGS.map((name) => `${name}_FILE`),
    ..."PATH HOME HOSTNAME NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS NEXT_TELEMETRY_DISABLED NEXTAUTH_URL".split(
      " ",
    ),
    ..."https_proxy NO_PROXY TZ LC_ALL COMPOSE_FILE OTEL_EXPORTER_OTLP_ENDPOINT __NEXT_PRIVATE_ORIGIN".split(" "),
    ..."STORE_SERVICE_HOST STORE_SERVICE_PORT STORE_SERVICE_PORT_HTTP STORE_PORT STORE_PORT_7070_TCP_ADDR".split(" "),
  ];
  expect(findUnknownSettings(Object.fromEntries(names.map((name) => [name, "x"])))).toEqual([]);
});
