import { beforeAll, describe, expect, it } from "vitest";
import { ANONYMOUS, aUser, send, sendRaw } from "@/lib/testing/console";
import { pictureForm } from "@/lib/testing/pictures";
import { setUpTestDatabase } from "@/scripts/test-database";
import { downloadFile } from "./download-file";
import { uploadFile } from "./upload-file";

setUpTestDatabase();

let picture: { fileId: string; size: number; sha256: string };

beforeAll(async () => {
  picture = (await send(uploadFile, await aUser(), await pictureForm())).body;
});

function get(headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return sendRaw(downloadFile, ANONYMOUS, { id: picture.fileId }, { method, headers });
}

describe("an image", () => {
  it("is anybody's, kept for good, never guessed about and runs nothing", async () => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await get({}, method);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "image/png",
        "content-length": String(picture.size),
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
        "content-disposition": 'inline; filename="logo.png"',
        "x-content-type-options": "nosniff",
        etag: `"${picture.sha256}"`,
      });
      expect((await answer.bytes()).length).toBe(method === "GET" ? picture.size : 0);
    }
  });

  it.each(["*", 'W/"SHA"', '"other", "SHA"'])("is not sent again to who has it: If-None-Match: %s", async (value) => {
    const answer = await get({ "if-none-match": value.replace("SHA", picture.sha256) });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, `"${picture.sha256}"`]);
  });

  it("comes in ranges too, and whole to who has another", async () => {
    const range = await get({ range: "bytes=0-7" });
    expect([range.status, Buffer.from(await range.bytes()).toString("latin1")]).toEqual([206, "\x89PNG\r\n\x1a\n"]);
    const whole = await get({ "if-none-match": '"other"' });
    expect([whole.status, (await whole.bytes()).length]).toEqual([200, picture.size]);
  });
});
