import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject } from "vitest";
import { publicKeyText, vendorKeys } from "../lib/testing/license.ts";

// The environment of the run, of which an earlier file in this process may have changed something.
const shared = globalThis as { slipwayTestEnvironment?: NodeJS.ProcessEnv };
shared.slipwayTestEnvironment ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in shared.slipwayTestEnvironment)) delete process.env[name];
Object.assign(process.env, shared.slipwayTestEnvironment);

// Each test file has its own settings, so that no test uses the developer's database, key or data folder.
delete process.env.DATABASE_URL;
delete process.env.MASTER_KEY_FILE;
process.env.DATA_DIR = join(inject("runDir"), randomUUID());
process.env.MASTER_KEY = randomBytes(32).toString("base64");
process.env.APP_URL = "http://localhost:3000";
process.env.LAN_HOSTS = "mac.local,192.168.1.20";
process.env.LOG_LEVEL = "silent";
process.env.LICENSE_PUBLIC_KEY = publicKeyText(vendorKeys.publicKey);
