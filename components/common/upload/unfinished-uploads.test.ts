import { describe, expect, it } from "vitest";
import { removeUpload, storeUpload, type UnfinishedUpload, unfinishedUploads } from "./unfinished-uploads";

const HOUR = 3_600_000;

function memoryStore() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

function upload(changes: Partial<UnfinishedUpload> = {}): UnfinishedUpload {
  return {
    uploadId: "0198c0de-0000-7000-8000-000000000001",
    fingerprint: "a".repeat(64),
    place: "staging",
    fileName: "app.ipa",
    size: 1_000,
    begunAt: 0,
    ...changes,
  };
}

describe("unfinished uploads", () => {
  it("are stored for each file and environment, newest first", () => {
    const store = memoryStore();
    storeUpload(upload(), store);
    storeUpload(upload({ place: "production", begunAt: 1 }), store);
    storeUpload(upload({ fingerprint: "b".repeat(64), begunAt: 2 }), store);
    storeUpload(upload({ uploadId: "0198c0de-0000-7000-8000-000000000002", begunAt: 3 }), store);
    expect(unfinishedUploads(HOUR, store).map(({ begunAt }) => begunAt)).toEqual([3, 2, 1]);
  });

  it("are removed one by one without leftovers", () => {
    const store = memoryStore();
    storeUpload(upload(), store);
    storeUpload(upload({ place: "production" }), store);
    removeUpload(upload(), HOUR, store);
    expect(unfinishedUploads(HOUR, store)).toEqual([upload({ place: "production" })]);
    removeUpload(upload({ place: "production" }), HOUR, store);
    expect(store.items.size).toBe(0);
  });

  it("expire after a day, as on the server", () => {
    const store = memoryStore();
    storeUpload(upload(), store);
    expect(unfinishedUploads(24 * HOUR - 1, store)).toHaveLength(1);
    expect(unfinishedUploads(24 * HOUR, store)).toEqual([]);
  });

  it("are empty if the stored data is invalid", () => {
    const store = memoryStore();
    for (const text of ["", "{", "{}", "null", '[1,{"uploadId":"x"}]']) {
      store.items.set("slipway.uploads", text);
      expect(unfinishedUploads(0, store)).toEqual([]);
    }
  });

  it("do not fail if the browser blocks storage", () => {
    const full = {
      ...memoryStore(),
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    expect(() => storeUpload(upload(), full)).not.toThrow();
    expect(() => storeUpload(upload(), null)).not.toThrow();
    expect(unfinishedUploads(0, null)).toEqual([]);
  });
});
