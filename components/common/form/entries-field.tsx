"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { type Control, type FieldError, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field, type FieldProps } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export type EntriesFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FieldProps,
  "children" | "error" | "label"
> & {
  label: string;
  control: Control<Input, unknown, Output>;
  name: Name;
  /** Whether a text is a valid entry. */
  accepts: (entry: string) => boolean;
  /** The error message for an invalid entry. */
  refusal: string;
  removeLabel: (entry: string) => string;
  placeholder?: string;
  renderEntry?: (entry: string) => ReactNode;
};

const SEPARATORS = /[\s,;]+/;

const wordsIn = (text: string) => text.split(SEPARATORS).filter(Boolean);

/**
 * A form field for a list of short texts without spaces. They are typed, or pasted several at a time. Text that is
 * still being typed is the last entry of the value, so submitting the form includes or validates it.
 */
export function EntriesField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
  label,
  accepts,
  refusal,
  removeLabel,
  placeholder,
  renderEntry = (entry) => <span className="truncate font-mono">{entry}</span>,
  ...props
}: EntriesFieldProps<Input, Name, Output>) {
  const t = useTranslations("common");
  const { field, fieldState } = useController({ control, name });
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [rejected, setRejected] = useState(false);
  const value = field.value as readonly string[];
  const entries = value.slice(0, value.length - wordsIn(text).length);

  const change = (next: readonly string[], typed: string) => {
    setText(typed);
    field.onChange([...next, ...wordsIn(typed)]);
  };

  const add = (typed: string) => {
    const candidates = wordsIn(typed);
    const invalid = candidates.filter((word) => !accepts(word));
    change([...new Set([...entries, ...candidates.filter(accepts)])], invalid.join(" "));
    setRejected(invalid.length > 0);
  };

  // Disabling the button would lose the focus.
  const addTyped = () => {
    add(text);
    input.current?.focus();
  };

  const remove = (entry: string) => {
    const rest = entries.filter((other) => other !== entry);
    change(rest, text);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" && text.trim() !== "") || event.key === ",") {
      // Enter adds the entry instead of submitting the form.
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && entries.length > 0) {
      event.preventDefault();
      change(entries.slice(0, -1), entries.at(-1) ?? "");
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (!SEPARATORS.test(pasted.trim())) return;
    event.preventDefault();
    add(`${text} ${pasted}`);
  };

  return (
    <Field label={label} error={rejected ? refusal : firstMessage(fieldState.error)} {...props}>
      {(attributes) => (
        <div className="flex flex-col gap-2">
          <div className="flex gap-2">
            <Input
              {...attributes}
              ref={(element) => {
                field.ref(element);
                input.current = element;
              }}
              value={text}
              placeholder={placeholder}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono lg:text-[0.8125rem]"
              onBlur={field.onBlur}
              onChange={(event) => {
                change(entries, event.target.value);
                setRejected(false);
              }}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
            <Button variant="secondary" onClick={addTyped} className="max-lg:h-11">
              <Plus aria-hidden />
              {t("add")}
            </Button>
          </div>
          {entries.length > 0 && (
            <ul aria-label={label} className="flex flex-wrap gap-1.5">
              {entries.map((entry) => (
                <li key={entry} className="flex min-w-0">
                  <Badge className="h-8 max-w-full pr-0.5 pl-2 lg:h-7">
                    {renderEntry(entry)}
                    <button
                      type="button"
                      aria-label={removeLabel(entry)}
                      onClick={() => remove(entry)}
                      className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
                    >
                      <X aria-hidden className="size-3.5" />
                    </button>
                  </Badge>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  );
}

/** The error message of a list field: its own, or that of its first invalid entry. */
function firstMessage(error: FieldError | undefined): string | undefined {
  if (!Array.isArray(error)) return error?.message;
  return (error as (FieldError | undefined)[]).find((entry) => entry?.message)?.message;
}
