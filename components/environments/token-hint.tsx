import Link from "next/link";
import { useTranslations } from "next-intl";
import { Alert } from "@/components/ui/alert";

export type TokenHintProps = {
  /** Where the token lies: on a server, CI included, or in the app. */
  kind: "server" | "mobile";
  /** Where API tokens are made, for whoever makes them; others are told whom to ask. */
  tokensHref: string | null;
};

/** Which API token is needed, and how to come by it. */
export function TokenHint({ kind, tokensHref }: TokenHintProps) {
  const t = useTranslations("environments.configuration");
  return (
    <Alert role="note">
      {kind === "server"
        ? t.rich("serverToken", { code: (text) => <code className="font-mono">{text}</code> })
        : t("mobileToken")}{" "}
      {tokensHref ? (
        <Link href={tokensHref} prefetch={false}>
          {t("createToken")}
        </Link>
      ) : (
        t("askToken")
      )}
    </Alert>
  );
}
