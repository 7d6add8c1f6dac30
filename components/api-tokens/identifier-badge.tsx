import { Apple, Bot, Server } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { identifierKind, shortIdentifier } from "./identifier-kind";

const ICONS = { server: Server, android: Bot, ios: Apple };

/** An identifier with its kind, with the full text in its title. */
export function IdentifierBadge({ identifier }: { identifier: string }) {
  const t = useTranslations("apiTokens.identifierKinds");
  const kind = identifierKind(identifier);
  const Icon = ICONS[kind];
  return (
    <Badge tone="outline" title={`${t(kind)}: ${identifier}`} className="max-w-full">
      <Icon role="img" aria-label={t(kind)} />
      <IdentifierText identifier={identifier} />
    </Badge>
  );
}

/** An identifier in short. */
export function IdentifierText({ identifier }: { identifier: string }) {
  return (
    <span title={identifier} className="truncate font-mono text-[0.6875rem] text-foreground">
      {shortIdentifier(identifier)}
    </span>
  );
}
