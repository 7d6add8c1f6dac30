import type { Release } from "@/lib/features/releases/schema";
import { escapeHtml } from "@/lib/kernel/html";

/** Characters that XML 1.0 does not have. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text as the content of an element or a quoted attribute of XML. */
const xml = (text: string) => escapeHtml(text.toWellFormed().replace(NOT_IN_XML, ""));

function entry({
  id,
  app,
  environment,
  platform,
  version,
  buildNumber,
  deployDate,
  updatedAt,
  ...release
}: Release): string {
  const title = `${app.name} ${version} (${buildNumber}) · ${platform.name} · ${environment.name}`;
  const author = release.createdBy ? `<author><name>${xml(release.createdBy.name)}</name></author>` : "";
  return `  <entry>
    <id>urn:uuid:${id}</id>
    <title>${xml(title)}</title>
    <link rel="alternate" href="${xml(release.installUrl)}"/>
    <published>${deployDate}</published>
    <updated>${updatedAt > deployDate ? updatedAt : deployDate}</updated>
    <category term="${xml(app.identifier)}" label="${xml(app.name)}"/>
    ${author}
    <summary>${xml(release.descriptionSummary)}</summary>
    <content type="html">${xml(release.descriptionHtml)}</content>
  </entry>`;
}

/**
 * A feed of releases (RFC 4287). Its entries have the page of the release as their link.
 * @param feed.updatedAt of a feed without entries
 */
export function atomFeed(
  releases: readonly Release[],
  { id, title, self, home, updatedAt }: { id: string; title: string; self: string; home: string; updatedAt: Date },
): string {
  const changes = releases.flatMap(({ deployDate, updatedAt: changed }) => [deployDate, changed]).sort();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${id}</id>
  <title>${xml(title)}</title>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(home)}"/>
  <updated>${changes.at(-1) ?? updatedAt.toISOString()}</updated>
  <author><name>${xml(title)}</name></author>
${releases.map(entry).join("\n")}
</feed>
`;
}
