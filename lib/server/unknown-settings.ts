import "server-only";
import { FILE_SETTINGS, SETTING_NAMES } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";

/** Names in the `.env` of docker-compose that docker-compose.yml itself uses. */
export const COMPOSE_NAMES: readonly string[] = [
  "APP_INSTANCES",
  "APP_MEMORY",
  "BACKUP_MEMORY",
  "BUILD_BUNDLETOOL",
  "BUILD_DEBIAN_MIRROR",
  "BUILD_MAVEN_MIRROR",
  "BUILD_NPM_REGISTRY",
  "CADDY_MEMORY",
  "DB_MEMORY",
  "HTTPS_PORT",
  "HTTP_PORT",
  "LOG_MAX_SIZE",
  "POSTGRES_PASSWORD",
  "SLIPWAY_DOMAIN",
  "SLIPWAY_IMAGE",
  "STORE_DOMAIN",
  "STORE_MEMORY",
  "SUBNET",
  "SUBNET_IPV6",
];

/** Variables of Node, of the image, of container engines and of libraries. */
const FOREIGN =
  /^(_|PATH|HOME|HOSTNAME|PWD|OLDPWD|SHLVL|TERM|TURBOPACK|TZ|USER|LANG|TMPDIR|container|SLIPWAY_COMPOSE)$|^(__|LC_|NEXT_|NEXTAUTH_|NODE_|NPM_|npm_|OTEL_|PG|SSL_CERT_|UV_|V8_|YARN_|COMPOSE_|DOCKER_|KUBERNETES_|BUILDKIT_)|(^|_)(http|https|no|all)_proxy$|_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT(_\d+_(TCP|UDP).*)?$/i;

/** The number of characters to insert, delete or replace to turn one word into another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}

/** The most characters by which a misspelled name differs from a setting. */
const MAX_DISTANCE = 3;

interface UnknownSetting {
  name: string;
  /** The setting that was probably meant. */
  similar: string | undefined;
}

/** Finds the names in an environment that are neither settings nor known variables of the system. */
export function findUnknownSettings(environment: Record<string, string | undefined>): UnknownSetting[] {
  const known = [...SETTING_NAMES, ...FILE_SETTINGS.map((name) => `${name}_FILE`), ...COMPOSE_NAMES];
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && !FOREIGN.test(name))
    .sort()
    .map((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, changes: distance(name.toUpperCase(), candidate) }))
        .sort((a, b) => a.changes - b.changes);
      return { name, similar: nearest && nearest.changes <= MAX_DISTANCE ? nearest.candidate : undefined };
    });
}

/**
 * Logs a warning for each name in the environment that is not a setting. Outside docker-compose, whose `.env` is passed whole,
 * an environment has many other names, and only those that resemble a setting are reported.
 */
export function reportUnknownSettings(environment: Record<string, string | undefined>): void {
  for (const { name, similar } of findUnknownSettings(environment)) {
    if (similar === undefined && !environment.SLIPWAY_COMPOSE) continue;
    log.warn({ setting: name }, `${name} is not a setting${similar ? `; did you mean ${similar}?` : ""}`);
  }
}
