import { createHash } from "node:crypto";

/** A stylesheet that is sent within a document, and its source in a content security policy (CSP Level 3, hash source). */
export interface Style {
  text: string;
  source: string;
}

function styleOf(lines: string): Style {
  const text = lines.replaceAll("\n", "");
  return { text, source: `'sha256-${createHash("sha256").update(text).digest("base64")}'` };
}

// Colors follow the system (`light-dark`), and are those of `app/globals.css`.

const NOTICE = `
:root{color-scheme:light dark;--bg:light-dark(#fcfcfd,#0f1012);--fg:light-dark(#16181d,#eceef2);--muted:light-dark(#5b616e,#9aa1ae);
--blue:light-dark(#2457d6,#2f63e3)}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--bg);color:var(--fg);font:100%/1.5 system-ui,sans-serif;
overflow-wrap:anywhere}
main{width:100%;max-width:30rem;margin:auto;padding:1.5rem min(1rem,5vw)}
h1{margin:0;font-size:1.375rem;line-height:1.25}
p{margin:0 0 .75rem}
.notice{text-align:center}
.notice h1{margin-block-end:.5rem}
.notice p{margin-block-end:1.25rem}
.muted,footer{color:var(--muted)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3rem;padding:.5rem min(1rem,5vw);border:0;border-radius:.625rem;
background:var(--blue);color:#fff;font:600 1rem/1.25 system-ui,sans-serif;text-decoration:none;text-align:center;cursor:pointer}
.notice .button{display:inline-flex;width:auto}
footer{padding:0 1rem 1.25rem;text-align:center;font-size:.875rem}
footer a,footer span,footer b{display:inline-block;padding:.25rem .375rem;color:inherit}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
`;

const PAGE = `
:root{--card:light-dark(#fff,#15171a);--line:light-dark(#e3e5ea,#2a2d33);--input:light-dark(#8d93a0,#6b717d);
--ok:light-dark(#1b6b3f,#6ddca0);--warn:light-dark(#7d5410,#eec069);--warn-bg:light-dark(#fdf7e7,#2b2416);--warn-line:light-dark(#f0dfae,#4c3d1b);
--bad:light-dark(#b3261e,#ff9a91)}
body{-webkit-text-size-adjust:100%;text-size-adjust:100%}
h2{margin:0 0 .5rem;font-size:1rem;line-height:1.4}
h3{margin:0;font-size:1rem;line-height:1.4}
ol,ul{margin:0 0 .75rem;padding-inline-start:1.25rem}li{margin-block-end:.25rem}
a{color:light-dark(#1d4fc4,#9dbcff)}
code,pre{font:0.875em/1.5 ui-monospace,monospace}pre{overflow-x:auto}
.small{font-size:.875rem}
.head{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;margin-block-end:1.25rem}
.head>div:last-child{flex:1 1 10rem;min-width:0}
.head img,.head .noicon{width:4.5rem;height:4.5rem;border-radius:1rem;flex:none;object-fit:contain}
.head .noicon{background:light-dark(#eceef2,#24272c)}
.head p{margin:.125rem 0 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem min(1rem,5vw);margin-block-end:1rem}
.card>:last-child{margin-block-end:0}
.card h1{margin-block-end:.5rem}
.button.quiet{background:none;color:var(--fg);border:1px solid var(--input);font-weight:500}
form{margin:0 0 .75rem}
label{display:block;margin-block-end:.375rem;font-weight:500}
input{width:100%;min-height:3rem;padding:.5rem .75rem;margin-block-end:.75rem;border:1px solid var(--input);border-radius:.625rem;background:var(--bg);
color:inherit;font:1rem/1.25 system-ui,sans-serif}
textarea{display:block;width:100%;padding:.5rem .75rem;margin-block-end:.75rem;border:1px solid var(--input);border-radius:.625rem;
background:var(--bg);color:inherit;font:1rem/1.5 system-ui,sans-serif;resize:vertical}
[aria-invalid]{border-color:var(--bad)}
input[type=file]{padding:.75rem}
fieldset{min-width:0;margin:0 0 .75rem;padding:0;border:0}legend{padding:0;margin-block-end:.375rem;font-weight:500}
.rating{display:grid;grid-template-columns:repeat(auto-fit,minmax(2.5rem,1fr));gap:.5rem}
.rating label{display:flex;align-items:center;justify-content:center;gap:.375rem;min-height:3rem;margin:0;border:1px solid var(--input);
border-radius:.625rem}
.rating input{width:1.25rem;height:1.25rem;min-height:0;margin:0;accent-color:var(--blue)}
.error{color:var(--bad)}
.warn{background:var(--warn-bg);border-color:var(--warn-line)}.warn h2{color:var(--warn)}
.ok{color:var(--ok);font-weight:500}
.drawing{display:block;width:15rem;max-width:100%;margin-block:.5rem;color:var(--fg)}
#push p:has(button){margin-block-end:0}
.qr{width:13rem;max-width:100%;margin:0 auto .75rem;padding:.75rem;background:#fff;border-radius:.75rem}
.qr svg{display:block;width:100%;height:auto}
.scan{text-align:center}
.notes h1,.notes h2,.notes h3,.notes h4{font-size:1rem;margin:0 0 .375rem}
@media (prefers-reduced-motion:no-preference){.button{transition:filter .1s}.button:hover{filter:brightness(1.07)}}
`;

/** Of a document that says one thing, which stays below 2 kB. */
export const NOTICE_STYLE = styleOf(NOTICE);
/** Of a page with cards, forms and lists. */
export const PAGE_STYLE = styleOf(NOTICE + PAGE);
