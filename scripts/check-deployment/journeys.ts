import { randomBytes } from "node:crypto";
import { check, expect } from "./checks";
import { type Answer, anIpa, Client, type Target } from "./client";
import type { Deployment } from "./deployment";

const SECONDS = 60;
const TESTERS = 12;
const DEVELOPERS = 3;
/** The size of the installers that developers upload: a part of S3's least size, and the rest. */
const INSTALLER_BYTES = 6 * 1024 * 1024;
/** How many releases a tester looks at and installs before the next sign-in. */
const INSTALLS_PER_SESSION = 20;

/** What a step of all journeys took, in milliseconds. */
interface Step {
  name: string;
  times: number[];
}

interface JourneyResult {
  steps: Step[];
  /** The step and how it was answered, for each request that failed. */
  failures: string[];
  seconds: number;
}

interface Account {
  email: string;
  password: string;
}

/** What the journeys use. */
interface Stage {
  /** One for each tester and developer: the console slows down many sign-ins to one account. */
  accounts: readonly Account[];
  environmentId: string;
  releaseId: string;
}

/**
 * Lets testers sign in, look at applications and releases, open the page of a release and follow its install link, and developers
 * upload and publish, all at the same time and without pauses.
 */
async function runJourneys(target: Target, { accounts, environmentId, releaseId }: Stage): Promise<JourneyResult> {
  const steps = new Map<string, number[]>();
  const failures: string[] = [];
  const begin = performance.now();
  const isOver = () => performance.now() - begin >= SECONDS * 1_000;
  const step = async (name: string, send: () => Promise<Answer>): Promise<Answer | null> => {
    const sent = performance.now();
    try {
      const answer = await send();
      if (answer.status >= 400) failures.push(`${name}: ${answer.status} ${answer.bytes.subarray(0, 100)}`);
      return answer.status < 400 ? answer : null;
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
      return null;
    } finally {
      const times = steps.get(name) ?? [];
      steps.set(name, [...times, performance.now() - sent]);
    }
  };
  const signIn = (client: Client, account: Account) =>
    step("sign in", async () => {
      await client.signIn(account);
      return client.get("auth/get-user-profile");
    });
  const tester = async (account: Account) => {
    while (!isOver()) {
      const client = new Client(target);
      const session = await signIn(client, account);
      for (let install = 0; session && install < INSTALLS_PER_SESSION && !isOver(); install++) {
        await step("list of applications", () => client.get("apps/get-apps"));
        await step("list of releases", () => client.get("apps/get-testing-deploys", { environmentId }));
        await step("page of a release", () => client.page(`/releases?id=${releaseId}`));
        const link = await step("install link", () =>
          client.post("apps/generate-apple-manifest-request-token", { id: releaseId }),
        );
        if (link) await step("manifest", () => client.send(link.json.manifestUrl));
      }
      client.close();
    }
  };
  const developer = async (account: Account) => {
    const client = new Client(target);
    await signIn(client, account);
    const bytes = anIpa(INSTALLER_BYTES);
    while (!isOver()) {
      randomBytes(64).copy(bytes, bytes.length >> 1);
      const uploaded = await step("upload of 6 MB", () => client.uploadInParts(bytes));
      if (!uploaded) continue;
      const release = { environmentId, fileId: uploaded.json.fileId, description: "load" };
      await step("publication", () => client.post("apps/create-testing-deploy", release));
    }
    client.close();
  };
  await Promise.all(accounts.map((account, index) => (index < TESTERS ? tester(account) : developer(account))));
  const seconds = (performance.now() - begin) / 1_000;
  return { steps: [...steps].map(([name, times]) => ({ name, times })), failures, seconds };
}

const percentile = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor(share * (times.length - 1))] as number);

function describeJourneys({ steps, failures, seconds }: JourneyResult): string {
  const count = steps.reduce((sum, { times }) => sum + times.length, 0);
  const each = steps.map(
    ({ name, times }) => `${name} ${times.length}: ${percentile(times, 0.5)}, ${percentile(times, 0.95)} ms`,
  );
  return `${(count / seconds).toFixed(1)} steps per second, ${failures.length} failed; number, median and 95th percentile: ${each.join("; ")}`;
}

/** Creates accounts for all testers and developers. @throws Error */
async function createAccounts(target: Target, admin: Client): Promise<Account[]> {
  const roles: { id: string; superAdmin: boolean }[] = (await admin.get("config/get-roles")).json.items;
  const roleId = roles.find(({ superAdmin }) => superAdmin)?.id;
  const accounts: Account[] = [];
  for (let number = 1; number <= TESTERS + DEVELOPERS; number++) {
    const account = { email: `load-${number}@example.com`, password: `seven pears and lamp ${number}` };
    const person = { firstNames: "Lou", lastNames: "Load", provider: "email", roleId, email: account.email };
    const { invitationLink } = await admin.must("auth/register-user", person);
    const token = /token=([^&]+)/.exec(invitationLink)?.[1] ?? "";
    const client = new Client(target);
    await client.must("auth/update-password", { token, password: await client.sealPassword(account.password) });
    client.close();
    accounts.push(account);
  }
  return accounts;
}

/** Measures one and three instances behind Caddy with the same journeys. The clients run on the same machine. */
export async function checkLoad(deployment: Deployment): Promise<void> {
  let accounts: Account[] | undefined;
  for (const instances of ["1", "3"]) {
    deployment.set({ APP_INSTANCES: instances });
    await deployment.up();
    const client = new Client(deployment.target);
    await client.signIn();
    accounts ??= await createAccounts(deployment.target, client);
    const { environmentId } = await client.place();
    const { json } = await client.uploadInParts(anIpa(INSTALLER_BYTES));
    const release = { environmentId, fileId: json.fileId, description: "check" };
    const { id: releaseId } = await client.must("apps/create-testing-deploy", release);
    client.close();
    const stage = { accounts, environmentId, releaseId };
    await check(
      `${TESTERS} testers and ${DEVELOPERS} developers without pauses, ${instances} of the console`,
      async () => {
        const result = await runJourneys(deployment.target, stage);
        expect(
          result.failures.length === 0,
          [describeJourneys(result), ...result.failures.slice(0, 5)].join("\n        "),
        );
        return describeJourneys(result);
      },
    );
  }
}
