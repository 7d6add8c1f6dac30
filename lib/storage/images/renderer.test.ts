import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hashPassword } from "@/lib/auth/passwords";
import { ApiError } from "@/lib/kernel/errors";
import { isAlive } from "@/scripts/lib/processes.mjs";
import { type ImageLane, ImageRenderer, type RendererOptions } from "./renderer";
import { largeSvg, nestedSvg, slowSvg } from "./testing/hostile-images";

const folder = dirname(fileURLToPath(import.meta.url));
const projectDir = join(folder, "..", "..", "..");
/** Longer than a test may take. */
const NEVER_MS = 600_000;

const leaving: AbortController[] = [];
afterEach(() => {
  for (const controller of leaving.splice(0)) controller.abort();
});

/** A caller that disconnects when the test ends. */
function aCaller(id = "somebody", lane: ImageLane = "upload") {
  const controller = new AbortController();
  leaving.push(controller);
  return { id, lane, signal: controller.signal, leave: () => controller.abort() };
}

function aRenderer(options: Partial<RendererOptions> = {}) {
  const renderer = new ImageRenderer({ drawTimeoutMs: NEVER_MS, ...options });
  return (image: string | Uint8Array, caller = aCaller()) => renderer.draw({ image: Buffer.from(image) }, caller);
}

/** A renderer whose process performs the action that the image names. */
function scripted(options: Partial<RendererOptions> = {}) {
  const draw = aRenderer({ program: join(folder, "testing", "scripted-process.mjs"), ...options });
  return async (action: string, caller?: ReturnType<typeof aCaller>) => (await draw(action, caller)).toString();
}

const killed = expect.objectContaining({ name: "ImageError", reason: "killed" });
const unreadable = expect.objectContaining({ name: "ImageError", reason: "unreadable" });
const gone = (pid: string) => vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false), { timeout: 10_000 });

describe("the process that draws images", () => {
  it("is the only code that loads image decoders", () => {
    const importsSharp = (path: string) => /["']sharp["']/.test(readFileSync(join(projectDir, path), "utf8"));
    const sources = ["app", "components", "lib"].flatMap((top) =>
      readdirSync(join(projectDir, top), { recursive: true, encoding: "utf8" }).map((path) => `${top}/${path}`),
    );
    const code = sources.filter((path) => /\.(m?js|tsx?)$/.test(path) && !/\.test\.|\/testing\//.test(path));
    expect(code.filter(importsSharp)).toEqual(["lib/storage/images/render-process.mjs"]);
  });

  it("has none of the server's settings", async () => {
    vi.stubEnv("DATABASE_URL", "postgresql://localhost/secret");
    const environment = JSON.parse(await scripted()("environment"));
    vi.unstubAllEnvs();
    expect(environment).toEqual({ NODE_ENV: "production" });
  });

  it("leaves the server's threads free for sign-ins and files while it draws hostile images", async () => {
    const draw = aRenderer();
    const caller = aCaller();
    const drawings = Promise.allSettled(Array.from({ length: 5 }, () => draw(slowSvg(), caller)));
    // Both need a thread of libuv's pool, which has four.
    await Promise.all([hashPassword("correct horse battery staple"), readFile(fileURLToPath(import.meta.url))]);
    caller.leave();
    expect((await drawings).map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  });

  it("draws several images, and ends when it is idle", async () => {
    const draw = scripted({ idleTimeoutMs: 300 });
    const pids = await Promise.all([draw("pid"), draw("pid", aCaller("somebody else"))]);
    expect(pids[0]).toBe(pids[1]);
    await gone(pids[0]);
    expect(await draw("pid")).not.toBe(pids[0]);
  });

  it("is killed when an image takes too long, and replaced for the next image", async () => {
    const draw = scripted({ drawTimeoutMs: 2_000 });
    const pid = await draw("pid");
    const [slow, next] = await Promise.allSettled([draw("hang"), draw("pid")]);
    expect(slow).toMatchObject({ status: "rejected", reason: killed });
    expect(isAlive(Number(pid))).toBe(false);
    expect(next).toMatchObject({ status: "fulfilled", value: expect.not.stringContaining(pid) });
  });

  it("is killed when the caller disconnects, and replaced for the next image", async () => {
    const draw = scripted();
    const pid = await draw("pid");
    const caller = aCaller();
    const left = draw("hang", caller);
    const next = draw("pid");
    await new Promise(setImmediate);
    caller.leave();
    await expect(left).rejects.toEqual(killed);
    expect(isAlive(Number(pid))).toBe(false);
    expect(await next).not.toBe(pid);
    await expect(draw("pid", caller)).rejects.toEqual(killed);
  });

  it("is replaced for the next image when it crashes", async () => {
    const draw = scripted();
    await expect(draw("crash")).rejects.toEqual(killed);
    expect(await draw("pid")).toMatch(/^\d+$/);
  });

  it("refuses images when the queue is full, until there is room again", async () => {
    const draw = scripted({ queue: { waiting: 2, waitingPerCaller: 1 } });
    const caller = aCaller();
    const begun = [draw("hang", caller), draw("hang", aCaller("a")), draw("hang", aCaller("b"))];
    const busy = { code: "unavailable", detailKey: "detailImages", retryAfter: 5 };
    await expect(draw("pid", aCaller("c"))).rejects.toMatchObject(busy);
    for (const controller of leaving) controller.abort();
    for (const drawing of await Promise.allSettled(begun)) expect(drawing).toMatchObject({ reason: killed });
    expect(await draw("pid", aCaller("c"))).toMatch(/^\d+$/);
  });

  it("draws the icon of a release after one image, however many uploads wait", async () => {
    const draw = scripted();
    const first = aCaller("first");
    const uploads = [draw("hang", first)];
    for (const id of ["a", "b", "c", "d"]) {
      for (let count = 0; count < 16; count += 1) uploads.push(draw("hang", aCaller(id)));
    }
    const outcomes = Promise.allSettled(uploads);
    const icons = [draw("pid", aCaller("publisher", "release")), draw("pid", aCaller("device", "install"))];
    first.leave();
    for (const icon of icons) expect(await icon).toMatch(/^\d+$/);
    for (const controller of leaving) controller.abort();
    await outcomes;
  });

  it("fails the call, not the image, when it does not start", async () => {
    const draw = aRenderer({ program: join(folder, "no-such-program.mjs") });
    const failure = await draw("any").catch((error) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ code: "unavailable" });
    expect(String(failure.cause)).toContain("no-such-program.mjs");
  });

  it("ends while it draws when the server is killed", async () => {
    const parent = fork(join(folder, "testing", "parent-process.mjs"), [join(folder, "render-process.mjs")]);
    parent.send(slowSvg());
    const pid = await firstMessage(parent);
    expect(isAlive(Number(pid))).toBe(true);
    parent.kill("SIGKILL");
    await gone(pid);
  });
});

async function firstMessage(child: ChildProcess): Promise<string> {
  const [message] = await once(child, "message");
  return String(message);
}

describe("an image", () => {
  it("is drawn as a PNG of at most 512 pixels; a small one keeps its size, an SVG is enlarged", async () => {
    const draw = aRenderer();
    const red = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "red" } });
    const drawn = async (image: Uint8Array | string) => {
      const { format, width, height } = await sharp(await draw(image)).metadata();
      return [format, width, height];
    };
    expect(await drawn(await red(1_000, 500).jpeg().toBuffer())).toEqual(["png", 512, 256]);
    expect(await drawn(await red(40, 30).webp().toBuffer())).toEqual(["png", 40, 30]);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10"/></svg>';
    expect(await drawn(svg)).toEqual(["png", 512, 256]);
  });

  it("of a screen is drawn as a WebP of at most 2,048 pixels, without metadata", async () => {
    const renderer = new ImageRenderer({ drawTimeoutMs: NEVER_MS });
    const drawn = async (image: Buffer) => {
      const webp = await renderer.draw({ image, isScreenshot: true }, aCaller("somebody", "screenshot"));
      const { format, width, height, exif } = await sharp(webp).metadata();
      return { size: webp.byteLength, facts: [format, width, height, exif] };
    };
    const screen = await sharp({ create: { width: 1_320, height: 2_868, channels: 4, background: "#0000" } })
      .withExif({ IFD0: { Artist: "somebody" } })
      .png()
      .toBuffer();
    expect((await drawn(screen)).facts).toEqual(["webp", 943, 2_048, undefined]);
    const noise = await sharp({
      create: { width: 2_048, height: 2_048, channels: 3, background: "red", noise: { type: "gaussian", sigma: 128 } },
    })
      .png()
      .toBuffer();
    const { size, facts } = await drawn(noise);
    expect(facts).toEqual(["webp", 2_048, 2_048, undefined]);
    expect(size).toBeLessThan(4 * 1024 * 1024);
  });

  it("is unreadable if it has another format, is damaged or has too many pixels", async () => {
    const draw = aRenderer();
    const red = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: "red" } });
    const png = await red(100).png().toBuffer();
    for (const image of [
      await red(8).gif().toBuffer(),
      await red(8).tiff().toBuffer(),
      await red(8).avif().toBuffer(),
      png.subarray(0, png.length / 2),
      await red(4_097).png().toBuffer(),
      Buffer.from("%PDF-1.7"),
      Buffer.alloc(0),
    ]) {
      await expect(draw(image)).rejects.toEqual(unreadable);
    }
  });

  it("that takes too much memory is ended before the timeout", async () => {
    const draw = aRenderer();
    await expect(draw(largeSvg())).rejects.toEqual(killed);
  });

  it.each([
    ["thousands of filters", slowSvg()],
    ["shapes that reference each other", nestedSvg()],
  ])("with %s is ended after the timeout", async (_, svg) => {
    const draw = aRenderer({ drawTimeoutMs: 500 });
    await expect(draw(svg)).rejects.toEqual(killed);
  });

  it("loads nothing from the network or the disk", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const file = `file://${join(projectDir, "public", "brand.svg")}`;
    const plain = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"></svg>';
    const fetching = `<?xml-stylesheet href="${url}a.css"?><!DOCTYPE svg [<!ENTITY e SYSTEM "${file}">]>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>@import url(${url}b.css);</style>
      <image width="64" height="64" href="${url}c.png"/><image width="64" height="64" href="${file}"/>
      <use href="${file}#x"/></svg>`;
    const draw = aRenderer();
    expect(await draw(fetching)).toEqual(await draw(plain));
    expect(requests).toBe(0);
    server.close();
  });
});
