import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { check, describeLoad, expect, poll } from "./checks";
import { anIpa, Client, sha256 } from "./client";
import type { Deployment } from "./deployment";
import { followInstallLink, hasBytes, publishByCurl } from "./install";
import { underLoad } from "./load";

const SERVICES = ["app", "db", "store", "caddy"];

/** The deployment whose services are checked, and a client of it. */
interface Services {
  deployment: Deployment;
  client: Client;
}

/** Checks what the pages say of the services: the main job, instances, restarts, failures, limits, users and logs. */
export async function checkServices(deployment: Deployment): Promise<void> {
  const services: Services = { deployment, client: new Client(deployment.target) };
  if (!(await checkStart(services))) {
    process.stdout.write(deployment.compose("logs", "--tail", "10"));
    return;
  }
  await checkContainers(services);
  await checkSettings(services);
  await checkUploadsFromPages(services);
  await checkMainJob(services);
  await checkStaticFiles(services);
  await checkThreeInstances(services);
  await checkRestarts(services);
  await checkDatabaseAway(services);
  await checkStoreAway(services);
  await checkNoInstance(services);
  await checkHangingInstance(services);
  await checkLogs(services);
  await checkFullStore(services);
  services.client.close();
}

const allContainers = (deployment: Deployment) => SERVICES.flatMap((service) => deployment.containers(service));

/** Waits until an instance that has its database and store answers. */
const pollReady = (client: Client, seconds = 30) =>
  poll("ready again", seconds, async () => (await client.get("health/ready")).status === 200);

/** A check that at most the allowed number of requests fails while something happens. */
const load =
  ({ deployment }: Services, allowed: number, disturbance: () => Promise<unknown>) =>
  async () => {
    const result = await underLoad(deployment.target, disturbance);
    expect(result.failures.length <= allowed, describeLoad(result));
    return describeLoad(result).split("\n")[0];
  };

function checkStart({ deployment }: Services): Promise<boolean> {
  return check("starts, and every service is healthy", async () => {
    const begin = performance.now();
    await deployment.up();
    for (const container of allContainers(deployment)) {
      expect(deployment.inspect(container).State.Health?.Status === "healthy", `${container} is not healthy`);
    }
    return `${Math.round((performance.now() - begin) / 1000)} s`;
  });
}

async function checkContainers({ deployment }: Services): Promise<void> {
  await check("no service runs as root, or may write to its image", async () => {
    for (const container of allContainers(deployment)) {
      const { HostConfig } = deployment.inspect(container);
      const status = deployment.docker("exec", container, "cat", "/proc/1/status");
      const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1];
      expect(uid !== "0", `${container} runs as root`);
      expect(HostConfig.ReadonlyRootfs, `${container} has a writable file system`);
      expect(HostConfig.CapDrop?.includes("ALL") === true, `${container} keeps capabilities`);
      expect(/^NoNewPrivs:\s+1$/m.test(status), `${container} may gain privileges`);
    }
  });

  await check("limits of memory and processes are in force", async () => {
    const measured: string[] = [];
    for (const container of allContainers(deployment)) {
      const { Memory, PidsLimit } = deployment.inspect(container).HostConfig;
      expect(Memory > 0 && (PidsLimit ?? 0) > 0, `${container} has no limit`);
      const path =
        "for f in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do [ -f $f ] && cat $f; done; true";
      const inForce = deployment.docker("exec", container, "sh", "-c", path).trim();
      expect(Number(inForce) === Memory, `${container}: ${inForce} bytes in force instead of ${Memory}`);
      const [used = ""] = deployment.docker("stats", "--no-stream", "--format", "{{.MemUsage}}", container).split(" /");
      measured.push(`${container.replace(`${deployment.project}-`, "")} ${used}`);
    }
    return measured.join(", ");
  });
}

async function checkSettings({ deployment }: Services): Promise<void> {
  await check("no secret is in the environment of a container", async () => {
    const names = ["MASTER_KEY", "POSTGRES_PASSWORD", "S3_SECRET_ACCESS_KEY", "METRICS_TOKEN", "SETUP_ADMIN_PASSWORD"];
    const secrets = names.map((name) => deployment.secret(name));
    for (const container of allContainers(deployment)) {
      const inspected = deployment.docker("inspect", container);
      names.forEach((name, index) => {
        expect(!inspected.includes(secrets[index] as string), `${container} has ${name}`);
      });
    }
  });

  await check("a name in .env that is not a setting is reported", async () => {
    expect(deployment.compose("logs", "app").includes("NO_SUCH_SETTING is not a setting"), "the log does not name it");
  });
}

async function checkUploadsFromPages({ deployment, client }: Services): Promise<void> {
  await check("the store accepts files from the console's pages without a command", async () => {
    const preflight = (origin: string) =>
      client.send(`https://store.${deployment.target.domain}/slipway/installers/x`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "PUT" },
      });
    const own = await preflight(client.origin);
    expect(own.headers["access-control-allow-origin"] === client.origin, `${own.status} for the console`);
    const other = await preflight("https://other.example");
    expect(other.headers["access-control-allow-origin"] === undefined, "another site may send files");
  });
}

async function checkMainJob({ deployment, client }: Services): Promise<void> {
  await check("sign in, upload by curl, upload in parts, publish, install, download by range", async () => {
    await client.signIn();
    const { appId, environmentId } = await client.place();
    const bytes = anIpa(24 * 1024 * 1024);
    const uploaded = await client.uploadInParts(bytes);
    expect(uploaded.json?.sha256 === sha256(bytes), `upload in parts: ${uploaded.status} ${uploaded.bytes}`);
    expect(uploaded.stores.join() === `https://store.${deployment.target.domain}`, `parts went to ${uploaded.stores}`);
    expect(uploaded.allowed, "the store's answers do not allow the console's pages");
    const { fileId } = uploaded.json;
    const release = await client.post("apps/create-testing-deploy", { environmentId, fileId, description: "check" });
    expect(release.status < 300, `publish: ${release.status} ${release.bytes}`);
    const location = await followInstallLink(client, release.json.id);
    const whole = await client.send(location);
    expect(hasBytes(whole, bytes), `download: ${whole.status}`);
    const range = await client.send(location, { headers: { range: "bytes=10-19" } });
    expect(range.status === 206 && range.bytes.equals(bytes.subarray(10, 20)), `range: ${range.status}`);

    const validUntil = new Date(Date.now() + 86_400_000).toISOString();
    const api = { name: "ci", appId, environmentId, identifiers: ["server"], validUntil };
    const { json: created } = await client.post("config/create-api-token", api);
    const installer = join(deployment.folder, "small.ipa");
    writeFileSync(installer, anIpa(1024 * 1024));
    const accepted = publishByCurl(deployment, created.token, installer);
    expect(/20[01]$/.test(accepted.stdout), `curl: ${accepted.stdout} ${accepted.stderr}`);
    const refused = Array.from({ length: 10 }, () => publishByCurl(deployment, "wrong", installer));
    const reasons = refused.filter(({ stdout }) => stdout.includes('"code":"invalid_token"')).length;
    const clean = refused.filter(({ status }) => status === 22).length;
    expect(reasons >= 8 && clean >= 8, `refused uploads: ${reasons} of 10 with a reason, ${clean} with exit code 22`);
    return `refused uploads: ${reasons} of 10 with a reason, ${clean} with exit code 22`;
  });
}

async function checkStaticFiles({ client }: Services): Promise<void> {
  await check("the command-line tool and the scripts of pages are served, compressed", async () => {
    const tool = await client.page("/cli/slipway.mjs");
    expect(tool.status === 200 && tool.bytes.includes("slipway"), `/cli/slipway.mjs: ${tool.status}`);
    const page = (await client.page("/")).bytes.toString("utf8");
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(page)?.[1] ?? "";
    const answers = ["br", "gzip"].map((coding) =>
      client.send(client.origin + script, { headers: { "accept-encoding": coding } }),
    );
    const codings = (await Promise.all(answers)).map(({ headers }) => headers["content-encoding"]);
    expect(codings.join() === "br,gzip", `${script} is sent as ${codings.map(String).join(" and ")}`);
  });
}

async function checkThreeInstances(services: Services): Promise<void> {
  const { deployment, client } = services;
  await check("three instances from .env, which a second `up` keeps", async () => {
    deployment.set({ APP_INSTANCES: "3" });
    await deployment.up();
    await deployment.up();
    expect(deployment.containers("app").length === 3, `${deployment.containers("app").length} instances`);
  });

  await check(
    "load on three instances",
    load(services, 0, () => delay(6_000)),
  );
  const [, second = "", third = ""] = deployment.containers("app");
  await check(
    "an instance restarts",
    load(services, 0, () => deployment.dockerAsync("restart", second)),
  );
  await check(
    "an instance is killed with SIGKILL",
    load(services, 8, () => deployment.dockerAsync("kill", third)),
  );
  await check(
    "all three instances are updated, one after the other",
    load(services, 0, async () => {
      const ids = () => deployment.compose("ps", "--quiet", "app").split("\n").filter(Boolean);
      const before = ids();
      deployment.tagImage(randomBytes(4).toString("hex"));
      deployment.replace("deploy/Caddyfile", (text) =>
        text.replace("import unavailable", "$&\n\theader X-Checked yes"),
      );
      await deployment.rollingUpdate();
      expect((await client.page("/")).headers["x-checked"] === "yes", "Caddy still has its earlier settings");
      const after = ids();
      expect(after.length === 3 && !after.some((id) => before.includes(id)), `${before} became ${after}`);
    }),
  );
}

async function checkRestarts(services: Services): Promise<void> {
  const { deployment } = services;
  await check("the database restarts: no request is answered 500", async () => {
    const result = await underLoad(deployment.target, () => deployment.composeAsync("restart", "db"), 10_000);
    const wrong = result.failures.filter((failure) => !/: 503 /.test(failure));
    expect(wrong.length === 0, describeLoad({ ...result, failures: wrong }));
    return `${result.requests} requests, ${result.failures.length} answered 503, none otherwise failed`;
  });
  await check(
    "the store is killed with SIGKILL",
    load(services, 8, async () => {
      const [store = ""] = deployment.containers("store");
      await deployment.dockerAsync("kill", store);
      await deployment.dockerAsync("start", store);
    }),
  );
}

async function checkDatabaseAway({ deployment, client }: Services): Promise<void> {
  await check("the database is away: 503 with Retry-After, pages too", async () => {
    await deployment.composeAsync("stop", "db");
    try {
      for (const path of ["/api/config/get-app-config", "/api/apps/get-apps", "/", "/home", "/admin-apps"]) {
        const { status, headers } = await client.page(path);
        expect(status === 503 && headers["retry-after"] !== undefined, `${path}: ${status} ${headers["retry-after"]}`);
      }
    } finally {
      await deployment.composeAsync("start", "db");
    }
    await pollReady(client);
  });
}

async function checkStoreAway({ deployment, client }: Services): Promise<void> {
  await check("the store is away: uploads are answered 503, lists and pages work", async () => {
    await deployment.composeAsync("stop", "store");
    try {
      const { status } = await client.post("files/create-upload", { name: "x.ipa", size: 1_000_000 });
      expect(status === 503, `create-upload: ${status}`);
      expect((await client.get("apps/get-apps")).status === 200, "get-apps fails");
      expect((await client.page("/admin-apps")).status === 200, "/admin-apps fails");
    } finally {
      await deployment.composeAsync("start", "store");
    }
    await pollReady(client);
  });
}

async function checkNoInstance({ deployment, client }: Services): Promise<void> {
  await check("no instance: Caddy answers with a page and a problem, 503 with Retry-After", async () => {
    await deployment.composeAsync("stop", "app");
    try {
      const [page, api] = await Promise.all([client.page("/"), client.get("apps/get-apps")]);
      expect(page.status === 503 && page.bytes.includes("Slipway"), `page: ${page.status}`);
      expect(api.status === 503 && api.json?.code === "unavailable", `API: ${api.status}`);
      expect(page.headers["retry-after"] !== undefined && api.headers["retry-after"] !== undefined, "no Retry-After");
    } finally {
      await deployment.up();
    }
  });
}

async function checkHangingInstance({ deployment, client }: Services): Promise<void> {
  await check("an instance that hangs is restarted by its health check", async () => {
    const [first = ""] = deployment.containers("app");
    const { StartedAt } = deployment.inspect(first).State;
    deployment.docker("exec", first, "sh", "-c", "kill -STOP $(cat /proc/1/task/1/children)");
    const begin = performance.now();
    await poll("restarted", 180, () => deployment.inspect(first).State.StartedAt !== StartedAt);
    await pollReady(client, 60);
    return `after ${Math.round((performance.now() - begin) / 1000)} s`;
  });
}

async function checkLogs({ deployment }: Services): Promise<void> {
  await check("the log of the console is JSON, one line per event, without secrets and query values", async () => {
    const lines = deployment.compose("logs", "--no-log-prefix", "app").split("\n").filter(Boolean);
    const wrong = lines.filter((line) => {
      try {
        return typeof JSON.parse(line) !== "object";
      } catch {
        return true;
      }
    });
    expect(wrong.length === 0, `${wrong.length} of ${lines.length} lines: ${wrong.slice(0, 3).join(" | ")}`);
    const requests = lines.filter((line) => line.includes('"msg":"request"'));
    expect(requests.length > 100, `only ${requests.length} lines of the access log`);
    expect(!requests.some((line) => /token=|X-Amz|\?/.test(line)), "the access log contains a query");
    return `${lines.length} lines, ${requests.length} of them of the access log`;
  });

  await check("the audit log verifies", async () => {
    deployment.compose("run", "--rm", "--no-deps", "app", "node", "commands/audit.mjs", "verify");
  });
}

async function checkFullStore({ deployment }: Services): Promise<void> {
  await check(
    "the store has no room: 507, nothing stays behind after the upload is canceled, smaller uploads work",
    async () => {
      deployment.compose("down", "--volumes");
      const options = 'driver_opts: { type: tmpfs, device: tmpfs, o: "size=100m,uid=1000,gid=1000" }';
      writeFileSync(join(deployment.folder, "small.yml"), `volumes: { objects: { ${options} } }\n`);
      deployment.set({ COMPOSE_FILE: "docker-compose.yml:deploy/secret-files.yml:small.yml", APP_INSTANCES: "1" });
      await deployment.up();
      const fresh = new Client(deployment.target);
      await fresh.signIn();
      const [store = ""] = deployment.containers("store");
      const used = () =>
        deployment.docker("exec", store, "sh", "-c", "find /objects -type f -size +100k | wc -l").trim();
      const large = await fresh.uploadInParts(randomBytes(70 * 1024 * 1024));
      expect(large.status === 507, `70 MB into 100 MB, which joining doubles: ${large.status} ${large.bytes}`);
      // The parts are kept until then, so that the upload can be completed once there is room.
      await fresh.post("files/abort-upload", { uploadId: large.uploadId });
      await poll("nothing stays behind", 20, () => used() === "0");
      const small = anIpa(5 * 1024 * 1024);
      const again = await fresh.uploadInParts(small);
      expect(again.json?.sha256 === sha256(small), `a small upload afterwards: ${again.status} ${again.bytes}`);
      fresh.close();
    },
  );
}
