import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject } from "vitest";
import { publicKeyText, vendorKeys } from "../lib/testing/license.ts";

// Each test file has its own settings, so that no test uses the developer's database, key or data folder.
delete process.env.DATABASE_URL;
delete process.env.MASTER_KEY_FILE;
process.env.DATA_DIR = join(inject("runDir"), randomUUID());
process.env.MASTER_KEY = randomBytes(32).toString("base64");
process.env.APP_URL = "http://localhost:3000";
process.env.LAN_HOSTS = "mac.local,192.168.1.20";
process.env.LOG_LEVEL = "silent";
process.env.LICENSE_PUBLIC_KEY = publicKeyText(vendorKeys.publicKey);
