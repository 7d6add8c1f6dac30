import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { projectDir } from "../lib/files.mjs";
import type { Target } from "./client";

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** A program that ended. */
export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

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
    this.target = {
      domain,
      httpsPort,
      authority: this.#createCertificates(domain),
      admin: { email: "admin@example.com", password: "correct horse battery staple 42" },
    };
    this.createSettings();
  }

  /** Creates `.env` and the secrets, with new passwords, in place of those that exist. */
  createSettings(): void {
    const { domain, httpsPort, admin } = this.target;
    for (const name of [".env", "secrets"]) rmSync(join(this.folder, name), { recursive: true, force: true });
    this.#run("sh", ["scripts/make-env.sh", "--secret-files", domain]);
    this.set({
      COMPOSE_PROJECT_NAME: this.project,
      SLIPWAY_IMAGE: this.image,
      HTTP_PORT: String(httpsPort + 1),
      HTTPS_PORT: String(httpsPort),
      SUBNET: "172.29.78.0/24",
      SUBNET_IPV6: "fd3d:1b5e:78::/64",
      SETUP_ADMIN_EMAIL: admin.email,
      ACCESS_LOG: "true",
      NO_SUCH_SETTING: "1",
    });
    this.setSecret("SETUP_ADMIN_PASSWORD", admin.password);
  }

  secret(name: string): string {
    return readFileSync(join(this.folder, "secrets", name), "utf8");
  }

  setSecret(name: string, value: string): void {
    const path = join(this.folder, "secrets", name);
    rmSync(path, { force: true });
    writeFileSync(path, value, { mode: 0o444 });
  }

  /** Replaces a file of the repository, as `git checkout` does. */
  replace(path: string, change: (text: string) => string): void {
    const file = join(this.folder, path);
    const text = change(readFileSync(file, "utf8"));
    rmSync(file);
    writeFileSync(file, text);
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

  /**
   * Gives the deployment its image: the given one, or another of the same content.
   * @param changes more lines of the Dockerfile
   */
  tagImage(label = "first", changes = "", from = this.#image): void {
    execFileSync("docker", ["build", "--quiet", "--tag", this.image, "-"], {
      input: `FROM ${from}\nLABEL check=${label}\n${changes}`,
      stdio: ["pipe", "pipe", "inherit"],
    });
  }

  compose(...args: string[]): string {
    return this.#run("docker", ["compose", ...args]);
  }

  /** Runs a command in a container of its own, as the pages about maintenance say. */
  command(service: "app" | "backup", args: readonly string[], input = ""): Finished {
    return this.finish("docker", ["compose", ...this.#commandLine(service, args)], input);
  }

  /** Runs a command in a container of its own while this process goes on. */
  async commandAsync(service: "app" | "backup", args: readonly string[]): Promise<Finished> {
    const child = spawn("docker", ["compose", ...this.#commandLine(service, args)], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { status, stdout, stderr };
  }

  #commandLine(service: "app" | "backup", args: readonly string[]): string[] {
    return ["run", "--rm", "--no-TTY", service, "node", ...args];
  }

  /** Runs a program to its end, whatever its exit code is. */
  finish(program: string, args: readonly string[], input = ""): Finished {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: this.folder,
      encoding: "utf8",
      input,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    if (error) throw error;
    return { status, stdout, stderr };
  }

  /** Runs docker compose while this process goes on. */
  async composeAsync(...args: string[]): Promise<void> {
    const child = spawn("docker", ["compose", ...args], { cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    if (code !== 0)
      throw new Error(`docker compose ${args.join(" ")}: exit code ${code}: ${stderr.trim().slice(-500)}`);
  }

  up(...args: string[]): Promise<void> {
    return this.composeAsync("up", "--detach", "--no-build", "--wait", ...args);
  }

  /** Replaces the instances one after the other. @throws Error if a new one does not become ready */
  async rollingUpdate(): Promise<void> {
    const child = spawn("sh", ["deploy/rolling-update.sh"], { cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    if (code !== 0) throw new Error(`deploy/rolling-update.sh: exit code ${code}: ${stderr.trim().slice(-10_000)}`);
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
    spawnSync("docker", ["compose", "--profile", "backup", "down", "--volumes", "--remove-orphans"], {
      cwd: this.folder,
      stdio: "ignore",
    });
    spawnSync("docker", ["image", "rm", "--force", this.image], { stdio: "ignore" });
    rmSync(this.folder, { recursive: true, force: true });
  }

  #run(program: string, args: string[]): string {
    const { status, stdout, stderr } = this.finish(program, args);
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.trim()}`);
    return stdout;
  }

  /** A certificate with its private key (PKCS #12) under the password "check". */
  certificateFile(): Buffer {
    const file = join(this.folder, "check.p12");
    const authority = join(this.folder, "authority");
    const of = ["-inkey", `${authority}.key`, "-in", `${authority}.pem`, "-passout", "pass:check", "-out", file];
    this.#run("openssl", ["pkcs12", "-export", ...of]);
    return readFileSync(file);
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
