import { expect, it } from "vitest";
import { releaseNotes } from "@/lib/features/releases/internal/release-notes";
import { mailNotes } from "./notes";

const notesOf = (markdown: string, max = 1_200) => mailNotes(releaseNotes(markdown).html, max);

it("notes in Markdown are elements in the HTML part, and read as text in the other", () => {
  const markdown =
    "## What changed\n\nHello **you**\n- The **cart** & [ticket](https://example.test/7)\n  1. one\n  2. two\n- https://example.test/\n\n> quoted\n\n---\n\n`x < y`";
  const { html, text, hasHeading } = notesOf(markdown);
  expect(hasHeading).toBe(true);
  expect(html).toMatch(/^<h2 [^>]*>What changed<\/h2><p/);
  expect(html).toContain('<strong>cart</strong> &amp; <a href="https://example.test/7"');
  expect(html).toContain("x &lt; y");
  expect(text).toBe(
    "What changed\n\nHello you\n\n- The cart & ticket (https://example.test/7)\n  1. one\n  2. two\n- https://example.test/\n\n> quoted\n\n---\n\nx < y",
  );
});

it("notes end after a number of characters, with each element closed", () => {
  const { html, text } = notesOf("- **abcdef**", 3);
  expect(text).toBe("- abc…");
  expect(html).toMatch(/<strong>abc…<\/strong><\/li><\/ul>$/);
});

it("HTML in notes stays text", () => {
  const { html, text } = notesOf('<img src=x onerror="alert(1)"> [x](javascript:alert(1))');
  expect(html).not.toMatch(/<img|href/);
  expect(text).toContain("<img src=x");
});
