import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FILE_SETTINGS } from "@/lib/kernel/env";
import { DRAIN_NOTICE_MS } from "@/lib/server/stop";
import { COMPOSE_NAMES } from "@/lib/server/unknown-settings";
import { serverOptions } from "./lib/build.mjs";
import { projectDir } from "./lib/files.mjs";

interface Service {
  user?: string;
  environment?: Record<string, string>;
  env_file?: { path: string }[];
  secrets?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  logging: { options: Record<string, string> };
  deploy: { replicas?: string; resources: { limits: { memory: string; pids: number } } };
  [option: string]: unknown;
}

interface Compose {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
  networks: { slipway: { enable_ipv6: boolean; ipam: { config: { subnet: string }[] } } };
}

const read = (path: string) => readFileSync(join(projectDir, path), "utf8");
const readCompose = (path: string) => parse(read(path), { merge: true }) as Compose;

const compose = readCompose("docker-compose.yml");
const services = Object.entries(compose.services);
const app = compose.services.app as Service;

describe("docker-compose.yml", () => {
  it("passes every setting of .env.example to the console", () => {
    const settings = Object.keys(parseEnv(read(".env.example")));
    const missing = settings.filter((name) => !(name in (app.environment ?? {})));
    expect(missing, "missing in the environment of `app`").toEqual([]);
    expect(app.env_file).toEqual([{ path: ".env", required: false }]);
  });

  it("uses no name of .env that the console would report as unknown", () => {
    const used = new Set(
      [...read("docker-compose.yml").matchAll(/\$\{([A-Z_\d]+)/g)].map(([, name]) => name as string),
    );
    const settings = new Set(Object.keys(parseEnv(read(".env.example"))));
    expect([...used].filter((name) => !settings.has(name)).sort()).toEqual([...COMPOSE_NAMES].sort());
  });

  it("gives the build each of its arguments, whose default is that of the image", () => {
    const dockerfile = read("Dockerfile");
    const { args } = app.build as { args: Record<string, string | null> };
    // Of every build, without a declaration.
    const predefined = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
    const declared = [...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name as string);
    expect(Object.keys(args).sort()).toEqual([...declared, ...predefined].sort());
    // Each stage that loads something stands on the one with the mirrors.
    expect(dockerfile.match(/^FROM node:.*/gm)).toEqual(["FROM node:24-bookworm-slim AS base"]);
  });

  it.each(services)("limits memory, processes and the log of %s", (_name, { deploy, logging }) => {
    expect(deploy.resources.limits).toEqual({ memory: expect.any(String), pids: expect.any(Number) });
    expect(logging.options).toEqual({ "max-size": expect.any(String), "max-file": expect.any(String) });
  });

  it.each(services)("runs %s without capabilities and new privileges, on a read-only file system", (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges=true"] });
  });

  it("runs only the preparation of volumes as root", () => {
    const roots = services.filter(([name, { user }]) => name !== "app" && (user === undefined || /^0/.test(user)));
    expect(roots.map(([name]) => name)).toEqual(["prepare"]);
    expect(read("Dockerfile")).toMatch(/^USER node$/m);
  });

  it("checks the health of every service, and an init process lets the check end a program that hangs", () => {
    const running = services.filter(([name]) => name !== "prepare");
    for (const [, service] of running) expect(service).toMatchObject({ init: true, restart: "unless-stopped" });
    expect(running.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual(["app"]);
    expect(read("Dockerfile")).toMatch(/^HEALTHCHECK .*CMD \["node", "commands\/health\.mjs"\]$/m);
  });

  it("gives an instance the time for migrations that the chart gives it, and the rolling update waits for longer", () => {
    const probe = /startupProbe:\n.*\n +periodSeconds: (\d+)\n +failureThreshold: (\d+)/.exec(
      read("deploy/helm/slipway/templates/deployment.yaml"),
    );
    const seconds = Number(/--start-period=(\d+)s/.exec(read("Dockerfile"))?.[1]);
    expect(seconds).toBe(Number(probe?.[1]) * Number(probe?.[2]));
    const waits = Number(/^timeout_seconds=(\d+)$/m.exec(read("deploy/rolling-update.sh"))?.[1]);
    expect(waits).toBeGreaterThan(seconds);
  });

  it("gives temporary file systems a size", () => {
    const mounts = services.flatMap(([, { tmpfs }]) => (tmpfs as string[] | undefined) ?? []);
    expect(mounts.filter((mount) => !/:size=\d+m/.test(mount))).toEqual([]);
  });

  it("takes the number of instances from .env, so that an update keeps it", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose's own syntax
    expect(app.deploy.replicas).toBe("${APP_INSTANCES:-1}");
  });

  it("trusts the addresses of its own networks only, of both IP versions", () => {
    const { enable_ipv6, ipam } = compose.networks.slipway;
    expect(enable_ipv6).toBe(true);
    expect(app.environment?.TRUSTED_PROXIES).toBe(ipam.config.map(({ subnet }) => subnet).join(","));
  });

  it("mounts only files of the repository", () => {
    const mounted = services.flatMap(([, { volumes }]) => volumes ?? []).filter((volume) => volume.startsWith("./"));
    expect(mounted.length).toBeGreaterThan(3);
    for (const volume of mounted)
      expect(existsSync(join(projectDir, volume.split(":")[0] as string)), volume).toBe(true);
  });
});

describe("deploy/Caddyfile", () => {
  const seconds = (name: string) =>
    [...read("deploy/Caddyfile").matchAll(new RegExp(`^\\s+${name} (\\d+)s$`, "gm"))].map(([, value]) => Number(value));

  it("holds requests for longer than all instances take to start on a busy machine", () => {
    expect(seconds("lb_try_duration")[0]).toBeGreaterThanOrEqual(90);
  });

  it("sends requests to the addresses on which the console listens", () => {
    expect(read("Dockerfile")).toMatch(/HOSTNAME=0\.0\.0\.0/);
    expect(read("deploy/Caddyfile")).toMatch(/dynamic a app 3000 \{[^}]*versions ipv4\n/);
  });

  it("does not depend on the path from which it is read, so that an update with the same file changes nothing", () => {
    expect(read("deploy/Caddyfile")).not.toMatch(/^\s*file_server\b/m);
  });

  it("uses no connection again that an instance which stops may close", () => {
    expect(seconds("keepalive")).toHaveLength(1);
    expect((seconds("keepalive")[0] as number) * 1_000).toBeLessThan(DRAIN_NOTICE_MS - 1_000);
  });
});

it("the image starts the server with the options of npm start", () => {
  const command = /^CMD (\[.*\])$/m.exec(read("Dockerfile"))?.[1] ?? "[]";
  const own = serverOptions.map((option) => option.replace(/=file:.*\//, "=./"));
  expect(JSON.parse(command)).toEqual(["node", ...own, "server.mjs"]);
  // Node uses compiled code only with the options that it was compiled with.
  const compiles = /^ +(\["node", "\/compile-cache.mjs".*\])$/m.exec(read("Dockerfile"))?.[1] ?? "[]";
  expect(JSON.parse(compiles).slice(3)).toEqual([...own, "server.mjs"]);
});

describe("make-env.sh", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-make-env-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const make = (...args: string[]) =>
    spawnSync("sh", [join(projectDir, "scripts", "make-env.sh"), ...args], { cwd: folder, encoding: "utf8" });
  const settings = () => parseEnv(readFileSync(join(folder, ".env"), "utf8"));
  const secret = (name: string) => readFileSync(join(folder, "secrets", name), "utf8");

  it.each([
    ["https://slipway.example.com"],
    ["slipway.example.com/console"],
    ["slipway.example.com:8443"],
    ["localhost"],
    ["-x.example.com"],
    ["slipway.example.com", "slipway.example.com"],
    ["slipway.example.com", "https://store.example.com"],
    ["slipway.example.com", "store.example.com", "more"],
    [],
    ["--help"],
  ])("rejects %s %s with exit code 2 and writes nothing", (...args) => {
    const { status, stderr } = make(...args.filter((arg) => arg !== undefined));
    expect(status).toBe(2);
    expect(stderr).toMatch(/usage|host name/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes settings with secrets of their own, and never overwrites them", () => {
    expect(make("slipway.example.com").status).toBe(0);
    const first = settings();
    expect(first).toMatchObject({
      SLIPWAY_DOMAIN: "slipway.example.com",
      STORE_DOMAIN: "store.slipway.example.com",
      APP_INSTANCES: "1",
    });
    expect(Buffer.from(first.MASTER_KEY ?? "", "base64")).toHaveLength(32);
    expect(make("slipway.example.com")).toMatchObject({ status: 1, stderr: expect.stringContaining("already exists") });
    expect(settings()).toEqual(first);
  });

  it("moves the secrets of .env to files that compose mounts", () => {
    make("slipway.example.com");
    const before = settings();
    writeFileSync(
      join(folder, ".env"),
      `${readFileSync(join(folder, ".env"), "utf8")}SMTP_URL="smtp://u:p@mail.test"\n`,
    );
    expect(make("--secret-files").status).toBe(0);
    const { secrets, services: overrides } = readCompose("deploy/secret-files.yml");
    expect(readdirSync(join(folder, "secrets")).sort()).toEqual(Object.keys(secrets ?? {}).sort());
    expect(secret("MASTER_KEY")).toBe(before.MASTER_KEY);
    expect(secret("SMTP_URL")).toBe("smtp://u:p@mail.test");
    expect(settings()).toEqual({
      SLIPWAY_DOMAIN: before.SLIPWAY_DOMAIN,
      STORE_DOMAIN: before.STORE_DOMAIN,
      S3_ACCESS_KEY_ID: before.S3_ACCESS_KEY_ID,
      APP_INSTANCES: "1",
      COMPOSE_FILE: "docker-compose.yml:deploy/secret-files.yml",
    });
    expect(statSync(join(folder, "secrets")).mode & 0o777).toBe(0o700);
    const readable = Object.keys(overrides.app?.environment ?? {}).map((name) => name.replace(/_FILE$/, ""));
    expect(readable.filter((name) => !(FILE_SETTINGS as readonly string[]).includes(name))).toEqual([]);
    expect(make("--secret-files").status).toBe(1);
  });
});
