import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith } from "@/lib/testing/describe-with";
import { findPlace, isReachable, noteFile, parseAccounts, pickAccount } from "./postgres-place.mjs";

const accounts = parseAccounts(`root:x:0:0:root:/root:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash
ana:x:1000:1000::/home/ana:/bin/bash
half a line
`);
const root: true | Error = process.getuid?.() === 0 || new Error("only root gives files to other accounts");

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-place-")));
  chmodSync(folder, 0o755);
  dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (uid: number | undefined) =>
  findPlace(dataDir, { uid, accounts: () => accounts, systemDir: "/var/lib/slipway" });

describe("the account that runs PostgreSQL for root", () => {
  it("is the owner of the data folder, unless that is root", () => {
    expect(pickAccount(1000, accounts).name).toBe("ana");
  });

  it("is postgres if root or an unknown user owns the folder", () => {
    expect(pickAccount(0, accounts).name).toBe("postgres");
    expect(pickAccount(4711, accounts).name).toBe("postgres");
  });

  it("is nobody without an account postgres", () => {
    const others = accounts.filter(({ name }) => name !== "postgres");
    expect(pickAccount(0, others)).toEqual({ name: "nobody", uid: 65_534, gid: 65_534 });
  });

  it("is never root: without another account, the error says what to do", () => {
    expect(() => pickAccount(0, accounts.slice(0, 1))).toThrow(/ordinary user.*DATABASE_URL/);
  });
});

describe("isReachable", () => {
  it("requires the permission to enter the folder and every folder above it", () => {
    const stranger = { uid: 65_534, gid: 65_534 };
    mkdirSync(join(dataDir, "inner"));
    expect(isReachable("/", stranger)).toBe(true);
    // On macOS, the folder for temporary files can be entered by its user alone.
    expect(isReachable(join(dataDir, "inner"), stranger)).toBe(isReachable(tmpdir(), stranger));
    chmodSync(dataDir, 0o700);
    expect(isReachable(join(dataDir, "inner"), stranger)).toBe(false);
    expect(isReachable(dataDir, stranger)).toBe(false);
  });

  it("checks the owner's permission bits for the owner", () => {
    chmodSync(dataDir, 0o700);
    expect(isReachable(dataDir, { uid: process.getuid?.() ?? -1, gid: -1 })).toBe(true);
  });
});

describe("the folder of the database", () => {
  it("is in the data folder for an ordinary user", () => {
    expect(place(process.getuid?.() === 0 ? 1000 : process.getuid?.())).toEqual({
      directory: join(dataDir, "postgres"),
      account: undefined,
      outside: false,
    });
  });

  it("is the one in the note, which is rejected in a copied or moved data folder", () => {
    const directory = join(folder, "elsewhere");
    mkdirSync(directory);
    writeFileSync(noteFile(dataDir), JSON.stringify({ directory, dataDir: realpathSync(dataDir) }));
    expect(place(process.getuid?.())).toMatchObject({ directory, outside: true });
    renameSync(dataDir, join(folder, "moved"));
    dataDir = join(folder, "moved");
    expect(() => place(process.getuid?.())).toThrow(/was made for .*If you moved .*If you copied/);
  });

  it("is not created again if the folder in the note is missing", () => {
    const directory = join(folder, "gone");
    writeFileSync(noteFile(dataDir), JSON.stringify({ directory, dataDir: realpathSync(dataDir) }));
    expect(() => place(process.getuid?.())).toThrow(/should lie in .*missing/);
  });
});

describeWith(root, "the folder of the database, for root", () => {
  it("is in the data folder if the unprivileged account can reach it", () => {
    expect(place(0)).toMatchObject({
      directory: join(dataDir, "postgres"),
      account: { name: "postgres" },
      outside: false,
    });
  });

  it("is outside a data folder in a private home directory", () => {
    chmodSync(folder, 0o700);
    const found = place(0);
    expect(found).toMatchObject({ account: { name: "postgres" }, outside: true });
    expect(found.directory).toMatch(/^\/var\/lib\/slipway\/[0-9a-f]{16}$/);
    expect(place(0)).toEqual(found);
  });

  it("is in the private home directory of the account that runs the server", () => {
    chownSync(folder, 1000, 1000);
    chownSync(dataDir, 1000, 1000);
    chmodSync(folder, 0o700);
    expect(place(0)).toMatchObject({ directory: join(dataDir, "postgres"), account: { name: "ana" }, outside: false });
  });

  it("is rejected for an ordinary user if root created the database", () => {
    mkdirSync(join(dataDir, "postgres"));
    chownSync(join(dataDir, "postgres"), 101, 104);
    expect(() => place(1000)).toThrow(/belongs to "postgres".*Start as root again/);
  });
});
