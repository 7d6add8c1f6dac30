import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearLocalState, readLocalState, updateLocalState } from "./local-state";

class MemoryStorage implements Storage {
  readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(name: string) {
    return this.items.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    this.items.set(name, value);
  }
  removeItem(name: string) {
    this.items.delete(name);
  }
  clear() {
    this.items.clear();
  }
}

const USER_ID = "0198c0de-0000-7000-8000-000000000001";

let storage: MemoryStorage;

beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal("localStorage", storage);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function flipBit(item: string): string {
  const bytes = Buffer.from(item, "base64");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString("base64");
}

describe("the local state", () => {
  it("returns what was stored", async () => {
    const permissions = [{ scopes: ["release:read"], apps: "all" as const }];
    await updateLocalState({ userId: USER_ID, roleName: "SUPER_ADMIN", exp: 1_900_000_000, permissions });
    await updateLocalState({
      redirectPath: "/releases?app=ñ",
      deviceType: "mobile",
      publicKey: { kty: "RSA", n: "AQ" },
    });
    expect(await readLocalState()).toEqual({
      userId: USER_ID,
      roleName: "SUPER_ADMIN",
      exp: 1_900_000_000,
      permissions,
      redirectPath: "/releases?app=ñ",
      deviceType: "mobile",
      publicKey: { kty: "RSA", n: "AQ" },
    });
  });

  it("removes a field that is set to undefined", async () => {
    await updateLocalState({ userId: USER_ID, redirectPath: "/home" });
    await updateLocalState({ redirectPath: undefined });
    expect(await readLocalState()).toEqual({ userId: USER_ID });
  });

  it("is empty initially", async () => {
    expect(await readLocalState()).toEqual({});
    expect(storage.items.size).toBe(0);
  });

  it("stores nothing in readable form", async () => {
    await updateLocalState({ redirectPath: "/canary-path", roleName: "CANARY_ROLE" });
    const stored = [...storage.items.values()].map(
      (item) => `${item}${Buffer.from(item, "base64").toString("latin1")}`,
    );
    expect(stored.join()).not.toMatch(/canary/i);
  });

  it("encrypts with a 256-bit key of the browser's own and a new IV for each write", async () => {
    await updateLocalState({ roleName: "A" });
    const [key, first] = [storage.getItem("slipway.key"), storage.getItem("slipway.state")];
    await updateLocalState({ roleName: "A" });
    expect(Buffer.from(key as string, "base64")).toHaveLength(32);
    expect(storage.getItem("slipway.key")).toBe(key);
    expect(storage.getItem("slipway.state")).not.toBe(first);
    await clearLocalState();
    await updateLocalState({ roleName: "A" });
    expect(storage.getItem("slipway.key")).not.toBe(key);
  });

  it("loses no change of several concurrent ones", async () => {
    await Promise.all([
      updateLocalState({ userId: USER_ID }),
      updateLocalState({ exp: 5 }),
      updateLocalState({ deviceType: "desktop" }),
    ]);
    expect(await readLocalState()).toEqual({ userId: USER_ID, exp: 5, deviceType: "desktop" });
  });

  it("counts as empty after it was tampered with, and can be written again", async () => {
    await updateLocalState({ userId: USER_ID });
    storage.setItem("slipway.state", flipBit(storage.getItem("slipway.state") as string));
    expect(await readLocalState()).toEqual({});
    await updateLocalState({ exp: 7 });
    expect(await readLocalState()).toEqual({ exp: 7 });
  });

  it("counts as empty if its key is missing, damaged or different", async () => {
    for (const key of [null, "not base64 !", btoa("short"), btoa("x".repeat(32))]) {
      await updateLocalState({ userId: USER_ID });
      if (key === null) storage.removeItem("slipway.key");
      else storage.setItem("slipway.key", key);
      expect(await readLocalState()).toEqual({});
    }
  });

  it("drops invalid fields, such as those of an older version", async () => {
    const wrong = { userId: 7, exp: "tomorrow", deviceType: "watch", profile: "Ada", permissions: null, tour: "done" };
    await updateLocalState({ ...wrong, roleName: "SUPER_ADMIN" } as never);
    expect(await readLocalState()).toEqual({ roleName: "SUPER_ADMIN" });
  });

  it("removes everything of its own and nothing else when it is cleared", async () => {
    storage.setItem("theme", "dark");
    await updateLocalState({ userId: USER_ID });
    await clearLocalState();
    expect([...storage.items.keys()]).toEqual(["theme"]);
    expect(await readLocalState()).toEqual({});
  });

  it("does nothing on a page without cryptography, such as plain HTTP from another machine", async () => {
    vi.stubGlobal("crypto", { getRandomValues: () => new Uint8Array(12) });
    await updateLocalState({ userId: USER_ID });
    expect(await readLocalState()).toEqual({});
    await clearLocalState();
  });

  it("does nothing if the browser blocks storage or has no space left", async () => {
    vi.stubGlobal("localStorage", undefined);
    await updateLocalState({ userId: USER_ID });
    expect(await readLocalState()).toEqual({});
    const full = new MemoryStorage();
    full.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", full);
    await updateLocalState({ userId: USER_ID });
    expect(await readLocalState()).toEqual({});
    await clearLocalState();
  });
});
