"use client";

import { useTranslations } from "next-intl";
import { CopyField } from "@/components/common/copy-field";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { releaseName } from "@/components/common/releases/release-name";
import { useShareLink } from "../sharing/use-share-link";
import { type ComputerParts, InstallCard, type InstallCardProps } from "./install-card";

const ShareLink: ComputerParts["ShareLink"] = ({ release, warned = false }) => {
  const t = useTranslations("install");
  const link = useShareLink(release.installUrl);
  return (
    <>
      <CopyField label={t("link")} value={link} />
      {!warned && <LoopbackNotice link={link} />}
    </>
  );
};

const OtherDevice: ComputerParts["OtherDevice"] = ({ release, on }) => {
  const t = useTranslations("install");
  const link = useShareLink(release.installUrl);
  return (
    <>
      <div className="flex flex-col items-center gap-3">
        <QrCode value={link} label={t("qr", { name: `${release.displayName} ${releaseName(release)}` })} />
        <p className="text-balance text-center text-muted-foreground leading-5">{t(`scan.${on}`)}</p>
      </div>
      <ShareLink release={release} />
    </>
  );
};

const PARTS: ComputerParts = { OtherDevice, ShareLink };

/** The card on a computer: what leads to a phone, with its QR code and link. */
export function ComputerInstallCard(props: InstallCardProps) {
  return <InstallCard {...props} computer={PARTS} />;
}
