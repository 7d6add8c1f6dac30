import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../lib/files.mjs";
import type { Target } from "./client";

/** What a container is started with, as far as the check reads it (docker inspect). */
export interface Inspected {
  Name: string;
  RestartCount: number;
  State: { Status: string; StartedAt: string; Health?: { Status: string } };
  Config: { User: string; Env: string[] };
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null; Memory: number; PidsLimit: number | null };
}

/**
 * A docker-compose deployment in a temporary folder with the repository's files, under a project name, with networks and ports of
 * its own, and with certificates of an authority that it creates.
 */
export class Deployment {
  readonly project = "slipway-check";
  readonly folder = mkdtempSync(join(tmpdir(), "slipway-check-"));
  readonly target: Target;
  readonly #image: string;

  constructor({ image, httpsPort }: { image: string; httpsPort: number }) {
    this.#image = image;
    const domain = "slipway.test";
    for (const path of ["docker-compose.yml", "deploy", "scripts/make-env.sh"]) {
      cpSync(join(projectDir, path), join(this.folder, path), { recursive: true });
    }
    this.#run("sh", ["scripts/make-env.sh", "--secret-files", domain]);
    const settings = {
      COMPOSE_PROJECT_NAME: this.project,
      SLIPWAY_IMAGE: this.image,
      HTTP_PORT: String(httpsPort + 1),
      HTTPS_PORT: String(httpsPort),
      SUBNET: "172.29.78.0/24",
      SUBNET_IPV6: "fd3d:1b5e:78::/64",
      SETUP_ADMIN_EMAIL: "admin@example.com",
      ACCESS_LOG: "true",
      NO_SUCH_SETTING: "1",
    };
    this.set(settings);
    const password = "correct horse battery staple 42";
    writeFileSync(join(this.folder, "secrets", "SETUP_ADMIN_PASSWORD"), password, { mode: 0o444, flag: "w" });
    this.target = {
      domain,
      httpsPort,
      authority: this.#createCertificates(domain),
      admin: { email: settings.SETUP_ADMIN_EMAIL, password },
    };
  }

  /** The image's name, a tag of its own that an update may replace. */
  get image(): string {
    return "slipway-check-deployment";
  }

  /** Sets names in `.env`; a later line wins. */
  set(settings: Record<string, string>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    appendFileSync(join(this.folder, ".env"), lines.join(""));
  }

  /** Gives the deployment its image: the given one, or another of the same content. */
  tagImage(label = "first"): void {
    const file = `FROM ${this.#image}\nLABEL check=${label}\n`;
    execFileSync("docker", ["build", "--quiet", "--tag", this.image, "-"], {
      input: file,
      stdio: ["pipe", "pipe", "inherit"],
    });
  }

  compose(...args: string[]): string {
    return this.#run("docker", ["compose", ...args]);
  }

  /** Runs docker compose while this process goes on. */
  async composeAsync(...args: string[]): Promise<void> {
    const child = spawn("docker", ["compose", ...args], { cwd: this.folder, stdio: "ignore" });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`docker compose ${args.join(" ")}: exit code ${code}`);
  }

  up(...args: string[]): Promise<void> {
    return this.composeAsync("up", "--detach", "--no-build", "--wait", ...args);
  }

  /** Returns the containers of a service, in the order of their numbers. */
  containers(service: string): string[] {
    const ids = this.compose("ps", "--all", "--quiet", service).split("\n").filter(Boolean);
    return ids.map((id) => this.inspect(id).Name.slice(1)).sort();
  }

  inspect(container: string): Inspected {
    return JSON.parse(this.#run("docker", ["inspect", container]))[0];
  }

  docker(...args: string[]): string {
    return this.#run("docker", args);
  }

  async dockerAsync(...args: string[]): Promise<void> {
    await once(spawn("docker", args, { stdio: "ignore" }), "exit");
  }

  remove(): void {
    spawnSync("docker", ["compose", "down", "--volumes", "--remove-orphans"], { cwd: this.folder, stdio: "ignore" });
    spawnSync("docker", ["image", "rm", "--force", this.image], { stdio: "ignore" });
    rmSync(this.folder, { recursive: true, force: true });
  }

  #run(program: string, args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: this.folder,
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
    });
    if (error || status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error ?? stderr.trim()}`);
    return stdout;
  }

  /** @returns the certificate of the authority */
  #createCertificates(domain: string): string {
    const folder = join(this.folder, "deploy", "certificates");
    const [authority, own] = [join(this.folder, "authority"), join(folder, "fullchain.pem")];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "29"];
    const openssl = (...args: string[]) => this.#run("openssl", args);
    openssl("req", "-x509", ...key, "-subj", "/CN=check", "-keyout", `${authority}.key`, "-out", `${authority}.pem`);
    openssl(
      "req",
      ...key.slice(0, -2),
      "-subj",
      `/CN=${domain}`,
      "-keyout",
      join(folder, "privkey.pem"),
      "-out",
      `${authority}.csr`,
    );
    writeFileSync(
      `${authority}.ext`,
      `subjectAltName=DNS:${domain},DNS:store.${domain}\nextendedKeyUsage=serverAuth\n`,
    );
    openssl(
      "x509",
      "-req",
      "-in",
      `${authority}.csr`,
      "-CA",
      `${authority}.pem`,
      "-CAkey",
      `${authority}.key`,
      "-CAcreateserial",
      "-days",
      "29",
      "-extfile",
      `${authority}.ext`,
      "-out",
      own,
    );
    writeFileSync(
      join(folder, "tls.caddy"),
      "tls /etc/caddy/certificates/fullchain.pem /etc/caddy/certificates/privkey.pem\n",
    );
    return readFileSync(`${authority}.pem`, "utf8");
  }
}
