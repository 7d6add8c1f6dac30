import { GitBranch, KeyRound, RefreshCw, Server, Smartphone, SquareTerminal } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { CopyButton } from "@/components/common/copy-button";
import { type Fact, Facts } from "@/components/common/facts";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import {
  type ExampleLanguage,
  type ExampleValues,
  exampleWith,
  type UpdateLanguage,
  updateExampleWith,
} from "@/lib/features/client/rules";
import { CI_SYSTEMS, type CiSystem, ciSteps, toolCommands } from "@/lib/features/environments/rules";
import type { EnvironmentConfiguration } from "@/lib/features/environments/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { Copyable, copyable } from "./copyable";
import { TabbedCode } from "./tabbed-code-on-demand";

/** The sections of the page; each is the fragment of its address. */
const SECTIONS = ["ci", "server", "mobile", "update", "cli"] as const;
type ConnectSection = (typeof SECTIONS)[number];

const ICONS: Record<ConnectSection, ReactNode> = {
  ci: <GitBranch />,
  server: <Server />,
  mobile: <Smartphone />,
  update: <RefreshCw />,
  cli: <SquareTerminal />,
};

const LANGUAGE_NAMES: Record<ExampleLanguage, string> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  java: "Java",
  kotlin: "Kotlin",
  swift: "Swift",
  dart: "Dart",
};

const UPDATE_NAMES: Record<UpdateLanguage, string> = {
  swift: "Swift",
  kotlin: "Kotlin",
  dart: "Flutter",
  reactNative: "React Native",
  csharp: ".NET MAUI",
};

const SERVER_LANGUAGES = ["typescript", "python", "go", "java", "curl"] as const;
const MOBILE_LANGUAGES = ["kotlin", "swift", "dart", "curl"] as const;

/** The tool has a name in each language. */
const CI_NAMES: Record<Exclude<CiSystem, "tool">, string> = {
  github: "GitHub Actions",
  gitlab: "GitLab CI",
  bitrise: "Bitrise",
  fastlane: "fastlane",
  gradle: "Gradle",
  curl: "curl",
};

export type ConnectProps = {
  configuration: EnvironmentConfiguration;
  /** The Ed25519 key that signs what apps and servers read: `x` of its JWK. */
  publicKey: string;
  /** Creates the token that all code reads; null if the user has to ask an administrator for one. */
  token: ReactNode;
};

/** What CI, a server, a mobile app and a command line need to connect to an environment, for copying. */
export function Connect({ configuration, publicKey, token }: ConnectProps) {
  const t = useTranslations("environments.connect");
  const { server, mobile, cli } = configuration;
  const steps = ciSteps(cli);
  const tool = toolCommands(cli);
  const [firstSystem, ...otherSystems] = CI_SYSTEMS.map((key) => ({
    key,
    name: key === "tool" ? t("cli.title") : CI_NAMES[key],
    ...steps[key],
  }));
  return (
    <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_11rem]">
      <nav
        aria-label={t("onThisPage")}
        className="fade-x flex gap-1 overflow-x-auto [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4 lg:sticky lg:top-[calc(var(--shell-bar-height)+1.75rem)] lg:order-last lg:flex-col"
      >
        {SECTIONS.map((section) => (
          <a
            key={section}
            href={`#${section}`}
            className="flex h-11 shrink-0 items-center gap-2 rounded-md px-2.5 font-medium text-muted-foreground hover:bg-accent hover:text-foreground lg:h-auto lg:min-h-8 lg:py-1.5 [&>svg]:size-4 [&>svg]:shrink-0"
          >
            {ICONS[section]}
            <span className="min-w-0 leading-5 max-lg:whitespace-nowrap">{t(`${section}.title`)}</span>
          </a>
        ))}
      </nav>
      <div className="flex min-w-0 flex-col gap-4">
        <LoopbackNotice link={server.baseUrl} reader="computer" />
        <Card>
          <CardHeader>
            <CardTitle>{t("token.title")}</CardTitle>
            <CardDescription>
              {t.rich("token.description", {
                code: (text) => <code className="font-mono text-foreground">{text}</code>,
              })}
            </CardDescription>
          </CardHeader>
          <CardContent>{token ?? <p>{t("askToken")}</p>}</CardContent>
        </Card>
        <Section section="ci">
          <TabbedCode
            label={t("ci.system")}
            title={t("ci.step")}
            setupTitle={t("ci.setup")}
            storageKey="slipway.ci-system"
            variants={[firstSystem as NonNullable<typeof firstSystem>, ...otherSystems]}
          />
          <p className="text-pretty text-muted-foreground leading-5">
            {t.rich("ci.docs", {
              docs: (text) => (
                <a href={`${PAGES.docs}/ci#integrations`} className="text-link underline underline-offset-4">
                  {text}
                </a>
              ),
            })}
          </p>
          <p className="text-pretty text-muted-foreground leading-5">
            {t.rich("ci.variables", { code: (text) => <code className="font-mono text-foreground">{text}</code> })}
          </p>
        </Section>
        <Section section="server">
          <TokenHint>
            {t.rich("serverToken", { code: (text) => <code className="font-mono text-foreground">{text}</code> })}
          </TokenHint>
          <ReadConfiguration
            title={t("readConfiguration")}
            languages={SERVER_LANGUAGES}
            values={{ ...server, publicKey, identifier: null }}
          />
        </Section>
        <Section section="mobile">
          <TokenHint>{t("mobileToken")}</TokenHint>
          <ReadConfiguration
            title={t("readConfigurationInApp")}
            languages={MOBILE_LANGUAGES}
            values={{ ...mobile, publicKey, identifier: mobile.identifiers[0] as string }}
          />
          <MobileFacts configuration={mobile} />
        </Section>
        <Section section="update">
          <TokenHint>{t("mobileToken")}</TokenHint>
          <FindUpdate baseUrl={mobile.baseUrl} publicKey={publicKey} />
        </Section>
        <Section section="cli">
          <CodeBlock label={t("cli.install")} code={tool.install} />
          <CodeBlock label={t("cli.publish")} code={tool.publish} />
          <CodeBlock label={t("cli.list")} code={tool.list} />
        </Section>
        <Values configuration={configuration} />
      </div>
    </div>
  );
}

function Section({ section, children }: { section: ConnectSection; children: ReactNode }) {
  const t = useTranslations("environments.connect");
  return (
    <Card id={section} className="scroll-mt-[calc(var(--shell-bar-height)+1rem)] target:border-ring">
      <CardHeader>
        <CardTitle>{t(`${section}.title`)}</CardTitle>
        <CardDescription>{t(`${section}.description`)}</CardDescription>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}

/** Which API token a section needs. */
function TokenHint({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-w-0 gap-2.5 text-pretty rounded-lg border border-border bg-muted px-3 py-2.5 leading-5">
      <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

type ReadConfigurationProps = {
  /** Names the code; regions of a page have different names. */
  title: string;
  languages: readonly [ExampleLanguage, ...ExampleLanguage[]];
  values: ExampleValues;
};

/** Code that reads the configuration of an environment, in several languages. */
function ReadConfiguration({ title, languages, values }: ReadConfigurationProps) {
  const t = useTranslations("environments.connect");
  const variant = (key: ExampleLanguage) => ({ key, name: LANGUAGE_NAMES[key], code: exampleWith(key, values) });
  const [first, ...others] = languages;
  return (
    <>
      <TabbedCode
        label={t("language")}
        title={title}
        storageKey="slipway.example-language"
        variants={[variant(first), ...others.map(variant)]}
      />
      <p className="text-pretty text-muted-foreground leading-5">
        {t.rich("scopes", { code: (text) => <code className="font-mono text-foreground">{text}</code> })}
      </p>
    </>
  );
}

/** Code with which an app finds out whether there is a newer release, for several platforms. */
function FindUpdate(values: Pick<ExampleValues, "baseUrl" | "publicKey">) {
  const t = useTranslations("environments.connect");
  const [first, ...others] = (Object.keys(UPDATE_NAMES) as UpdateLanguage[]).map((key) => ({
    key,
    name: UPDATE_NAMES[key],
    code: updateExampleWith(key, values),
  }));
  return (
    <>
      <TabbedCode
        label={t("language")}
        title={t("update.code")}
        storageKey="slipway.update-language"
        variants={[first as NonNullable<typeof first>, ...others]}
      />
      <p className="text-pretty text-muted-foreground leading-5">
        {t.rich("update.mandatory", {
          code: (text) => <code className="font-mono text-foreground">{text}</code>,
          docs: (text) => (
            <a href={`${PAGES.docs}/in-app-updates`} className="text-link underline underline-offset-4">
              {text}
            </a>
          ),
        })}
      </p>
    </>
  );
}

function MobileFacts({ configuration }: { configuration: EnvironmentConfiguration["mobile"] }) {
  const t = useTranslations("environments.configuration");
  const accepted: Fact = {
    label: t("acceptedIdentifiers"),
    value: configuration.identifiers.map((identifier) => (
      <Copyable key={identifier} label={t("acceptedIdentifiers")} value={identifier} />
    )),
  };
  return <Facts long items={[copyable(t("identifierHeader"), configuration.identifierHeader), accepted]} />;
}

/** The addresses and identifiers that all parts have in common. */
function Values({ configuration }: Pick<ConnectProps, "configuration">) {
  const t = useTranslations("environments.configuration");
  const { server } = configuration;
  const names = ["baseUrl", "applicationId", "applicationIdentifier", "environmentId", "environmentName"] as const;
  return (
    <Card>
      <CardHeader className="flex-row flex-wrap items-center justify-between gap-3">
        <CardTitle>{t("place")}</CardTitle>
        <CopyButton value={JSON.stringify(configuration, null, 2)} text={t("copyAll")} size="sm" />
      </CardHeader>
      <CardContent>
        <Facts
          long
          items={[
            ...names.map((name) => copyable(t(name), server[name])),
            copyable(t("releasesUrl"), server.releasesUrl),
            copyable(t("uploadUrl"), server.uploadUrl),
          ]}
        />
      </CardContent>
    </Card>
  );
}
