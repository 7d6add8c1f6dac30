import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

// Prisma would download its native schema engine. The project's replacement needs no download.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL("./scripts/schema-engine.mjs", import.meta.url));

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
