import type { MetadataRoute } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { languageOf } from "@/lib/kernel/i18n/locales";
import { PAGES } from "@/lib/kernel/navigation/pages";

const ANDROID_TYPES = ["application/vnd.android.package-archive", "application/octet-stream", ".apk", ".aab", ".ipa"];

/** The web app manifest, with which browsers install the console. An installer that is shared with it is published. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const [locale, t, pages, { name }] = await Promise.all([
    getLocale(),
    getTranslations("shell"),
    getTranslations("nav.pages"),
    call(getAppConfig, {}),
  ]);
  const shortcut = (label: string, url: string) => ({
    name: label,
    url,
    icons: [{ src: "/icon-192.png", sizes: "192x192" }],
  });
  return {
    id: "/",
    name,
    short_name: name.slice(0, 12),
    description: t("description"),
    lang: languageOf(locale),
    start_url: PAGES.signIn,
    scope: "/",
    display: "standalone",
    background_color: "#fcfcfd",
    theme_color: "#fcfcfd",
    categories: ["developer", "productivity"],
    icons: [
      { src: "/brand.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/icon-192.png", type: "image/png", sizes: "192x192" },
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
      { src: "/icon-maskable-512.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
    ],
    shortcuts: [shortcut(pages("home"), PAGES.home), shortcut(t("account.profile"), PAGES.profile)],
    share_target: {
      action: "/share-target",
      method: "POST",
      enctype: "multipart/form-data",
      params: { files: [{ name: "file", accept: ANDROID_TYPES }] },
    } as unknown as MetadataRoute.Manifest["share_target"],
  };
}
