import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { check, describeLoad, expect, poll } from "./checks";
import { anIpa, Client } from "./client";
import { type Content, codeOf, type Digests, differences, digestsOf, fill, signInWithTwoFactors } from "./content";
import type { Deployment, Finished } from "./deployment";
import { followInstallLink, hasBytes, publishByCurl } from "./install";
import { underLoad } from "./load";

const BACKUP = "commands/backup.mjs";
const RESTORE = "commands/restore.mjs";
/** The user of the image, to whom the folder with the backups has to belong. */
const IMAGE_USER = 1000;

const output = ({ stdout, stderr }: Finished) => `${stdout}${stderr}`.trim();

function expectSuccess(finished: Finished): string {
  expect(finished.status === 0, `exit code ${finished.status}: ${output(finished)}`);
  return finished.stdout;
}

function expectRefusal(finished: Finished, reason: string): void {
  expect(finished.status === 1, `exit code ${finished.status} instead of 1: ${output(finished)}`);
  expect(output(finished).includes(reason), `it says ${output(finished)}`);
}

/** Creates a folder of the deployment that the user of the image may write to. */
export function newBackupFolder(deployment: Deployment, name: string): string {
  const folder = join(deployment.folder, name);
  mkdirSync(folder);
  if (process.getuid?.() === 0) chownSync(folder, IMAGE_USER, IMAGE_USER);
  else chmodSync(folder, 0o777);
  return folder;
}

/** The IDs of the complete backups, the oldest first. */
const idsOf = (list: string) => list.split("\n").flatMap((line) => line.split("  ")[0] || []);

/** Checks backups by command and by schedule, and the restore of a deployment that was destroyed. */
export async function checkRecovery(deployment: Deployment): Promise<void> {
  const { target } = deployment;
  const folder = newBackupFolder(deployment, "backups");
  const other = newBackupFolder(deployment, "other-backups");
  const keygen = () =>
    deployment.finish("docker", ["compose", "run", "--rm", "--no-deps", "app", "node", BACKUP, "keygen", "-"]);
  const recipientOf = (identity: string) => /^# public key: (age1\w+)$/m.exec(identity)?.[1] ?? "";
  const list = () => idsOf(expectSuccess(deployment.command("backup", [BACKUP, "list"])));

  await deployment.up();
  const content = await fill(deployment);
  const identity = expectSuccess(keygen());
  deployment.set({ BACKUP_DIR: folder, BACKUP_RECIPIENTS: recipientOf(identity) });

  await check("a backup is made under load, and no request fails", async () => {
    let created: Finished | undefined;
    const result = await underLoad(target, async () => {
      created = await deployment.commandAsync("backup", [BACKUP, "create"]);
    });
    expectSuccess(created as Finished);
    expect(result.failures.length === 0, describeLoad(result));
    return describeLoad(result);
  });

  await check("a backup verifies without a key, and with the secret key on standard input", async () => {
    expectSuccess(deployment.command("backup", [BACKUP, "verify"]));
    const verified = expectSuccess(deployment.command("backup", [BACKUP, "verify", "--identity", "-"], identity));
    expect(verified.includes("Every byte is as it was written."), verified);
    expectRefusal(deployment.command("backup", [BACKUP, "verify", "--identity", "-"], expectSuccess(keygen())), "key");
  });

  await check("the schedule makes backups every minute and keeps the newest of the day", async () => {
    const [first] = list();
    deployment.set({
      BACKUP_SCHEDULE: "* * * * *",
      BACKUP_KEEP_DAILY: "1",
      BACKUP_KEEP_WEEKLY: "1",
      BACKUP_KEEP_MONTHLY: "1",
    });
    await deployment.composeAsync("--profile", "backup", "up", "--detach", "--no-build", "--wait");
    const seen = new Set<string>();
    await poll("two scheduled backups", 200, () => {
      for (const id of list()) if (id !== first) seen.add(id);
      return seen.size >= 2;
    });
    await poll("one backup is left", 30, () => list().length === 1);
    const [kept] = list();
    expect(kept === [...seen].sort().at(-1), `${kept} is kept instead of the newest of ${[...seen].join(", ")}`);
    expectSuccess(deployment.command("backup", [BACKUP, "verify", "--identity", "-"], identity));
    await deployment.composeAsync("--profile", "backup", "rm", "--stop", "--force", "backup");
    return `${seen.size} backups, the earlier ones removed`;
  });

  // Nothing changes from now on, so that the state before and after can be compared.
  await deployment.composeAsync("stop", "app");
  const before = digestsOf(deployment);
  expectSuccess(deployment.command("backup", [BACKUP, "create"]));
  const masterKey = deployment.secret("MASTER_KEY");

  // As the page says, with new passwords of the database and the store.
  await deployment.composeAsync("--profile", "backup", "down", "--volumes");
  deployment.createSettings();
  deployment.setSecret("MASTER_KEY", masterKey);
  deployment.set({ BACKUP_DIR: folder, BACKUP_RECIPIENTS: recipientOf(identity) });
  const restore = (key = identity) => deployment.command("backup", [RESTORE, "--identity", "-"], key);
  await checkRefusals({ deployment, folder, other, identity, restore, keygen });

  const restored = await check("the backup is restored by the documented commands alone", async () => {
    const said = expectSuccess(restore());
    return said.split("\n").slice(1, 4).join("; ");
  });
  if (!restored) return;
  await checkRestored(deployment, content, before);

  await check("a restore into a deployment that is in use, or not empty, is refused", async () => {
    expectRefusal(restore(), "the database is in use");
    await deployment.composeAsync("stop", "app");
    const used = digestsOf(deployment);
    expectRefusal(restore(), "the deployment is not empty");
    const changes = differences(used, digestsOf(deployment));
    expect(changes.length === 0, changes.join("\n"));
  });
}

interface Refused {
  deployment: Deployment;
  folder: string;
  /** An empty folder for copies of the backup. */
  other: string;
  identity: string;
  restore(identity?: string): Finished;
  keygen(): Finished;
}

async function checkRefusals({ deployment, folder, other, identity, restore, keygen }: Refused): Promise<void> {
  /** Restores a copy of the backups, of which one file is damaged. */
  const withDamage = (name: RegExp, damage: (path: string) => void): Finished => {
    cpSync(folder, other, { recursive: true, force: true });
    const files = readdirSync(other, { recursive: true, encoding: "utf8" }).sort();
    const path = join(other, files.filter((file) => name.test(file)).at(-1) as string);
    chmodSync(path, 0o644);
    damage(path);
    deployment.set({ BACKUP_DIR: other });
    try {
      return restore();
    } finally {
      deployment.set({ BACKUP_DIR: folder });
      cpSync(folder, other, { recursive: true, force: true });
    }
  };
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    const at = bytes.length - 40;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(path, bytes);
  };
  const rows = /\.tar\.gz\.age$/;
  const file = /(?<!\.tar\.gz)\.age$/;
  const nothingIsWritten = () => {
    const tables = deployment.compose(
      ...["exec", "-T", "db", "psql", "--username=slipway", "--no-align", "--tuples-only", "--command"],
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(tables.trim() === "0", `the database has ${tables.trim()} relations`);
    const [store = ""] = deployment.containers("store");
    const files = deployment
      .docker("exec", store, "sh", "-c", "find /objects -type f ! -path '*/.sgwtmp/*' ! -path '*/.vgwlocks/*'")
      .trim();
    expect(files === "", `the store has ${files}`);
  };

  const cases: [string, string, () => Finished][] = [
    ["whose rows are cut short", "is damaged", () => withDamage(rows, (path) => truncateSync(path, 4_000))],
    ["whose files are cut short", "is damaged", () => withDamage(file, (path) => truncateSync(path, 400))],
    ["of whose rows one byte was changed", "is damaged", () => withDamage(rows, flip)],
    ["of one of whose files one byte was changed", "is damaged", () => withDamage(file, flip)],
    ["for another secret key", "encrypted for other keys", () => restore(expectSuccess(keygen()))],
    [
      "of another deployment, with another master key",
      "belongs to another deployment",
      () => {
        const own = deployment.secret("MASTER_KEY");
        deployment.setSecret("MASTER_KEY", Buffer.alloc(32, 7).toString("base64"));
        try {
          return restore();
        } finally {
          deployment.setSecret("MASTER_KEY", own);
        }
      },
    ],
    [
      "of a newer version",
      "which is newer",
      () => {
        deployment.tagImage(
          "older",
          'USER root\nRUN rm -r "prisma/migrations/$(ls prisma/migrations | grep ^2 | tail -n 1)"\nUSER node\n',
        );
        try {
          return restore(identity);
        } finally {
          deployment.tagImage();
        }
      },
    ],
  ];
  for (const [what, reason, attempt] of cases) {
    await check(`a backup ${what} is refused, and nothing is written`, async () => {
      expectRefusal(attempt(), reason);
      nothingIsWritten();
    });
  }
}

async function checkRestored(deployment: Deployment, content: Content, before: Digests): Promise<void> {
  const { target } = deployment;
  await check("every row of every table and every file is as it was", async () => {
    const after = digestsOf(deployment);
    const changes = differences(before, after);
    expect(changes.length === 0, changes.join("\n"));
    return `${Object.keys(after.tables).length} tables, ${Object.keys(after.files).length} files`;
  });

  await deployment.up();
  await check("an open session is open, an ended one is not, and the second factor is asked for", async () => {
    expect((await content.open.get("auth/get-user-profile")).status === 200, "the open session is closed");
    expect((await content.ended.get("auth/get-user-profile")).status === 401, "the ended session is open");
    const fresh = new Client(target);
    await fresh.signIn(content.operator);
    const halfway = await fresh.get("apps/get-apps");
    expect(halfway.status >= 400, "a password alone is enough");
    const wrong = String((Number(codeOf(content.operator.totpSecret)) + 1) % 1_000_000).padStart(6, "0");
    expect((await fresh.post("auth/validate-two-factor", { code: wrong })).status >= 400, "a wrong code is accepted");
    const [recoveryCode] = content.operator.recoveryCodes;
    await fresh.must("auth/validate-two-factor", { recoveryCode });
    expect((await fresh.get("apps/get-apps")).status === 200, "not signed in with a recovery code");
    fresh.close();
    const again = new Client(target);
    await again.signIn(content.operator);
    expect((await again.post("auth/validate-two-factor", { recoveryCode })).status >= 400, "the code works twice");
    again.close();
  });

  await check("signed in with both factors: variables, certificates, single sign-on and tokens are there", async () => {
    const operator = new Client(target);
    await signInWithTwoFactors(operator, content.operator);
    const variable = await operator.get("apps/get-secure-variable", { id: content.variable.id });
    expect(variable.json?.value === content.variable.value, `the variable: ${variable.status} ${variable.bytes}`);
    const certificate = await operator.get("apps/get-secure-certificate", { id: content.certificate.id });
    expect(certificate.json?.value === content.certificate.value, `the certificate: ${certificate.status}`);
    for (const provider of ["github", "azure"]) {
      const { json } = await operator.get(`config/get-${provider}-config`);
      expect(json?.clientSecretSet === true, `${provider}: ${JSON.stringify(json)}`);
    }
    const installer = join(deployment.folder, "after.ipa");
    writeFileSync(installer, anIpa(500_000));
    const published = publishByCurl(deployment, content.token, installer);
    expect(/20[01]$/.test(published.stdout), `the token of the API: ${published.stdout} ${published.stderr}`);
    operator.close();
  });

  await check("a release is installed by its link, with the bytes that were published", async () => {
    const location = await followInstallLink(content.open, content.release.id);
    const answer = await content.open.send(location);
    expect(hasBytes(answer, content.release.bytes), `${answer.status}, ${answer.bytes.length} bytes`);
    const preflight = await content.open.send(location, {
      method: "OPTIONS",
      headers: { origin: content.open.origin, "access-control-request-method": "PUT" },
    });
    expect(preflight.headers["access-control-allow-origin"] === content.open.origin, "the store lost its CORS rule");
  });

  await check("the audit log and all sealed values verify", async () => {
    expectSuccess(deployment.command("app", ["commands/audit.mjs", "verify"]));
    return expectSuccess(deployment.command("app", ["commands/keys.mjs", "verify"]))
      .trim()
      .split("\n")
      .at(-1);
  });
}
