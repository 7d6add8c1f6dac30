"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyField } from "@/components/common/copy-field";
import { Button } from "@/components/ui/button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { Trust } from "@/lib/features/trust/schema";

const CERTIFICATE_FILE = "slipway.crt";
const DOWNLOAD = "/api/trust/download-authority";

/** The commands with which the systems of computers trust an authority. */
const COMMANDS = {
  macOS: `sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${CERTIFICATE_FILE}`,
  Windows: `certutil -user -addstore Root ${CERTIFICATE_FILE}`,
  "Debian, Ubuntu": `sudo cp ${CERTIFICATE_FILE} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`,
  "Chrome (Linux)": `certutil -d sql:$HOME/.pki/nssdb -A -a -t C,, -n Slipway -i ${CERTIFICATE_FILE}`,
};

export type TrustDevice = "ios" | "android" | "computer";

export type TrustStepsProps = {
  trust: Trust;
  /** The device whose steps are shown first. */
  device: TrustDevice;
};

/** The steps by which each kind of device trusts a console on the local network. */
export function TrustSteps({ trust, device }: TrustStepsProps) {
  const t = useTranslations("trust");
  const rich = { b: (text: ReactNode) => <b className="font-semibold">{text}</b>, name: trust.name };
  return (
    <Tabs defaultValue={device}>
      <TabsList aria-label={t("devices")}>
        <TabsTrigger value="ios">{t("ios")}</TabsTrigger>
        <TabsTrigger value="android">{t("android")}</TabsTrigger>
        <TabsTrigger value="computer">{t("computer")}</TabsTrigger>
      </TabsList>
      <TabsContent value="ios">
        <Steps>
          <Step text={t.rich("iosDownload", rich)}>
            <DownloadLink href={`${DOWNLOAD}?format=profile`}>{t("downloadProfile")}</DownloadLink>
          </Step>
          <Step text={t.rich("iosInstall", rich)} />
          <Step text={t.rich("iosTrust", rich)} />
        </Steps>
      </TabsContent>
      <TabsContent value="android" className="flex flex-col gap-5">
        <Steps>
          <Step text={t("androidDownload", { file: CERTIFICATE_FILE })}>
            <DownloadLink href={DOWNLOAD}>{t("downloadCertificate")}</DownloadLink>
          </Step>
          <Step text={t.rich("androidInstall", rich)} />
          <Step text={t("androidChoose", { file: CERTIFICATE_FILE })} />
        </Steps>
        <div className="flex flex-col gap-2 text-pretty text-muted-foreground leading-5">
          <p>{t("androidWorks")}</p>
          <p>{t("androidNot")}</p>
        </div>
      </TabsContent>
      <TabsContent value="computer" className="flex flex-col gap-5">
        <Steps>
          <Step text={t("computerDownload")}>
            <DownloadLink href={DOWNLOAD}>{t("downloadCertificate")}</DownloadLink>
          </Step>
          <Step text={t("computerInstall")}>
            {Object.entries(COMMANDS).map(([system, command]) => (
              <CopyField key={system} label={system} value={command} />
            ))}
          </Step>
        </Steps>
        <p className="text-pretty text-muted-foreground leading-5">{t("firefox")}</p>
      </TabsContent>
    </Tabs>
  );
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="flex list-decimal flex-col gap-5 pl-5 marker:text-muted-foreground">{children}</ol>;
}

function Step({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <p className="text-pretty leading-5">{text}</p>
      {children && <div className="mt-3 flex flex-col gap-3">{children}</div>}
    </li>
  );
}

function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button asChild size="lg" variant="secondary">
      <a href={href} download>
        <Download aria-hidden />
        {children}
      </a>
    </Button>
  );
}
