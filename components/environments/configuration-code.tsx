"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { type ExampleLanguage, type ExampleValues, exampleWith } from "@/lib/features/client/rules";

const NAMES: Record<ExampleLanguage, string> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  java: "Java",
  kotlin: "Kotlin",
  swift: "Swift",
  dart: "Dart",
};

export type ConfigurationCodeProps = {
  languages: readonly [ExampleLanguage, ...ExampleLanguage[]];
  values: ExampleValues;
};

/** Code that reads the configuration of an environment, in several languages. */
export function ConfigurationCode({ languages, values }: ConfigurationCodeProps) {
  const t = useTranslations("environments.configuration");
  const [language, setLanguage] = useState(() => languages.find((one) => one === chosenLanguage()) ?? languages[0]);
  const choose = (chosen: string) => {
    setLanguage(chosen as ExampleLanguage);
    keepChoice(chosen);
  };
  return (
    <div className="flex flex-col gap-2">
      <Tabs value={language} onValueChange={choose} className="gap-3">
        <TabsList aria-label={t("language")}>
          {languages.map((one) => (
            <TabsTrigger key={one} value={one}>
              {NAMES[one]}
            </TabsTrigger>
          ))}
        </TabsList>
        {languages.map((one) => (
          <TabsContent key={one} value={one} tabIndex={-1}>
            <CodeBlock label={t("readConfiguration")} code={exampleWith(one, values)} />
          </TabsContent>
        ))}
      </Tabs>
      <p className="text-muted-foreground text-sm">
        {t.rich("scopes", { code: (text) => <code className="font-mono">{text}</code> })}
      </p>
    </div>
  );
}

const LANGUAGE_ITEM = "slipway.example-language";

function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_ITEM);
  } catch {
    return null;
  }
}

function keepChoice(language: string): void {
  try {
    localStorage.setItem(LANGUAGE_ITEM, language);
  } catch {
    // Storage may be blocked; then the choice lasts until the dialog closes.
  }
}
