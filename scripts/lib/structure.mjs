import { posix } from "node:path";

/**
 * @typedef {object} Import
 * @property {string} from the importing file, relative to the project
 * @property {string} to the imported file, relative to the project
 * @property {number} line
 * @property {boolean} typeOnly whether it imports only types, which the compiler removes
 *
 * @typedef {object} Layer a part of the project that has the same import rule
 * @property {string} name
 * @property {RegExp} files
 * @property {readonly string[]} imports the layers that it may import in addition to itself
 * @property {readonly string[]} [types] the layers of which it may import only types
 * @property {string} advice the error message, which says where the code belongs
 */

const KERNEL = ["lib/kernel"];
const DATABASE = [...KERNEL, "lib/db"];
const HTTP = [...DATABASE, "lib/http"];
/** In order: a service imports the services before it. */
const SERVICES = [
  "lib/permissions",
  "lib/webhooks",
  "lib/audit",
  "lib/keys",
  "lib/storage",
  "lib/backup",
  "lib/auth",
  "lib/install-check",
  "lib/visits",
  "lib/bundles",
  "lib/apple-connect",
  "lib/expiry",
  "lib/mail",
  "lib/testers",
  "lib/jobs",
  "lib/monitoring",
];
const BROWSER_SAFE = ["packages", "lib/kernel", "lib/permissions", "lib/client", "feature schema"];

/** @type {Layer[]} */
const SERVICE_LAYERS = SERVICES.map((name, index) => ({
  name,
  files: new RegExp(`^${name}/`),
  imports: [...HTTP, "database client", "packages", ...SERVICES.slice(0, index)],
  advice: `A service imports the layers below it and the services before it (${SERVICES.join(", ")}).`,
}));

/**
 * The layers of the project. A file belongs to the first layer that matches. Layers import only layers below them, so imports
 * form no cycle; `structure.test.ts` proves this of the table.
 *
 * @type {readonly Layer[]}
 */
export const LAYERS = [
  {
    name: "tests",
    files: /\.(test|sample)\.tsx?$|(^|\/)testing\/|^(e2e|bench|scripts|prisma|torture)\/|^[^/]+\.config\.ts$/,
    imports: ["*"],
    advice: "",
  },
  { name: "packages", files: /^packages\//, imports: [], advice: "A package does not depend on the console." },
  { name: "messages", files: /^messages\//, imports: [], advice: "Texts import nothing." },
  { name: "database client", files: /^lib\/db\/generated\//, imports: [], advice: "Generated code is not edited." },
  {
    name: "lib/kernel",
    files: /^lib\/kernel\//,
    imports: ["messages"],
    advice: "The kernel imports nothing of the project: pass in what it needs, or move the code to a layer above.",
  },
  {
    name: "lib/db",
    files: /^lib\/db\//,
    imports: [...KERNEL, "database client"],
    advice: "lib/db does not access the rows of features: such a statement belongs in the feature's data.ts.",
  },
  {
    name: "lib/http",
    files: /^lib\/http\//,
    imports: DATABASE,
    advice: "lib/http knows neither services nor operations: pass in what it needs, or move the code to lib/api.",
  },
  ...SERVICE_LAYERS,
  {
    name: "lib/server",
    files: /^lib\/server\/|^proxy\.ts$/,
    imports: [...HTTP, ...SERVICES],
    advice: "lib/server starts and stops the process and does not depend on operations.",
  },
  {
    name: "lib/api",
    files: /^lib\/api\//,
    imports: [...HTTP, ...SERVICES],
    advice: "lib/api does not depend on a single operation: differences belong in the operation's declaration.",
  },
  {
    name: "feature schema",
    files: /^lib\/features\/[^/]+\/(schema|rules)\.ts$/,
    imports: [...KERNEL, "lib/http", "lib/permissions", "lib/api", "packages"],
    types: ["lib/storage"],
    advice:
      "Schemas and rules run in browser and server: access to the database or the store belongs in data.ts or internal/.",
  },
  {
    name: "feature routes",
    files: /^lib\/features\/[^/]+\/routes\.ts$/,
    imports: [...HTTP, ...SERVICES, "lib/api", "feature schema", "feature"],
    advice: "A feature's routes.ts answers what is not an operation: everything else is one.",
  },
  {
    name: "feature",
    files: /^lib\/features\//,
    imports: [...HTTP, "database client", "packages", ...SERVICES, "lib/api", "feature schema"],
    advice: "A feature does not import screens or the list of operations.",
  },
  {
    name: "lib/operations.ts",
    files: /^lib\/operations\.ts$/,
    imports: ["lib/api", "feature"],
    advice: "lib/operations.ts only lists operations.",
  },
  {
    name: "lib/compat",
    files: /^lib\/compat\//,
    imports: [...HTTP, ...SERVICES, "lib/api", "feature schema", "feature"],
    types: ["database client"],
    advice: "lib/compat translates for the clients of other products: what they do belongs in an operation.",
  },
  {
    name: "lib/client",
    files: /^lib\/client\//,
    imports: [...KERNEL],
    types: ["lib/api", "lib/operations.ts"],
    advice: "lib/client runs in the browser: server code stays on the server.",
  },
  {
    name: "cli",
    files: /^cli\//,
    imports: [...KERNEL, "packages", "messages", "lib/client"],
    types: ["lib/api"],
    advice: "The command-line tool is a client of the API: it takes types from operations, and no code of the server.",
  },
  {
    name: "components/ui",
    files: /^components\/ui\//,
    imports: [],
    advice:
      "components/ui does not depend on the product: such code belongs in components/common or components/<area>.",
  },
  {
    name: "components",
    files: /^components\//,
    imports: [...BROWSER_SAFE, "messages", "components/ui"],
    types: ["lib/api", "lib/http", "lib/auth", "feature"],
    advice: "A component takes data as props and changes it with useOperation; server code stays on the server.",
  },
  {
    name: "lib/routes.ts",
    files: /^lib\/(routes|route-handlers)\.ts$/,
    imports: [
      ...KERNEL,
      "lib/http",
      "lib/monitoring",
      "lib/server",
      "lib/api",
      "lib/operations.ts",
      "feature routes",
      "lib/compat",
    ],
    advice: "lib/routes.ts only lists routes: an operation belongs in lib/features/<area>/operations.",
  },
  {
    name: "entries of the server",
    files: /^instrumentation\.ts$|^server\.mjs$|^app\/(api|compat|d|i|t)\/.*route\.ts$/,
    imports: ["lib/http", "lib/api", "lib/server", "lib/routes.ts"],
    advice: "Next's files for the server only start it and pass requests on to lib/routes.ts.",
  },
  {
    name: "app",
    files: /^app\//,
    imports: [...BROWSER_SAFE, "components", "components/ui", "lib/api", "lib/operations.ts", "feature"],
    advice: "A page only loads data with call(operation, input) of lib/api/call and renders components.",
  },
];

/** The files of a feature folder. `internal/` is for code that is neither database access nor rules. */
const FEATURE_FILES =
  /^lib\/features\/[a-z-]+\/((schema|data|rules|routes)(\.test)?\.ts|data\/[a-z0-9-]+(\.test)?\.ts|[a-z0-9-]+(\.slow)?\.test\.ts|operations\/[a-z0-9-]+(\.test|\.sample)?\.ts|internal\/[a-z0-9-]+(\.test)?\.ts)$/;

/** The files and folders of lib/. */
const LIB_FILES =
  /^lib\/(operations(\.[a-z]+)*\.ts$|routes\.ts$|route-handlers\.ts$|(kernel|db|http|permissions|webhooks|audit|keys|storage|backup|auth|install-check|visits|bundles|apple-connect|expiry|mail|testers|jobs|monitoring|server|api|compat|client|features|testing)\/)/;

/** Next's files of a page, which have fixed names, components, and the route handlers of the API. */
const APP_FILES =
  /^app\/(api\/(metrics|openapi\.json|(health\/|sso\/)?\[\S+\])\/route\.ts|(compat|d|i|t)\/\[\S+\]\/route\.ts|manifest\.ts|.*\.(tsx|css|ico))$/;

/** Next's own names for functions of a page or layout. */
const NEXT_FUNCTIONS = new Set(["generateMetadata", "generateViewport", "generateStaticParams"]);

/** The folders of components/ that every area may import. */
const SHARED_COMPONENTS = new Set(["ui", "common"]);

/**
 * The rooms of components/common, by folder. What is in no folder of these is the kit: controls that another product could use.
 * A room imports the rooms before it.
 */
const ROOMS = /** @type {const} */ ({
  kit: [],
  shared: [
    "activity",
    "apps",
    "auth-providers",
    "certificates",
    "configuration",
    "invite",
    "passkeys",
    "password",
    "permissions",
    "push",
    "releases",
    "second-factor",
    "session",
    "upload",
  ],
  frame: ["error-reporting", "navigation", "service-worker", "shell", "tour"],
});
const ROOM_NAMES = Object.keys(ROOMS);

/** What the tests, measurements and tools that call a console may not share. */
const CALLER_RULES = [
  {
    from: /^(testing|bench|torture)\//,
    to: /^components\//,
    advice: "What calls a console is not a screen: code that both need belongs in lib/client.",
  },
  {
    from: /^(testing|bench|torture)\//,
    to: /^e2e\//,
    advice: "What starts and calls a console belongs in testing/, which end-to-end tests use too.",
  },
];

/**
 * @param {string} file
 * @returns {Layer | undefined}
 */
export function layerOf(file) {
  return LAYERS.find(({ files }) => files.test(file));
}

/**
 * Finds the project's own modules that a file imports.
 *
 * @param {string} file relative to the project
 * @param {string} text the file's content
 * @param {(path: string) => string | undefined} resolve finds the file for a path without an extension
 * @returns {Import[]}
 */
export function importsOf(file, text, resolve) {
  const pattern =
    /^[ \t]*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]*?\sfrom\s+)?"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"\s*\)/gm;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [, type, statically, dynamically] = match;
    const specifier = statically ?? dynamically ?? "";
    const path = pathOf(file, specifier);
    const to = path && resolve(path);
    const line = text.slice(0, match.index).split("\n").length;
    return to ? [{ from: file, to, line, typeOnly: type !== undefined }] : [];
  });
}

/**
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined} undefined for an external package
 */
function pathOf(file, specifier) {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  if (specifier.startsWith("@slipway/")) return `packages/${specifier.slice("@slipway/".length)}`;
  return undefined;
}

/**
 * @param {string} path
 * @param {string} parent
 */
function areaOf(path, parent) {
  return path.startsWith(`${parent}/`) ? path.slice(parent.length + 1).split("/")[0] : undefined;
}

/**
 * @param {string} path
 * @returns {number} the position of its room in `ROOMS`; -1 if it is not in components/common
 */
function roomOf(path) {
  if (!path.startsWith("components/common/")) return -1;
  const folder = areaOf(path, "components/common") ?? "";
  return Math.max(
    0,
    Object.values(ROOMS).findIndex((folders) => folders.some((one) => one === folder)),
  );
}

/**
 * Checks an import of components/common.
 *
 * @param {string} from
 * @param {string} to
 * @returns {string | undefined} why it is not allowed; undefined if it is
 */
function roomProblem(from, to) {
  const room = roomOf(from);
  if (room < 0) return undefined;
  if (roomOf(to) > room) {
    return `components/common has three rooms (${ROOM_NAMES.join(", ")}): each imports only those before it. docs/architecture.md lists their folders.`;
  }
  if (room === 0 && /^lib\/(features|permissions)\//.test(to)) {
    return "The kit does not know the product: what areas share of it belongs in a folder of its own in components/common.";
  }
  return undefined;
}

/**
 * Checks an import.
 *
 * @param {Import} imported
 * @returns {string | undefined} why it is not allowed; undefined if it is
 */
export function importProblem({ from, to, typeOnly }) {
  const rule = CALLER_RULES.find((one) => one.from.test(from) && one.to.test(to));
  if (rule) return rule.advice;
  const layer = layerOf(from);
  const target = layerOf(to);
  if (!layer || !target || layer.imports.includes("*")) return undefined;
  if (target.name === "tests") return "Test code stays out of the product.";
  const isSameLayer = layer === target;
  if (!isSameLayer && !layer.imports.includes(target.name) && !(typeOnly && layer.types?.includes(target.name))) {
    return layer.advice;
  }
  const [area, otherArea] = [areaOf(from, "components"), areaOf(to, "components")];
  if (area && otherArea && area !== otherArea && !SHARED_COMPONENTS.has(otherArea)) {
    return "Areas of components/ do not import each other: share code in components/common, or compose in app/.";
  }
  const wrongRoom = roomProblem(from, to);
  if (wrongRoom) return wrongRoom;
  const [feature, otherFeature] = [areaOf(from, "lib/features"), areaOf(to, "lib/features")];
  if (feature && otherFeature && feature !== otherFeature && !/\/(data(\/[a-z0-9-]+)?|schema|rules)\.ts$/.test(to)) {
    return "Another feature can be imported only through its data.ts, schema.ts or rules.ts, or a file of its data/.";
  }
  const isOutside = layer.name.startsWith("app") || layer.name === "lib/compat";
  if (isOutside && /^lib\/features\/[^/]+\/(data|(data|internal)\/.*)\.ts$/.test(to)) {
    return "A page, a route and an adapter reach a feature by its operations: make what they need an operation.";
  }
  if (layer.name === "lib/compat" && target.name === "lib/db" && !typeOnly && !/\/data\.ts$/.test(from)) {
    return "Only data.ts of an adapter may access the database.";
  }
  if (target.name === "database client" && feature && !typeOnly && !/\/data(\/[a-z0-9-]+)?\.ts$/.test(from)) {
    return "Only data.ts or data/ of a feature may access the database.";
  }
  return undefined;
}

/**
 * Checks the path of a file.
 *
 * @param {string} file
 * @returns {string | undefined} why it is not allowed; undefined if it is
 */
export function placeProblem(file) {
  if (file.startsWith("lib/features/") && !FEATURE_FILES.test(file)) {
    return "A feature folder holds schema.ts, data.ts or data/, rules.ts, routes.ts, operations/ and internal/, in kebab-case.";
  }
  if (file.startsWith("app/") && !APP_FILES.test(file)) {
    return "app/ holds pages and their parts; the API is routed by lib/operations.ts: what they put together is an operation, a rule or a component's helper.";
  }
  if (file.startsWith("lib/") && !LIB_FILES.test(file)) {
    return "lib/ holds only operations.ts, routes.ts and the layers of docs/architecture.md.";
  }
  return undefined;
}

/**
 * The functions of a page or layout that are neither components nor Next's own: logic, which belongs elsewhere.
 *
 * @param {string} file
 * @param {string} text
 * @returns {{ name: string, line: number }[]}
 */
export function helpersOf(file, text) {
  if (!/^app\/.*\.tsx$/.test(file)) return [];
  const pattern =
    /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)|^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*(?:cache\(|(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=\n]+)?=>|\w+\s*=>))/gm;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const name = match[1] ?? match[2] ?? "";
    if (/^[A-Z]/.test(name) || NEXT_FUNCTIONS.has(name)) return [];
    return [{ name, line: text.slice(0, match.index).split("\n").length }];
  });
}
