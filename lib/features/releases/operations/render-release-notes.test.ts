import { describe, expect, it } from "vitest";
import { anApp, aUser, send } from "@/lib/testing/console";
import { anIpa, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_DESCRIPTION } from "../schema";
import { getTestingDeployById } from "./get-testing-deploy-by-id";
import { getTestingDeploys } from "./get-testing-deploys";
import { renderReleaseNotes } from "./render-release-notes";
import { updateTestingDeploy } from "./update-testing-deploy";

setUpTestDatabase();

const NOTES = "# Offline maps\n\n- Pick a *region*\n- <script>alert(1)</script> [x](javascript:alert(1))";
const SUMMARY = "Offline maps · Pick a region";

describe("release notes", () => {
  it("are answered as written, as safe HTML and as one line: by a publication, a list, a release and a change", async () => {
    const admin = await aUser({ admin: true });
    const { identifier, environmentIds } = await anApp();
    const [environmentId = ""] = environmentIds;
    const published = await publish(admin, anIpa(identifier), "app.ipa", { environmentId, description: NOTES });
    const { id } = published.body;
    const answers = [
      published.body,
      (await send(getTestingDeploys, admin, { environmentId })).body.items[0],
      (await send(getTestingDeployById, admin, { id })).body,
      (await send(updateTestingDeploy, admin, { id, iosEnabled: false })).body,
    ];
    for (const { description, descriptionHtml, descriptionSummary } of answers) {
      // Forms send line breaks as CR LF (RFC 7578).
      expect([description.replaceAll("\r\n", "\n"), descriptionSummary]).toEqual([NOTES, SUMMARY]);
      expect(descriptionHtml).toMatch(/^<h3 dir="auto">Offline maps<\/h3><ul><li dir="auto">Pick a <em>region<\/em>/);
      expect(descriptionHtml).not.toMatch(/<script|href/);
    }
  });

  it("are rendered for a preview as the release shows them, at their full length in any script", async () => {
    const user = await aUser();
    const { status, body } = await send(renderReleaseNotes, user, { description: NOTES });
    expect([status, body.descriptionSummary]).toEqual([200, SUMMARY]);
    const long = "地".repeat(MAX_DESCRIPTION);
    const rendered = await send(renderReleaseNotes, user, { description: long });
    expect(rendered.body.descriptionHtml).toBe(`<p dir="auto">${long}</p>`);
    const longer = await send(renderReleaseNotes, user, { description: `${long}.` });
    expect([longer.status, longer.body.errors[0].path]).toEqual([422, "description"]);
  });
});
