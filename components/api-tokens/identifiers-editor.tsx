"use client";

import { Plus, Server, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { type FieldControlProps, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { isTokenIdentifier } from "@/lib/features/api-tokens/rules";
import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";
import { IdentifierBadge } from "./identifier-badge";

export type IdentifiersEditorProps = FieldControlProps & {
  value: readonly string[];
  onChange: (identifiers: string[]) => void;
};

const SEPARATORS = /[\s,;]+/;

/**
 * The identifiers of a token. They are typed, or pasted several at a time, and each is validated before it is added.
 */
export function IdentifiersEditor({ value, onChange, ...attributes }: IdentifiersEditorProps) {
  const t = useTranslations("apiTokens");
  const validation = useTranslations("validation");
  const [text, setText] = useState("");
  const [rejected, setRejected] = useState(false);

  const add = (typed: string) => {
    const candidates = typed.split(SEPARATORS).filter(Boolean);
    const invalid = candidates.filter((word) => !isTokenIdentifier(word));
    onChange([...new Set([...value, ...candidates.filter((word) => !invalid.includes(word))])]);
    setText(invalid.join(" "));
    setRejected(invalid.length > 0);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === ",") {
      // Enter adds the identifier instead of submitting the form.
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (!SEPARATORS.test(pasted.trim())) return;
    event.preventDefault();
    add(`${text} ${pasted}`);
  };

  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Input
          {...attributes}
          aria-invalid={rejected || attributes["aria-invalid"]}
          value={text}
          placeholder="com.acme.app"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono lg:text-[0.8125rem]"
          onChange={(event) => {
            setText(event.target.value);
            setRejected(false);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => text && add(text)}
        />
        <Button variant="secondary" onClick={() => add(text)}>
          <Plus aria-hidden />
          {t("addIdentifier")}
        </Button>
      </div>
      <FieldError>{rejected && validation("tokenIdentifierForm")}</FieldError>
      {value.length > 0 && (
        <ul aria-label={t("identifiers")} className="flex flex-wrap gap-1.5">
          {value.map((identifier) => (
            <li key={identifier} className="flex min-w-0 items-center">
              <IdentifierBadge identifier={identifier} />
              <button
                type="button"
                aria-label={t("removeIdentifier", { identifier })}
                onClick={() => onChange(value.filter((other) => other !== identifier))}
                className="flex size-6 items-center justify-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!value.includes(SERVER_IDENTIFIER) && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 w-fit text-muted-foreground"
          onClick={() => add(SERVER_IDENTIFIER)}
        >
          <Server aria-hidden />
          {t("addServer")}
        </Button>
      )}
    </div>
  );
}
