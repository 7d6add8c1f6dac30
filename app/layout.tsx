import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { env } from "@/lib/kernel/env";
import { publicMessages, referenceMessages } from "@/lib/kernel/i18n/client-messages";
import { languageOf } from "@/lib/kernel/i18n/locales";
import { PAGE_PATH_HEADER } from "@/lib/kernel/navigation/pages";
import { Providers } from "./providers";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell");
  return {
    title: { default: t("product"), template: `%s · ${t("product")}` },
    description: t("description"),
    icons: {
      icon: [
        { url: "/favicon.ico", sizes: "32x32" },
        { url: "/brand.svg", type: "image/svg+xml" },
      ],
      apple: "/apple-touch-icon.png",
    },
    robots: { index: false, follow: false },
    formatDetection: { telephone: false, email: false, address: false },
  };
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fcfcfd" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1012" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, messages, headerStore] = await Promise.all([getLocale(), getMessages(), headers()]);
  // A page that a link opens within the document keeps the texts of the document.
  const isReference =
    headerStore.get("sec-fetch-dest") === "document" &&
    /^\/api\/docs(\?q=[^&]*)?$/.test(headerStore.get(PAGE_PATH_HEADER) ?? "");
  const nonce = headerStore.get("x-nonce") ?? undefined;
  return (
    // The theme script sets the class before React hydrates the page.
    <html lang={languageOf(locale)} className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body>
        <NextIntlClientProvider messages={isReference ? referenceMessages(messages) : publicMessages(messages)}>
          <Providers nonce={nonce} reportTo={env.SENTRY_DSN}>
            {children}
          </Providers>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
