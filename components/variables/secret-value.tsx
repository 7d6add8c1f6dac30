"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { Button } from "@/components/ui/button";
import { useVariableValue } from "./use-variable-value";

/** How long a revealed value stays visible. */
const REVEAL_MS = 30_000;

/**
 * The value of a secure variable in a list. It is fetched when the user reveals or copies it, and hidden after 30
 * seconds or when the tab is left.
 */
export function SecretValue({ id, name }: { id: string; name: string }) {
  const t = useTranslations("variables.secret");
  const load = useVariableValue("secure-variable", id);
  const [value, setValue] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  useEffect(() => {
    if (value === null) return;
    const hide = () => setValue(null);
    const hideInBackground = () => document.hidden && hide();
    const timeout = setTimeout(hide, REVEAL_MS);
    document.addEventListener("visibilitychange", hideInBackground);
    window.addEventListener("pagehide", hide);
    return () => {
      clearTimeout(timeout);
      document.removeEventListener("visibilitychange", hideInBackground);
      window.removeEventListener("pagehide", hide);
    };
  }, [value]);

  const reveal = async () => {
    setPending(true);
    try {
      setValue(await load());
    } finally {
      setPending(false);
    }
  };

  const isShown = value !== null;
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {isShown ? (
        <code
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
          tabIndex={0}
          className="max-h-40 min-w-0 flex-1 overflow-y-auto whitespace-pre-wrap break-all rounded-sm py-1 font-mono text-[0.8125rem]"
        >
          {value}
        </code>
      ) : (
        <span className="flex-1 select-none font-mono text-muted-foreground tracking-wider">
          <span aria-hidden>••••••••</span>
          <span className="sr-only">{t("hidden")}</span>
        </span>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        loading={pending}
        aria-label={t(isShown ? "hide" : "reveal", { name })}
        onClick={isShown ? () => setValue(null) : reveal}
        className="relative z-1 shrink-0 text-muted-foreground"
      >
        <Icon aria-hidden />
      </Button>
      <CopyButton value={load} label={name} iconOnly className="relative z-1 shrink-0 text-muted-foreground" />
    </span>
  );
}
