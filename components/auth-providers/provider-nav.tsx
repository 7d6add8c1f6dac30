import { useTranslations } from "next-intl";
import { ProviderIcon } from "@/components/common/auth-providers/provider-icon";
import { HoverLink } from "@/components/common/hover-link";
import { type SsoProviderName, ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import { providerPath } from "@/lib/kernel/navigation/pages";

/** The list of providers to choose from. */
export function ProviderNav({ current }: { current: SsoProviderName }) {
  const t = useTranslations("authProviders.configure");
  const name = useTranslations("users.providers");
  return (
    <nav aria-label={t("providers")} className="flex flex-wrap gap-2">
      {ssoProviderSchema.options.map((provider) => (
        <HoverLink
          key={provider}
          href={providerPath(provider)}
          aria-current={provider === current ? "page" : undefined}
          className="inline-flex h-11 shrink-0 items-center gap-2 rounded-lg border border-border bg-card px-3 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground aria-[current=page]:border-primary aria-[current=page]:text-foreground lg:h-9 [&_svg]:size-4 [&_svg]:shrink-0"
        >
          <ProviderIcon provider={provider} />
          {name(provider)}
        </HoverLink>
      ))}
    </nav>
  );
}
