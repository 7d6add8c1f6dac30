import { describe, expect, it } from "vitest";
import { parseExecutable } from "./executable";

const ARM64 = 0x0100000c;
const X86_64 = 0x01000007;

/** The header of a 64-bit executable with one load command that names its platform. */
function executable(cpuType: number, platform: number): Uint8Array {
  const bytes = Buffer.alloc(32 + 24);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(cpuType, 4);
  bytes.writeUInt32LE(1, 16);
  bytes.writeUInt32LE(0x32, 32);
  bytes.writeUInt32LE(24, 36);
  bytes.writeUInt32LE(platform, 40);
  return bytes;
}

function fat(...cpuTypes: number[]): Uint8Array {
  const bytes = Buffer.alloc(8 + cpuTypes.length * 20);
  bytes.writeUInt32BE(0xcafebabe, 0);
  bytes.writeUInt32BE(cpuTypes.length, 4);
  // The offset of each slice is its number.
  for (const [index, type] of cpuTypes.entries()) {
    bytes.writeUInt32BE(type, 8 + index * 20);
    bytes.writeUInt32BE(index, 16 + index * 20);
  }
  return bytes;
}

describe("an executable of iOS", () => {
  it("tells a device from a simulator by its platform, with the same architecture", () => {
    expect(parseExecutable(executable(ARM64, 2))).toEqual({
      architectures: ["arm64"],
      simulator: false,
      platforms: ["ios"],
    });
    expect(parseExecutable(executable(ARM64, 7))).toEqual({
      architectures: ["arm64"],
      simulator: true,
      platforms: ["ios"],
    });
  });

  it("has the architectures of all its slices", () => {
    expect(parseExecutable(fat(12, ARM64))).toEqual({
      architectures: ["armv7", "arm64"],
      simulator: null,
      platforms: [],
    });
    expect(parseExecutable(fat(X86_64))?.architectures).toEqual(["x86_64"]);
  });

  it("names the system that it was built for, by the current load command and by those before", () => {
    const platforms = [1, 3, 4, 6, 8, 11].map((platform) => parseExecutable(executable(ARM64, platform))?.platforms[0]);
    expect(platforms).toEqual(["macos", "tvos", "watchos", "macos", "tvos", "visionos"]);
    const older = executable(ARM64, 0);
    older.fill(0x2f, 32, 33);
    expect(parseExecutable(older)).toMatchObject({ simulator: null, platforms: ["tvos"] });
  });

  it("is for the simulator if all of its slices are", () => {
    const of = (...platforms: number[]) => {
      const slices = platforms.map((platform) => executable(ARM64, platform));
      return parseExecutable(fat(X86_64, ARM64), ({ offset }) => slices[offset] ?? null);
    };
    expect(of(7, 7)).toMatchObject({ simulator: true, platforms: ["ios"] });
    expect(of(7, 2)).toMatchObject({ simulator: false, platforms: ["ios"] });
    expect(of(7)).toMatchObject({ simulator: null, platforms: [] });
  });

  it("is null if it is no Mach-O file or claims more slices than it has", () => {
    expect(parseExecutable(new Uint8Array(64))).toBeNull();
    expect(parseExecutable(new Uint8Array(3))).toBeNull();
    const cut = fat(12, ARM64).subarray(0, 30);
    expect(parseExecutable(cut)).toBeNull();
  });

  it("does not loop on load commands without a size", () => {
    const damaged = executable(ARM64, 2);
    damaged.fill(0, 32);
    expect(parseExecutable(damaged)).toEqual({ architectures: ["arm64"], simulator: null, platforms: [] });
  });
});
