"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { notify } from "@/lib/client/notify";
import { writeClipboardText } from "./write-clipboard";

export type CopyButtonProps = Pick<ButtonProps, "variant" | "size" | "className" | "disabled"> & {
  /** The text, or a function that fetches it when the button is pressed; null if it has shown why there is none. */
  value: string | (() => Promise<string | null>);
  /** Name of the copied value; the accessible name becomes "Copy: …". */
  label?: string;
  /** The button's text instead of "Copy". */
  text?: string;
  /** Shows only the icon. */
  iconOnly?: boolean;
};

const CONFIRMATION_MS = 2000;

/** Copies text and confirms it, or reports that the browser refused. */
export function CopyButton({
  value,
  label,
  text,
  iconOnly = false,
  variant = iconOnly ? "ghost" : "secondary",
  size = iconOnly ? "icon-sm" : "default",
  ...props
}: CopyButtonProps) {
  const t = useTranslations("common.copy");
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timeout = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timeout);
  }, [copied]);

  const copy = async () => {
    try {
      const content = typeof value === "string" ? value : await value();
      if (content === null) return;
      await writeClipboardText(content);
      setCopied(true);
    } catch {
      notify.error(t("failedTitle"), { description: t("failedDescription") });
    }
  };

  const Icon = copied ? Check : Copy;
  return (
    <Button variant={variant} size={size} onClick={copy} {...props}>
      <Icon aria-hidden className={copied ? "text-success" : undefined} />
      <span aria-live="polite" className={iconOnly ? "sr-only" : undefined}>
        {copied ? t("done") : (text ?? t("action"))}
        {label && <span className="sr-only">: {label}</span>}
      </span>
    </Button>
  );
}
