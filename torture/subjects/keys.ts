import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { countMasterKeyUse, type MasterKeyUse } from "@/lib/keys/master-key-use";
import { verifySealedValues } from "@/lib/keys/rotation";
import { serverFile } from "../../scripts/lib/build.mjs";
import { startInstance } from "../../testing/instance.ts";
import type { Arena, Round, Subject, Victim } from "../torture.ts";

/** The instances are restarted gracefully while they serve once in this many rounds, on average. */
const ROUNDS_PER_UPDATE = 10;

const newKey = () => randomBytes(32).toString("base64");
const idOf = (key: string) => parseMasterKeys(key).current.id;

/**
 * Master keys: a new key is added and made the current one by restarting the instances one after the other, `keys rotate`
 * wraps all values with it, and the old key is removed. All of this goes on from round to round, while the instances serve.
 */
export class Keys implements Subject {
  readonly name = "keys";
  #arena!: Arena;
  #old = "";
  #new = "";
  /** What is done next with the new key. */
  #step: "add" | "use" | "rotate" | "remove" = "add";
  /** Whether a rotation ended with an error. Then it is not repeated. */
  #failed = false;
  #rotation: ChildProcess | null = null;
  #rotations = 0;
  #interrupted = 0;
  #opened = 0;
  #refusals = 0;

  async prepare(arena: Arena): Promise<void> {
    this.#arena = arena;
    this.#old = arena.deployment.settings.MASTER_KEY;
  }

  async work(round: Round): Promise<void> {
    // Otherwise, the instances have the new settings after they were killed.
    if (round.random(ROUNDS_PER_UPDATE) === 0) await this.#arena.update(round.signal);
    while (!round.signal.aborted && !this.#failed && this.#arena.isUpToDate) await this.#next(round);
  }

  async #next(round: Round): Promise<void> {
    switch (this.#step) {
      case "add":
        // An instance that is restarted later must open what the first ones seal, so the key is not the current one yet.
        this.#new = newKey();
        this.#configure(this.#old, this.#new);
        this.#step = "use";
        return;
      case "use":
        this.#configure(this.#new, this.#old);
        this.#step = "rotate";
        return;
      case "rotate":
        if (await this.#rotate(round)) this.#step = "remove";
        return;
      case "remove":
        await this.#expectOldKeyUnused(round);
        this.#configure(this.#new);
        this.#old = this.#new;
        this.#rotations += 1;
        this.#step = "add";
    }
  }

  #configure(...keys: string[]): void {
    this.#arena.configure({ MASTER_KEY: keys.join(",") });
  }

  /** @returns whether it ended; it did not if it was killed */
  async #rotate(round: Round): Promise<boolean> {
    const { settings, url } = this.#arena.deployment;
    if (this.#refusals === 0) await this.#expectRefusedStart(round);
    const rotation = spawn(process.execPath, [join(dirname(serverFile), "commands", "keys.mjs"), "rotate"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, NODE_ENV: "production", ...settings, APP_URL: url },
    });
    this.#rotation = rotation;
    const [[code, signal], out, err] = await Promise.all([
      once(rotation, "exit"),
      text(rotation.stdout),
      text(rotation.stderr),
    ]);
    this.#rotation = null;
    if (signal === "SIGKILL") this.#interrupted += 1;
    else if (code !== 0) {
      this.#failed = true;
      round.fail(`keys rotate ended with ${code}: ${out}${err}`);
    }
    return code === 0;
  }

  /** An instance without the old key does not start while it wraps values, and says so. */
  async #expectRefusedStart(round: Round): Promise<void> {
    const { settings } = this.#arena.deployment;
    this.#refusals += 1;
    const refusal = await startInstance("server-torture-refused", { ...settings, MASTER_KEY: this.#new }).then(
      async (server) => {
        await server.stop();
        return "it started";
      },
      (error) => String(error),
    );
    if (!refusal.includes(`the key ${idOf(this.#old)} is missing and wraps`)) {
      round.fail(`an instance without a key that wraps values was to name it: ${refusal}`);
    }
  }

  async #uses(): Promise<MasterKeyUse[]> {
    return (await countMasterKeyUse()).filter(({ keyId }) => keyId !== idOf(this.#new));
  }

  /** After the rotation, no value is left to the old key, and no instance wraps another one with it. */
  async #expectOldKeyUnused(round: Round): Promise<void> {
    const left = await this.#uses();
    if (left.length > 0) round.fail(`after the rotation, values have other keys: ${JSON.stringify(left)}`);
  }

  victims(): Victim[] {
    const rotation = this.#rotation;
    if (!rotation) return [];
    const kill = async () => {
      if (rotation.kill("SIGKILL")) await once(rotation, "exit").catch(() => undefined);
    };
    return [{ name: "keys rotate", kill }];
  }

  async check(round: Round): Promise<void> {
    const keys = parseMasterKeys(this.#arena.deployment.settings.MASTER_KEY);
    const failed = ({ table, id, column, reason }: { table: string; id: string; column: string; reason: string }) =>
      round.fail(`${table} ${id} ${column}: ${reason}`);
    const { opened } = await verifySealedValues({ progress() {}, failed }, keys);
    this.#opened = opened;
    if (this.#step === "remove") await this.#expectOldKeyUnused(round);
  }

  async finish(round: Round): Promise<void> {
    const rotations = this.#rotations;
    while (this.#rotations === rotations && !this.#failed) {
      await this.#arena.update(round.signal);
      await this.#next(round);
    }
    await this.#arena.update(round.signal);
    await this.check(round);
  }

  figures(): Record<string, number> {
    return {
      rotations: this.#rotations,
      "rotations killed": this.#interrupted,
      "sealed values that open": this.#opened,
    };
  }
}
