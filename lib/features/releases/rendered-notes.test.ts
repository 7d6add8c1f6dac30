import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anIpa, publish, uploadInParts } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createRelease, updateRelease } from "./data/releases";
import { NOTES_VERSION, releaseNotes } from "./internal/release-notes";
import { createTestingDeploy } from "./operations/create-testing-deploy";
import { getTestingDeployById } from "./operations/get-testing-deploy-by-id";
import { getTestingDeploys } from "./operations/get-testing-deploys";
import { getTestingDeploysByApp } from "./operations/get-testing-deploys-by-app";
import { updateTestingDeploy } from "./operations/update-testing-deploy";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let id: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  const fields = { environmentId, description: "# First" };
  id = (await publish(admin, anIpa(app.identifier), "app.ipa", fields)).body.id;
});

const storedOf = (releaseId: string) => db.release.findUniqueOrThrow({ where: { id: releaseId } });

/** Requires that a row keeps its notes exactly as they are rendered. */
async function requireRendered(releaseId: string): Promise<void> {
  const { description, descriptionHtml, descriptionSummary, notesVersion } = await storedOf(releaseId);
  const { html, summary } = releaseNotes(description);
  expect({ descriptionHtml, descriptionSummary, notesVersion }).toEqual({
    descriptionHtml: html,
    descriptionSummary: summary,
    notesVersion: NOTES_VERSION,
  });
}

const shown = async (releaseId: string) => (await send(getTestingDeployById, admin, { id: releaseId })).body;

const notes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "# ",
        "- ",
        "**",
        "_",
        "`",
        "> ",
        "\n\n",
        "https://example.com ",
        "<b>",
        "&amp;",
        "[a](b)",
        "1. ",
      ),
      fc.string({ unit: "grapheme", maxLength: 6 }).filter((text) => !text.includes("\0")),
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((pieces) => pieces.join(""))
  .filter((text) => text.trim() !== "" && text.isWellFormed());

describe("the rendered notes of a release", () => {
  it("are stored as rendered by a publication, in a form or after an upload, and by a change", async () => {
    await requireRendered(id);
    const { fileId } = await uploadInParts(admin, anIpa(app.identifier), "app.ipa");
    const published = await send(createTestingDeploy, admin, { environmentId, fileId, description: "- *one*\n- two" });
    expect(published.status).toBe(201);
    await requireRendered(published.body.id);
    await send(updateTestingDeploy, admin, { id, description: "## Changed" });
    await requireRendered(id);
    await send(updateTestingDeploy, admin, { id, iosEnabled: false });
    await requireRendered(id);
  });

  it("are stored as rendered by every write, whatever the notes are", async () => {
    const { updatedAt, ...row } = await storedOf(id);
    const { installer, metadata } = row as { installer: object; metadata: object };
    await fc.assert(
      fc.asyncProperty(notes, notes, async (first, second) => {
        const created = await createRelease(db, {
          ...row,
          installer,
          metadata,
          warnings: [],
          id: newId(),
          description: first,
        });
        await requireRendered(created.id);
        await updateRelease(db, created.id, { description: second });
        const { description, descriptionHtml } = await storedOf(created.id);
        // The trigger empties them if they would be the same.
        if (descriptionHtml !== null) await requireRendered(created.id);
        else expect(releaseNotes(second).html).toBe(releaseNotes(first).html);
        expect((await shown(created.id)).descriptionHtml).toBe(releaseNotes(description).html);
        await db.release.delete({ where: { id: created.id } });
      }),
      { numRuns: 40 },
    );
  });

  it("are rendered from the description when a console of an earlier version has changed it alone", async () => {
    await db.$executeRaw`UPDATE "Release" SET "description" = '**Later**' WHERE "id" = ${id}::uuid`;
    expect(await storedOf(id)).toMatchObject({ descriptionHtml: null, descriptionSummary: null, notesVersion: null });
    expect(await shown(id)).toMatchObject({
      descriptionHtml: '<p dir="auto"><strong>Later</strong></p>',
      descriptionSummary: "Later",
    });
  });

  it.each([
    ["were never stored", { descriptionHtml: null, descriptionSummary: null, notesVersion: null }],
    ["are those of another renderer", { descriptionHtml: "<p>Old</p>", notesVersion: NOTES_VERSION - 1 }],
    ["are those of a later renderer", { descriptionHtml: "<p>New</p>", notesVersion: NOTES_VERSION + 1 }],
  ])("are rendered and stored by the lists if they %s", async (_state, stale) => {
    for (const [operation, input] of [
      [getTestingDeploys, { environmentId }],
      [getTestingDeploysByApp, { appId: app.appId }],
    ] as const) {
      await db.release.update({ where: { id }, data: stale });
      const { items } = (await send(operation, admin, input)).body as {
        items: { id: string; descriptionHtml: string }[];
      };
      const { description } = await storedOf(id);
      expect(items.find((item) => item.id === id)?.descriptionHtml).toBe(releaseNotes(description).html);
      await expect.poll(async () => (await storedOf(id)).notesVersion).toBe(NOTES_VERSION);
      await requireRendered(id);
    }
  });

  it("are served as they are stored, without being rendered again", async () => {
    await db.release.update({ where: { id }, data: { descriptionHtml: "<p>Kept</p>", notesVersion: NOTES_VERSION } });
    expect((await shown(id)).descriptionHtml).toBe("<p>Kept</p>");
  });
});

it("the renderer has another version if it renders anything differently", () => {
  const starts = ["", "# ", "###### ", "- ", "1. ", "> ", "```\n", "    ", "- [ ] "];
  const middles = [
    "one",
    "**two**",
    "_three_",
    "`four`",
    "~~five~~",
    "[six](https://example.com/?a=1&b)",
    "![seven](x.png)",
  ];
  const ends = ["", "\nnext", "\n\nnext", "\r\n- next", " <b>&amp;</b>", " https://example.com.", "\n---", " א"];
  const hash = createHash("sha256");
  for (const start of starts)
    for (const middle of middles)
      for (const end of ends) hash.update(JSON.stringify(releaseNotes(start + middle + end)));
  // If this fails, increase NOTES_VERSION and enter the new hash.
  expect([NOTES_VERSION, hash.digest("hex")]).toEqual([
    1,
    "b17c6b6a432f71619a8992704ff8a6d50dd444c50405d7a7cff44f0cd8a31940",
  ]);
});
