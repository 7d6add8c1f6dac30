import { escapeHtml } from "@/lib/kernel/html";

/** The content of a mail, in its order. All values are plain text; this file escapes them. */
export interface MailContent {
  /** The `lang` attribute of the HTML part. */
  locale: string;
  /** The console's name, shown at the top. */
  brand: string;
  title: string;
  greeting: string;
  body: string;
  /** The content ID of an image that the mail has with it, shown beside the title. */
  icon?: string | undefined;
  /** Details of the event, one per line. */
  facts: string[];
  /** A text that somebody wrote, with its heading; without `html`, its line breaks are kept. */
  quote?: { heading: string | null; text: string; html?: string } | undefined;
  action: { label: string; url: string };
  /** Notes on the link. */
  notes: string[];
  /** The text before the visible URL. */
  fallback: string;
  footer: string;
  /** How to get no more of such mails. */
  stop?: { label: string; url: string } | undefined;
}

/** Renders the plain-text part. */
export function mailText(content: MailContent): string {
  const { greeting, body, facts, quote, action, notes, footer, stop } = content;
  const factLines = facts.length > 0 ? [facts.join("\n")] : [];
  const quoted = quote ? [[...(quote.heading === null ? [] : [quote.heading]), quote.text].join("\n")] : [];
  const end = [`-- \n${footer}`, ...(stop ? [`${stop.label}: ${stop.url}`] : [])].join("\n");
  return `${[greeting, body, ...factLines, ...quoted, `${action.label}:\n${action.url}`, ...notes, end].join("\n\n")}\n`;
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Many mail clients ignore style sheets, so the essential styles are inline. The style sheet adds the dark theme and narrow
// screens. Outlook's apps set `[data-ogsc]` in their dark theme.
const SHEET = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:600px){.page{padding:20px 12px!important}.card{padding:28px 22px!important}.action{width:100%!important}.button a{display:block!important;text-align:center!important}}
@media (prefers-color-scheme:dark){
body,.page{background:#0a0b0d!important}.card{background:#141518!important;border-color:#292b2f!important}
.strong{color:#ebedef!important}.quiet{color:#9fa3ab!important}.rule{border-color:#292b2f!important}
.link{color:#8cb2fc!important}.button{background:#2f68e6!important}}
[data-ogsc] .strong{color:#ebedef!important}[data-ogsc] .quiet{color:#9fa3ab!important}[data-ogsc] .link{color:#8cb2fc!important}
`.replaceAll("\n", "");

/** Renders the HTML part: one column of tables with inline styles, without external resources. */
export function mailHtml(content: MailContent): string {
  const { locale, brand, title, greeting, body, icon, facts, quote, action, notes, fallback, footer, stop } = content;
  const text = (content: string, style: string, className: string) =>
    `<p class="${className}" style="margin:0;font-family:${FONT};${style}">${escapeHtml(content)}</p>`;
  const strong = "color:#17191f;font-size:16px;line-height:25px;";
  const quiet = "color:#5e626a;font-size:14px;line-height:21px;";
  const gap = (height: number) => `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`;
  const url = escapeHtml(action.url);
  const image = icon
    ? `<img src="cid:${escapeHtml(icon)}" alt="" width="64" height="64" style="display:block;width:64px;height:64px;border-radius:14px">${gap(18)}`
    : "";
  const lines = (content: string) => escapeHtml(content).replaceAll("\n", "<br>");
  const prose = `font-family:${FONT};color:#17191f;font-size:15px;line-height:22px`;
  const heading = quote?.heading ? `${text(quote.heading, `${quiet}font-weight:600;`, "quiet")}\n${gap(4)}` : "";
  const quoted = quote
    ? `${gap(16)}\n${heading}
${quote.html ? `<div class="strong" style="${prose}">${quote.html}</div>` : `<p class="strong" style="margin:0;${prose}">${lines(quote.text)}</p>`}`
    : "";
  const stopLink = stop
    ? `<p style="margin:6px 0 0;font-family:${FONT};font-size:12px;line-height:18px"><a class="link" href="${escapeHtml(stop.url)}" style="color:#1c53cf;text-decoration:underline">${escapeHtml(stop.label)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(title)}</title>
<style>${SHEET}</style>
</head>
<body style="margin:0;padding:0;background:#f7f7f9;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(body)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="page" align="center" style="padding:40px 16px;background:#f7f7f9">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 4px 18px">
${text(brand, "color:#17191f;font-size:16px;line-height:24px;font-weight:600;letter-spacing:-0.01em;", "strong")}
</td></tr>
<tr><td class="card" style="padding:36px 40px;background:#ffffff;border:1px solid #e2e4e7;border-radius:12px">
${image}<h1 class="strong" style="margin:0;font-family:${FONT};color:#17191f;font-size:22px;line-height:30px;font-weight:600;letter-spacing:-0.015em">${escapeHtml(title)}</h1>
${gap(18)}
${text(greeting, strong, "strong")}
${gap(10)}
${text(body, strong, "strong")}
${facts.map((fact, index) => `${gap(index === 0 ? 16 : 4)}\n${text(fact, quiet, "quiet")}`).join("")}
${quoted}
${gap(26)}
<table role="presentation" class="action" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="button" style="background:#235cdc;border-radius:8px"><a href="${url}" style="display:inline-block;padding:13px 22px;font-family:${FONT};color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></td>
</tr></table>
${gap(26)}
${notes.map((note) => text(note, quiet, "quiet")).join(gap(8))}
<div class="rule" style="margin:26px 0 20px;border-top:1px solid #e2e4e7;font-size:1px;line-height:1px">&nbsp;</div>
${text(fallback, "color:#5e626a;font-size:13px;line-height:20px;", "quiet")}
<p style="margin:4px 0 0;font-family:${FONT};font-size:13px;line-height:20px;word-break:break-all"><a class="link" href="${url}" style="color:#1c53cf;text-decoration:underline">${url}</a></p>
</td></tr>
<tr><td style="padding:18px 4px 0">
${text(footer, "color:#5e626a;font-size:12px;line-height:18px;", "quiet")}${stopLink}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
