import { useTranslations } from "next-intl";

/** How a profile is installed on iOS, with our own drawings of what the settings show. */
export function ProfileSteps() {
  const t = useTranslations("devices.steps");
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex list-decimal flex-col gap-3 pl-5">
        <li>{t("allow")}</li>
        <li>
          {t("open")}
          <SettingsRow />
        </li>
        <li>
          {t("install")}
          <InstallButton />
        </li>
      </ol>
      <p className="text-pretty text-muted-foreground text-xs leading-4.5">{t("asks")}</p>
    </div>
  );
}

const frame = (
  <rect x="0.5" y="0.5" width="319" height="63" rx="14" fill="none" stroke="currentColor" strokeOpacity="0.25" />
);

function SettingsRow() {
  return (
    <svg viewBox="0 0 320 64" aria-hidden="true" className="mt-2 w-full max-w-80">
      {frame}
      <rect x="16" y="16" width="32" height="32" rx="8" fill="#8e8e93" />
      <circle cx="32" cy="32" r="7" fill="none" stroke="#fff" strokeWidth="3" />
      <path d="M32 21v4M32 39v4M21 32h4M39 32h4" stroke="#fff" strokeWidth="3" />
      <rect x="64" y="27" width="150" height="10" rx="5" fill="currentColor" fillOpacity="0.55" />
      <path d="m292 24 8 8-8 8" fill="none" stroke="currentColor" strokeOpacity="0.5" strokeWidth="3" />
    </svg>
  );
}

function InstallButton() {
  return (
    <svg viewBox="0 0 320 64" aria-hidden="true" className="mt-2 w-full max-w-80">
      {frame}
      <rect x="112" y="27" width="96" height="10" rx="5" fill="currentColor" fillOpacity="0.3" />
      <rect x="236" y="18" width="68" height="28" rx="14" fill="#2f6fed" />
      <path d="m260 32 7 7 13-14" fill="none" stroke="#fff" strokeWidth="3" />
    </svg>
  );
}
