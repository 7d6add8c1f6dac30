import { useTranslations } from "next-intl";
import { Link } from "@/components/common/link";
import { Alert } from "@/components/ui/alert";

export type TokenHintProps = {
  /** Where the token is stored: on a server, including CI, or in the app. */
  kind: "server" | "mobile";
  /** The page where API tokens are created; null if the user cannot create them and has to ask an administrator. */
  tokensHref: string | null;
};

/** Which API token is needed, and how to get it. */
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
