"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNotifiedCall } from "@/lib/client/use-operation";

export type KeyPanelProps<Loaded> = {
  /** The text of the button. */
  label: string;
  load: () => Promise<Loaded>;
  children: (loaded: Loaded) => ReactNode;
};

/** Shows the choice of a key. It is loaded by a button, because that needs the second factor. */
export function KeyPanel<Loaded extends object>({ label, load, children }: KeyPanelProps<Loaded>) {
  const notified = useNotifiedCall();
  const [pending, setPending] = useState(false);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const show = async () => {
    setPending(true);
    const found = await notified(load);
    setPending(false);
    if (found) setLoaded(found);
  };
  if (loaded) return children(loaded);
  return (
    <Button
      variant="secondary"
      className="self-start max-lg:self-stretch"
      loading={pending}
      onClick={() => void show()}
    >
      <KeyRound aria-hidden />
      {label}
    </Button>
  );
}
