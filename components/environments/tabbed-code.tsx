"use client";

import { useState, useSyncExternalStore } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";

type Variant = {
  key: string;
  name: string;
  code: string;
  /** What is run once before the code is used. */
  setup?: string | null;
};

export type TabbedCodeProps = {
  /** What the choice is of, such as "Programming language". */
  label: string;
  /** What the code does. */
  title: string;
  /** What the `setup` of the variants does. */
  setupTitle?: string;
  variants: readonly [Variant, ...Variant[]];
  /** The item of the browser's storage that remembers the choice. */
  storageKey: string;
};

/** The same code for several languages or systems. The choice is remembered. */
export function TabbedCode({ label, title, setupTitle, variants, storageKey }: TabbedCodeProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const remembered = useRemembered(storageKey);
  const current = variants.find(({ key }) => key === (chosen ?? remembered)) ?? variants[0];
  const choose = (key: string) => {
    setChosen(key);
    remember(storageKey, key);
  };
  return (
    <Tabs value={current.key} onValueChange={choose} className="gap-3">
      <TabsList aria-label={label} className="max-lg:mx-0 max-lg:px-0">
        {variants.map(({ key, name }) => (
          <TabsTrigger key={key} value={key}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      {variants.map(({ key, code, setup }) => (
        <TabsContent key={key} value={key} tabIndex={-1} className="flex flex-col gap-3">
          {setup && setupTitle && <CodeBlock label={setupTitle} code={setup} />}
          <CodeBlock label={title} code={code} />
        </TabsContent>
      ))}
    </Tabs>
  );
}

/** The choice of an earlier visit; null while the page is hydrated. */
function useRemembered(storageKey: string): string | null {
  return useSyncExternalStore(
    () => () => {},
    () => stored(storageKey),
    () => null,
  );
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be blocked; then the choice lasts until the page is left.
  }
}
