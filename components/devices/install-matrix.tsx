import { androidName } from "@slipway/installers";
import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Disclosure } from "@/components/common/disclosure";
import type { InstallMatrix } from "@/lib/features/verdicts/schema";
import type { Messages } from "@/lib/kernel/i18n/translator";

type Item = InstallMatrix["items"][number];
type ReasonKey = keyof Messages["install"]["reasons"];

const SYSTEMS = { ios: "iOS", ipados: "iPadOS", android: "Android", desktop: "" } as const;
/** The groups that are shown; the line above them counts all devices. */
const MAX_SHOWN = 30;

const ICONS: Readonly<Record<Item["verdict"], { icon: LucideIcon; className: string }>> = {
  installs: { icon: CircleCheck, className: "text-success" },
  installs_after_steps: { icon: CircleCheck, className: "text-success" },
  does_not_install: { icon: CircleX, className: "text-danger" },
  unknown: { icon: CircleHelp, className: "text-muted-foreground" },
};

/** The key of the title of a code whose words depend on more than the code. */
const TITLES: Partial<Record<Item["codes"][number], ReasonKey>> = {
  device_family: "device_family_ipad",
  unknown_sources: "unknown_sources",
};

/** Where it is not known whether it installs. */
const UNKNOWN_TITLES: Partial<Record<Item["codes"][number], ReasonKey>> = {
  system_too_old: "system_unknown",
  wrong_architecture: "architecture_unknown",
  target_sdk_too_low: "target_sdk_unknown",
};

export type MatrixLinesProps = {
  matrix: InstallMatrix;
  /** Whether other devices are registered. It is then not said that testers have none, which would read as if there were none. */
  hasOthers: boolean;
};

/** On how many of the devices of an environment's testers a release installs, and behind it on which not and why. */
export function MatrixLines({ matrix: { items, total, verdicts }, hasOthers }: MatrixLinesProps) {
  const t = useTranslations("install.matrix");
  const opened = items.filter(({ devices }) => devices === 0);
  const registered = items.filter(({ devices }) => devices > 0);
  const installs = verdicts.installs + verdicts.installs_after_steps;
  return (
    <div className="flex flex-col">
      {(total > 0 || !hasOthers) && (
        <p className="text-pretty leading-5">{total === 0 ? t("none") : t("line", { installs, total })}</p>
      )}
      {items.length > 0 && (
        <Disclosure summary={t("details")}>
          <div className="flex flex-col gap-3 pt-1">
            {registered.length > 0 && <Rows items={registered} />}
            {opened.length > 0 && (
              <section className="flex flex-col gap-2">
                <h3 className="font-medium">{t("opened")}</h3>
                <Rows items={opened} />
              </section>
            )}
          </div>
        </Disclosure>
      )}
    </div>
  );
}

function Rows({ items }: { items: readonly Item[] }) {
  return (
    <ul className="flex flex-col divide-y divide-border">
      {items.slice(0, MAX_SHOWN).map((item) => (
        <Row key={JSON.stringify(item.device)} item={item} />
      ))}
    </ul>
  );
}

function Row({ item: { device, verdict, codes, devices, people } }: { item: Item }) {
  const t = useTranslations("install");
  const { icon: Icon, className } = ICONS[verdict];
  const { os, osVersion, model } = device;
  const titles = codes.map((code) => {
    const unknown = verdict === "unknown" ? UNKNOWN_TITLES[code] : undefined;
    const key = unknown ?? TITLES[code] ?? code;
    return t(`reasons.${key as ReasonKey}.title`);
  });
  return (
    <li className="flex items-start gap-2 py-2 leading-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="font-medium">
          {os === "android" && osVersion !== null
            ? androidName(osVersion)
            : [SYSTEMS[os], osVersion].filter(Boolean).join(" ")}
          {model && <span className="font-normal text-muted-foreground"> · {model}</span>}
        </span>
        <span className="text-pretty text-muted-foreground">{[t(`verdicts.${verdict}`), ...titles].join(" · ")}</span>
      </div>
      {devices > 0 && (
        <span className="shrink-0 text-end text-muted-foreground tabular-nums">
          {t("matrix.devices", { count: devices })}
          <br />
          {t("matrix.people", { count: people })}
        </span>
      )}
    </li>
  );
}
