import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { releaseNotes } from "./release-notes";

const html = (text: string) => releaseNotes(text).html;
const summary = (text: string) => releaseNotes(text).summary;

const OPENING = /^<(p|h[3-6]|blockquote|ul|ol|li|pre|code|strong|em|s|a|span)( [^<>]*)?>/;
const ATTRIBUTES =
  /^( dir="auto")?( start="-?\d+")?( href="(?:https?:\/\/|mailto:)[^"<>\s]*" target="_blank" rel="noopener noreferrer nofollow")?$/;

/** Requires that HTML consists of known elements with known attributes, balanced, and of escaped text. */
function requireSafe(text: string): void {
  let rest = text;
  const open: string[] = [];
  while (rest !== "") {
    const plain = /^(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)+/.exec(rest)?.[0];
    const single = /^<(?:br|hr)>/.exec(rest)?.[0];
    const closing = /^<\/([a-z0-9]+)>/.exec(rest);
    const opening = OPENING.exec(rest);
    if (plain ?? single) {
      rest = rest.slice((plain ?? single ?? "").length);
    } else if (closing) {
      expect(open.pop()).toBe(closing[1]);
      rest = rest.slice(closing[0].length);
    } else {
      if (!opening) throw new Error(`neither text nor a known element: ${rest.slice(0, 80)}`);
      expect(opening[2] ?? "").toMatch(ATTRIBUTES);
      open.push(opening[1] as string);
      rest = rest.slice(opening[0].length);
    }
  }
  expect(open).toEqual([]);
}

describe("release notes", () => {
  it("have headings, lists, links, code and emphasis", () => {
    const text =
      "# News\n\n- **Offline** maps\n- *new* `code`\n\n1. one\n2. two\n\n[docs](https://example.com/a?b=1&c=2)";
    expect(html(text)).toBe(
      '<h3 dir="auto">News</h3>' +
        '<ul><li dir="auto"><strong>Offline</strong> maps</li><li dir="auto"><em>new</em> <code>code</code></li></ul>' +
        '<ol><li dir="auto">one</li><li dir="auto">two</li></ol>' +
        '<p dir="auto"><a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">docs</a></p>',
    );
    expect(html("> quoted\n\n---\n\n~~gone~~\n\n```js\nlet a = 1 < 2;\n```")).toBe(
      '<blockquote dir="auto"><p dir="auto">quoted</p></blockquote><hr><p dir="auto"><s>gone</s></p>' +
        "<pre><code>let a = 1 &lt; 2;\n</code></pre>",
    );
  });

  it("keep line breaks, and link addresses that begin with a protocol", () => {
    expect(html("one\ntwo")).toBe('<p dir="auto">one<br>two</p>');
    expect(html("see https://example.com/x.")).toContain('<a href="https://example.com/x" target="_blank"');
    expect(html("settings.app and mail@example.com")).not.toContain("<a");
    expect(html("[mail](mailto:a@example.com)")).toContain('href="mailto:a@example.com"');
  });

  it("begin their headings below those of the page, without gaps in the outline", () => {
    const levels = (text: string) => [...html(text).matchAll(/<(h\d)/g)].map(([, level]) => level);
    expect(levels("## A\n#### B\n## C\n# D\n###### E")).toEqual(["h3", "h4", "h3", "h3", "h4"]);
    expect(levels("# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6")).toEqual(["h3", "h4", "h5", "h6", "h6", "h6"]);
  });

  it("show HTML as text", () => {
    expect(html("<script>alert(1)</script>")).toBe('<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(html('a <img src=x onerror="alert(1)"> b')).not.toContain("<img");
    expect(html("<!-- --><iframe src=//evil.example></iframe>")).not.toMatch(/<(?!\/?p)/);
  });

  it("show an image as its alternative text", () => {
    expect(html("![a *chart*](https://example.com/a.png)")).toBe('<p dir="auto">a *chart*</p>');
    expect(html("[![badge](https://example.com/b.svg)](https://example.com)")).toMatch(/<a [^>]+>badge<\/a>/);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#115;cript:alert(1)",
    "&#x6A;avascript:alert(1)",
    "javascript&colon;alert(1)",
    "javascript&#58;alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "java%0ascript:alert(1)",
    "&#1;javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "%6Aavascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "file:///etc/passwd",
    "blob:1",
    "itms-services://?action=download-manifest",
    "intent://scan/#Intent;scheme=zxing;end",
    "//evil.example",
    "/api/auth/logout",
    "\\\\evil.example",
    "#fragment",
  ])("have no link to %s", (url) => {
    for (const text of [
      `[a](${url})`,
      `[a](<${url}>)`,
      `<${url}>`,
      `[a]\n\n[a]: ${url}`,
      `[a]\n\n[a]: <${url}> "t"`,
      url,
    ]) {
      expect(html(text)).not.toContain("href");
    }
  });

  it("with 10,000 nested quotes, lists or marks are shown as written or flat, and with all their text", () => {
    for (const mark of ["> ", ">", "- ", "1. ", "*", "_a *", "[", "**a *b "]) {
      const text = `${mark.repeat(10_000)}the end`;
      const rendered = html(text);
      requireSafe(rendered);
      expect(rendered).toContain("the end");
      expect(Math.max(0, ...depths(rendered))).toBeLessThanOrEqual(40);
    }
    expect(html(`${"> ".repeat(30)}deep`)).toBe(`<p dir="auto">${"&gt; ".repeat(30)}deep</p>`);
    expect(html(`${"> ".repeat(10)}quoted`)).toContain("<blockquote");
  });

  it("that repeat a long URL by references are shown as written", () => {
    const text = `${"[a]".repeat(900)}\n\n[a]: https://example.com/${"x".repeat(1_900)}`;
    expect(html(text)).toMatch(/^<p dir="auto">(\[a\])+<br><br>\[a\]: https/);
    expect(html(`[a](https://example.com/${"x".repeat(2_000)})`)).not.toContain("href");
  });

  it("with lines of 5,000 characters, and from right to left, are complete", () => {
    expect(html("x".repeat(5_000))).toBe(`<p dir="auto">${"x".repeat(5_000)}</p>`);
    expect(html("- خرائط بلا اتصال **جديدة**")).toBe(
      '<ul><li dir="auto">خرائط بلا اتصال <strong>جديدة</strong></li></ul>',
    );
  });

  it("are safe whatever is written", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ..."#*_`~>[]()!<&;:/\\\"'|-+=1. \n\t".split(""),
        ..."<script>|</p>|<a href=|javascript:|data:|https://|&#106;|&lt;|\n\n|\n> |\n- |```|![|](|[a]: |\u202e|\u0000|\ufeff|א".split(
          "|",
        ),
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const { html: rendered, summary: line } = releaseNotes(pieces.join(""));
        requireSafe(rendered);
        expect(line).not.toMatch(/[\n\r]/);
        expect([...line].length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 1_500 },
    );
  });
});

/** The nesting of elements at each of their starts. */
function depths(rendered: string): number[] {
  let depth = 0;
  return [...rendered.matchAll(/<(\/?)(?!br|hr)[a-z]/g)].map(([, end]) => (depth += end ? -1 : 1));
}

describe("the summary of release notes", () => {
  it.each([
    ["Offline maps\nand more", "Offline maps"],
    ["- **Offline** maps: [docs](https://example.com)\n- more", "Offline maps: docs"],
    ["# News\n\n- `map` fixed", "News · map fixed"],
    ["## Only a heading", "Only a heading"],
    ["***\n\n> first  line", "first line"],
    ["![chart](https://example.com/a.png) below", "chart below"],
    ["```\nlet a;\n```", "let a;"],
    ["", ""],
  ])("of %j is its first line as plain text", (text, expected) => {
    expect(summary(text)).toBe(expected);
  });

  it("has at most 200 characters, and never half a character", () => {
    const line = summary("🙂".repeat(300));
    expect([...line]).toHaveLength(200);
    expect(line.endsWith("🙂…")).toBe(true);
    expect(line.isWellFormed()).toBe(true);
    expect(summary("x".repeat(200))).toBe("x".repeat(200));
  });
});
