import type { Locale } from "@/lib/kernel/i18n/locales";

export interface OfflineTexts {
  product: string;
  title: string;
  description: string;
  retry: string;
}

/** The policy of the page: its own script, icon and font, and nothing else. */
export const OFFLINE_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] as string);

const style = (font: string) => `
@font-face{font-family:Geist;src:url("${font}") format("woff2");font-weight:100 900}
:root{color-scheme:light dark;--bg:#fcfcfd;--fg:#16181d;--muted:#5b616e;--border:#d9dce3;--button:#2457d6}
@media (prefers-color-scheme:dark){:root{--bg:#0f1012;--fg:#eceef2;--muted:#9aa1ae;--border:#2c3038;--button:#2f63e3}}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.5rem;padding:2rem 1.5rem;background:var(--bg);color:var(--fg);font:14px/1.5 Geist,system-ui,sans-serif;text-align:center}
img{width:48px;height:48px}
h1{margin:0 0 .5rem;font-size:1.25rem;line-height:1.3;text-wrap:balance}
p{margin:0;max-width:28rem;color:var(--muted);text-wrap:pretty}
a{display:inline-flex;align-items:center;min-height:44px;padding:0 1rem;border-radius:8px;background:var(--button);color:#fff;font-weight:500;text-decoration:none}
a:focus-visible{outline:2px solid var(--fg);outline-offset:2px}`;

/**
 * The page that is shown instead of one that cannot be loaded without a connection, as HTML. Its link loads the page again.
 * @param font the path of the console's font
 */
export function offlinePage(
  locale: Locale,
  { product, title, description, retry }: OfflineTexts,
  font: string,
): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)} · ${escaped(product)}</title>
<link rel="icon" href="/brand.svg">
<style>${style(font)}</style>
<script src="/offline.js" defer></script>
</head>
<body>
<main>
<p><img src="/brand.svg" alt="${escaped(product)}"></p>
<h1>${escaped(title)}</h1>
<p>${escaped(description)}</p>
<p style="margin-top:1.5rem"><a href="">${escaped(retry)}</a></p>
</main>
</body>
</html>`;
}
