import { Mail } from "lucide-react";
import { ProviderIcon } from "@/components/common/auth-providers/provider-icon";
import type { AuthProvider } from "@/lib/features/auth-providers/schema";

/** A provider's logo in a frame; decorative, because its name is next to it. */
export function ProviderTile({ provider }: { provider: AuthProvider["provider"] }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-border bg-background [&_svg]:size-4.5"
    >
      {provider === "email" ? <Mail /> : <ProviderIcon provider={provider} />}
    </span>
  );
}
