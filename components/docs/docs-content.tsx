import { basename } from "node:path/posix";
import type { Token } from "markdown-it";
import { createElement, Fragment, type ReactNode } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { cn } from "@/components/ui/cn";
import type { Documentation } from "./pages";
import { type DocsPage, linkTarget } from "./parse";
import { DOCS_PICTURES } from "./pictures";

const CLASSES: Readonly<Record<string, string>> = {
  h1: "font-semibold text-2xl tracking-tight",
  h2: "mt-6 scroll-mt-4 border-border border-t pt-6 font-semibold text-xl tracking-tight",
  h3: "mt-3 scroll-mt-4 font-semibold text-base",
  h4: "mt-2 scroll-mt-4 font-semibold",
  p: "text-pretty",
  ul: "flex list-disc flex-col gap-1.5 ps-5",
  ol: "flex list-decimal flex-col gap-2 ps-5",
  li: "min-w-0 [&>*+*]:mt-2",
  blockquote: "border-border border-s-2 ps-3 text-muted-foreground",
  table: "w-full border-collapse text-start",
  th: "border-border border-b px-2 py-1.5 text-start font-medium",
  td: "min-w-28 border-border border-b px-2 py-1.5 align-top",
  a: "text-link underline underline-offset-4 [overflow-wrap:anywhere] hover:no-underline",
  code: "rounded-sm bg-muted px-1 font-mono text-[0.9em] [overflow-wrap:anywhere]",
};

/** In a table, whose columns are narrow, a code up to this many characters stays in one line. */
const MAX_UNBROKEN = 32;

/** In a table, only addresses break within a word: a column is as wide as the longest part of its other codes. */
function codeClasses(code: string): string {
  if (code.includes("://")) return CLASSES.code as string;
  return cn(
    CLASSES.code,
    code.length <= MAX_UNBROKEN ? "[td_&]:whitespace-nowrap" : "[td_&]:[overflow-wrap:break-word]",
  );
}

/** What the elements depend on besides their tokens. */
type Context = { page: DocsPage; served: readonly DocsPage[]; label: string };

type Frame = { token: Token; children: ReactNode[] };

const isCode = ({ type }: Token) => type === "fence" || type === "code_block";

/** The elements of a list of tokens. The tokens are those of the repository's own files. */
function elementsOf(tokens: readonly Token[], context: Context): ReactNode[] {
  const root: ReactNode[] = [];
  const open: Frame[] = [];
  const add = (node: ReactNode) => (open.at(-1)?.children ?? root).push(node);
  for (const [key, token] of tokens.entries()) {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const { token: opened, children } = open.pop() as Frame;
      add(opened.hidden ? <Fragment key={key}>{children}</Fragment> : elementOf(opened, children, context, key));
    } else if (token.type === "inline" && token.content === "") continue;
    else if (token.type === "inline") add(<Fragment key={key}>{elementsOf(token.children ?? [], context)}</Fragment>);
    else if (isCode(token)) {
      // Each block is a region of the page, so its name is unique.
      const name = `${context.label} ${tokens.slice(0, key + 1).filter(isCode).length}`;
      add(<CodeBlock key={key} label={token.info ? `${name} · ${token.info}` : name} code={token.content.trimEnd()} />);
    } else if (token.type === "code_inline")
      add(
        <code key={key} className={codeClasses(token.content)}>
          {token.content}
        </code>,
      );
    else if (token.type === "image") add(pictureOf(token, key));
    else if (token.type === "hr") add(<hr key={key} className="border-border" />);
    else if (token.type === "hardbreak") add(<br key={key} />);
    else if (token.type === "softbreak") add(" ");
    else add(token.content);
  }
  return root;
}

function elementOf(token: Token, children: ReactNode[], { page, served }: Context, key: number): ReactNode {
  const { tag } = token;
  if (tag === "a") {
    const target = linkTarget(String(token.attrGet("href") ?? ""), page.file, served);
    if (target === null) return <Fragment key={key}>{children}</Fragment>;
    return (
      <a key={key} href={target} className={CLASSES.a}>
        {children}
      </a>
    );
  }
  const element = createElement(
    // A heading of a column says something.
    tag === "th" && children.length === 0 ? "td" : tag,
    { key, className: CLASSES[tag], ...(token.attrGet("id") && { id: String(token.attrGet("id")) }) },
    ...children,
  );
  return tag === "table" ? (
    <div key={key} className="overflow-x-auto">
      {element}
    </div>
  ) : (
    element
  );
}

function pictureOf(token: Token, key: number): ReactNode {
  const picture = DOCS_PICTURES[basename(String(token.attrGet("src") ?? ""))];
  if (!picture) return null;
  return (
    // biome-ignore lint/performance/noImgElement: the optimizer is off, and the file is served as it is
    <img
      key={key}
      src={picture.src}
      width={picture.width}
      height={picture.height}
      alt={token.content}
      loading="lazy"
      className="h-auto max-w-full rounded-lg border border-border"
    />
  );
}

export type DocsContentProps = { page: DocsPage; docs: Documentation; codeLabel: string };

/** The text of a page of the documentation. A link to a page that its reader may not see is plain text. */
export function DocsContent({ page, docs, codeLabel }: DocsContentProps) {
  const served = [...docs.pages, ...docs.unlisted];
  return (
    <article lang={page.language} className="flex min-w-0 flex-col gap-3.5 leading-6">
      {elementsOf(page.tokens, { page, served, label: codeLabel })}
    </article>
  );
}
