import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "@/lib/auth/passwords";
import { db } from "@/lib/db/client";
import { imageRenderer } from "@/lib/storage/images";
import { slowSvg } from "@/lib/storage/images/testing/hostile-images";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { withRenderer } from "@/lib/testing/images";
import { pictureForm } from "@/lib/testing/pictures";
import { storedKeys } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_UNUSED_IMAGES } from "../data";
import { uploadFile } from "./upload-file";

setUpTestDatabase();

function imageForm(content: string, name: string): FormData {
  const form = new FormData();
  form.append("file", new File([content], name));
  return form;
}

/** The rows and the objects of all files. */
const stored = async () => [await db.file.count(), await storedKeys()];

it("refuses images that take too long, says what to upload instead, stores nothing, and draws the next image", async () => {
  const [hostile, person] = [await aUser(), await aUser()];
  const before = await stored();
  await withRenderer({ drawTimeoutMs: 300 }, async () => {
    const uploads = Promise.all(
      Array.from({ length: 5 }, () => send(uploadFile, hostile, imageForm(slowSvg(), "logo.svg"))),
    );
    const hash = await hashPassword("correct horse battery staple");
    expect(await verifyPassword(hash, "correct horse battery staple")).toBe(true);
    for (const { body } of await uploads) {
      expect(body).toMatchObject({ status: 415, code: "unsupported_media_type" });
      expect(body.detail).toContain("Export it as a PNG");
    }
  });
  expect(await stored()).toEqual(before);
  expect((await send(uploadFile, person, await pictureForm())).status).toBe(201);
});

it("refuses a file that is not an image, and stores nothing", async () => {
  const before = await stored();
  const { body } = await send(uploadFile, await aUser(), imageForm("GIF89a", "logo.png"));
  expect(body).toMatchObject({ status: 415, code: "unsupported_media_type" });
  expect(body.detail).toContain("PNG, JPEG, WebP or SVG");
  expect(await stored()).toEqual(before);
});

it("answers 503 when too many images wait, and stores nothing", async () => {
  const before = await stored();
  const options = { drawTimeoutMs: 600_000, queue: { waiting: 0, waitingPerCaller: 0 } };
  const { headers, body } = await withRenderer(options, async () => {
    // Occupies the renderer until the other image is refused.
    const leaving = new AbortController();
    const caller = { lane: "upload", id: "somebody", signal: leaving.signal } as const;
    const drawing = imageRenderer.get().draw({ image: Buffer.from(slowSvg()) }, caller);
    drawing.catch(() => {});
    const refused = await send(uploadFile, await aUser(), imageForm(slowSvg(), "logo.svg"));
    leaving.abort();
    await expect(drawing).rejects.toMatchObject({ reason: "killed" });
    return refused;
  });
  expect(body).toMatchObject({ status: 503, code: "unavailable" });
  expect(body.detail).toContain("too many images");
  expect(headers.get("retry-after")).toBe("5");
  expect(await stored()).toEqual(before);
});

it("keeps the newest images of a person that nothing uses, and removes the oldest beyond them", async () => {
  const [person, other] = [await aUser(), await aUser()];
  const upload = async (caller: TestUser) => {
    const answer = await send(uploadFile, caller, await pictureForm());
    expect(answer.status).toBe(201);
    return answer.body.fileId as string;
  };
  const [others, used, oldest] = [await upload(other), await upload(person), await upload(person)];
  await db.file.update({ where: { id: used }, data: { state: "ready" } });
  const newer: string[] = [];
  for (let count = 1; count < MAX_UNUSED_IMAGES; count += 1) newer.push(await upload(person));
  expect(await db.file.findUnique({ where: { id: oldest } })).not.toBeNull();
  const newest = await upload(person);
  await expect.poll(() => db.file.findUnique({ where: { id: oldest } })).toBeNull();
  const kept = [others, used, ...newer, newest];
  expect(await db.file.count({ where: { id: { in: kept } } })).toBe(kept.length);
  expect(await storedKeys()).not.toContain(`images/${oldest}`);
});
