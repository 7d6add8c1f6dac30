import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { CopyButton } from "@/components/common/copy-button";
import { type Fact, Facts } from "@/components/common/facts";
import type { EnvironmentConfiguration } from "@/lib/features/environments/schema";
import { ConfigurationCode } from "./configuration-code";
import { TokenHint } from "./token-hint";

export type ConfigurationProps<Kind extends keyof EnvironmentConfiguration> = {
  configuration: EnvironmentConfiguration[Kind];
  /** The Ed25519 key that signs what apps and servers read: `x` of its JWK. */
  publicKey: string;
  /** The page where API tokens are created; null if the user cannot create them. */
  tokensHref: string | null;
};

/** What a server needs to read an environment's configuration and releases. */
export function ServerConfiguration({ configuration, publicKey, tokensHref }: ConfigurationProps<"server">) {
  const t = useTranslations("environments.configuration");
  return (
    <div className="flex flex-col gap-5">
      <TokenHint kind="server" tokensHref={tokensHref} />
      <ConfigurationCode
        languages={["typescript", "python", "go", "java", "curl"]}
        values={{ ...configuration, publicKey, identifier: null }}
      />
      <Section title={t("place")}>
        <Facts long items={useConnectionFacts(configuration)} />
      </Section>
      <Section title={t("endpoints")}>
        <Facts
          long
          items={[
            copyable(t("releasesUrl"), configuration.releasesUrl),
            copyable(t("uploadUrl"), configuration.uploadUrl),
          ]}
        />
      </Section>
      <CodeBlock label={t("readCommand")} code={configuration.curl} />
    </div>
  );
}

/** What the mobile app needs to connect to an environment. */
export function MobileConfiguration({ configuration, publicKey, tokensHref }: ConfigurationProps<"mobile">) {
  const t = useTranslations("environments.configuration");
  return (
    <div className="flex flex-col gap-5">
      <TokenHint kind="mobile" tokensHref={tokensHref} />
      <ConfigurationCode
        languages={["kotlin", "swift", "dart", "curl"]}
        values={{ ...configuration, publicKey, identifier: configuration.identifiers[0] as string }}
      />
      <Section title={t("place")}>
        <Facts
          long
          items={[
            ...useConnectionFacts(configuration),
            copyable(t("identifierHeader"), configuration.identifierHeader),
            {
              label: t("acceptedIdentifiers"),
              value: configuration.identifiers.map((identifier) => (
                <Copyable key={identifier} label={t("acceptedIdentifiers")} value={identifier} />
              )),
            },
          ]}
        />
      </Section>
      <Section title={t("endpoints")}>
        <Facts long items={[copyable(t("releasesUrl"), configuration.releasesUrl)]} />
      </Section>
    </div>
  );
}

/** What a command line needs to publish to an environment. */
export function CliConfiguration({ configuration, publicKey, tokensHref }: ConfigurationProps<"cli">) {
  const t = useTranslations("environments.configuration");
  return (
    <div className="flex flex-col gap-5">
      <TokenHint kind="server" tokensHref={tokensHref} />
      <CodeBlock label={t("publishCommand")} code={configuration.curl} />
      <ConfigurationCode languages={["curl"]} values={{ ...configuration, publicKey, identifier: null }} />
      <Section title={t("place")}>
        <Facts long items={[...useConnectionFacts(configuration), copyable(t("uploadUrl"), configuration.uploadUrl)]} />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

function useConnectionFacts(place: EnvironmentConfiguration["cli"] | EnvironmentConfiguration["mobile"]): Fact[] {
  const t = useTranslations("environments.configuration");
  return (["baseUrl", "applicationId", "applicationIdentifier", "environmentId", "environmentName"] as const).map(
    (name) => copyable(t(name), place[name]),
  );
}

function copyable(label: string, value: string): Fact {
  return { label, value: <Copyable label={label} value={value} /> };
}

function Copyable({ label, value }: { label: string; value: string }) {
  return (
    <span className="-my-1 flex min-w-0 items-center gap-1">
      <code className="min-w-0 flex-1 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{value}</code>
      <CopyButton value={value} label={label} iconOnly />
    </span>
  );
}
