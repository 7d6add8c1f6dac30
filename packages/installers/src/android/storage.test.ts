import { describe, expect, it } from "vitest";
import { makeZip, type ZipFile } from "../../testing/make-zip";
import { openArchive } from "../archive/archive";
import { bytesSource } from "../source";
import { resourceTableStorage, unloadableAbis } from "./storage";

const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/;
const data = new Uint8Array(64);
const open = (...files: ZipFile[]) => openArchive(bytesSource(makeZip(files)));

/** A stored file whose data is at an offset. */
function at(offset: number, name: string): ZipFile[] {
  return [
    { name: "pad", data: new Uint8Array(offset - 30 - 3 - 30 - name.length) },
    { name, data },
  ];
}

describe("the resource table", () => {
  it("is stored at a multiple of four bytes, or not as devices map it", async () => {
    const storage = async (...files: ZipFile[]) => resourceTableStorage(await open(...files), "resources.arsc");
    expect(await storage(...at(400, "resources.arsc"))).toBe("aligned");
    expect(await storage(...at(402, "resources.arsc"))).toBe("unaligned");
    expect(await storage({ name: "resources.arsc", data, method: 8 })).toBe("compressed");
    expect(await storage({ name: "classes.dex", data })).toBeNull();
  });
});

describe("the libraries of an app that does not extract them", () => {
  const found = async (...files: ZipFile[]) => unloadableAbis(await open(...files), LIBRARY, ["arm64-v8a", "x86"]);

  it("have to be stored at a page", async () => {
    expect(await found(...at(4_096, "lib/x86/liba.so"))).toEqual([]);
    expect(await found(...at(4_100, "lib/x86/liba.so"))).toEqual(["x86"]);
    expect(await found({ name: "lib/arm64-v8a/liba.so", data, method: 8 })).toEqual(["arm64-v8a"]);
  });

  it("are the files that an installation looks at", async () => {
    expect(await found({ name: "lib/x86/helper.so", data, method: 8 })).toEqual([]);
    expect(await found({ name: "assets/lib/x86/liba.so", data, method: 8 })).toEqual([]);
  });
});
