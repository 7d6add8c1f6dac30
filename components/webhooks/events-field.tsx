"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { Textarea } from "@/components/ui/textarea";
import { AUDIT_PREFIX, EVENT_TYPES, type EventType, FORMER_EVENT_TYPES } from "@/lib/kernel/events";

type EventKey = CamelCased<EventType>;
type CamelCased<Text extends string> = Text extends `${infer First}.${infer Rest}`
  ? `${First}${Capitalize<CamelCased<Rest>>}`
  : Text extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<Rest>}`
    : Text;

/** The key of the text of a type of event. */
function eventKey(type: EventType): EventKey {
  return type.replace(/[.-](.)/g, (_, letter: string) => letter.toUpperCase()) as EventKey;
}

export type EventsFieldProps = { value: readonly string[]; onChange: (events: string[]) => void; error?: string };

/** Selects the types of events that a webhook receives, and actions of the audit log. */
export function EventsField({ value, onChange, error }: EventsFieldProps) {
  const t = useTranslations("webhooks");
  const id = useId();
  const actions = value.filter((type) => type.startsWith(AUDIT_PREFIX)).map((type) => type.slice(AUDIT_PREFIX.length));
  const types = value.filter((type) => !type.startsWith(AUDIT_PREFIX));
  const offered = EVENT_TYPES.filter((type) => !FORMER_EVENT_TYPES.includes(type) || types.includes(type));
  const toggle = (type: EventType, on: boolean) =>
    onChange([...value.filter((other) => other !== type), ...(on ? [type] : [])]);
  const writeActions = (text: string) => {
    const written = text.split(/[\s,]+/).filter(Boolean);
    onChange([...types, ...written.map((action) => AUDIT_PREFIX + action.replace(AUDIT_PREFIX, ""))]);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5" aria-describedby={`${id}-error`}>
      <legend className="mb-1.5 font-medium">{t("events")}</legend>
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {offered.map((type) => (
          <div key={type} className="flex min-w-0 items-start gap-2">
            <Checkbox
              id={`${id}-${type}`}
              checked={types.includes(type)}
              onCheckedChange={(checked) => toggle(type, checked === true)}
              className="mt-0.5"
            />
            <Label htmlFor={`${id}-${type}`} className="flex min-w-0 flex-col items-start gap-0 font-normal">
              <span>{t(`types.${eventKey(type)}`)}</span>
              <span className="font-mono text-muted-foreground text-xs">{type}</span>
            </Label>
          </div>
        ))}
      </div>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-audit`}>{t("auditActions")}</Label>
        <Textarea
          id={`${id}-audit`}
          rows={2}
          defaultValue={actions.join(", ")}
          onChange={(event) => writeActions(event.target.value)}
          aria-describedby={`${id}-audit-hint`}
          className="font-mono"
          spellCheck={false}
          autoCapitalize="none"
        />
        <p id={`${id}-audit-hint`} className="text-muted-foreground text-xs">
          {t("auditActionsHint")}
        </p>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
