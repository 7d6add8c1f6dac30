import "server-only";
import { defineBodyQuery } from "@/lib/api/operation";
import { releaseNotes } from "../internal/release-notes";
import { releaseNotesInput, releaseNotesOutput } from "../schema";

/** Renders release notes as the page of a release shows them, for a preview. */
export const renderReleaseNotes = defineBodyQuery({
  area: "apps",
  name: "render-release-notes",
  summary: "Render release notes that are written in Markdown",
  access: "user",
  input: releaseNotesInput,
  output: releaseNotesOutput,
  errors: [],
  rateLimit: { points: 300, seconds: 60, by: "actor" },
  async handler({ input }) {
    const { html, summary } = releaseNotes(input.description);
    return { descriptionHtml: html, descriptionSummary: summary };
  },
});
