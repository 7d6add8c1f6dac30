"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { CreateApiTokenButton } from "./create-api-token-button";
import type { TokenPlace } from "./token-place";

/**
 * Creates the API token that the code on a page reads from `SLIPWAY_TOKEN`. Until the page is left, it shows the command that sets
 * it for the code below.
 */
export function PlaceToken({ place }: { place: TokenPlace }) {
  const t = useTranslations("environments.connect.token");
  const [token, setToken] = useState<string | null>(null);
  return (
    <>
      <div>
        <CreateApiTokenButton place={place} purpose="server" requestedAs="create-token" onCreated={setToken} />
      </div>
      {token && (
        <>
          <CodeBlock label={t("set")} code={`export SLIPWAY_TOKEN='${token}'`} />
          <p className="text-pretty text-muted-foreground leading-5">{t("setHint")}</p>
        </>
      )}
    </>
  );
}
