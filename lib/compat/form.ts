import "server-only";
import { z } from "zod";
import { execute } from "@/lib/api/execute";
import type { FileUpload } from "@/lib/api/operation";
import { formStore } from "@/lib/api/route";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import type { PublishedRelease } from "@/lib/features/releases/schema";
import { createShareLink } from "@/lib/features/share-links/operations/create-share-link";
import { linkPasswordSchema, type ShareLink } from "@/lib/features/share-links/schema";
import { getDistributionGroups } from "@/lib/features/testers/operations/get-distribution-groups";
import { readForm } from "@/lib/http/body";
import { networkOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";
import type { ReceivedFile } from "@/lib/http/received-file";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { fieldIssues } from "@/lib/kernel/issues";
import { aside } from "@/lib/kernel/turns";
import type { TokenActor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { type Exchange, sentToken } from "./exchange";
import { run, tokenActor } from "./operations";

/** The fields of a form, and the parameters of its address. A field counts before a parameter of its name. */
export class Fields {
  readonly #values: Record<string, unknown>;

  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  /**
   * Returns a field's text; undefined if it is empty or was not sent.
   * @throws ApiError validation_failed if it was sent several times
   */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw invalidField(name, "invalidFormat");
    return value.trim() || undefined;
  }
}

/** What a product's form says of a release. */
export interface FormRelease {
  /** The environment: its ID, or the identifier of the application and the environment's name. */
  place: { environmentId: string } | { app: string; environment: string };
  /** The release notes; by default, the name of the file. */
  description?: string;
  metadata?: Record<string, string>;
  /** The password of a share link that is made of the release. */
  linkPassword?: string | undefined;
  /** The groups of testers that get the release, by name; `all` for all that may. Needs `release:update`. */
  groups?: readonly string[] | "all";
  /** Whether they are told; by default they are. */
  notify?: boolean;
}

/** A product's form with an installer. */
interface PublishingForm {
  /** The field of the API token, which comes before the file; also the parameter of the address that may have it instead. */
  tokenField: string;
  /** Names that the product's clients give the field of the installer, besides `file`. */
  fileAliases?: readonly string[];
  /** The fields whose text the product's clients send as a file too. */
  texts: readonly string[];
  /** Files that are read and not kept, such as symbols. */
  ignoredFiles?: readonly string[];
  /** The name of a share link that is made of the release. */
  linkName: string;
  /** @throws ApiError */
  toRelease(fields: Fields, actor: TokenActor): FormRelease;
}

const FILE = createTestingDeploy.file as FileUpload;

/** The forms of a network, because the caller is known only when a part of the form is read. */
const FORM_LIMIT = { points: 120, seconds: 60 };

/** The fields that are read before the token, in bytes. */
const MAX_BYTES_BEFORE_TOKEN = 64 * 1024;

/** The notes where nothing was sent, so that the error names the file. */
const NO_FILE = "-";

/** A published release, and the share link that was made of it. */
interface PublishedForm {
  release: PublishedRelease;
  link: ShareLink | null;
}

/**
 * Refuses a password that no share link can have, before anything is published.
 * @throws ApiError forbidden if the token may not make share links, validation_failed
 */
function requireLinkable({ linkPassword }: FormRelease, actor: TokenActor): void {
  if (linkPassword === undefined) return;
  if (!scopesFor(actor, actor).includes("release:update")) {
    throw new ApiError("forbidden", { detailKey: "detailShareLink" });
  }
  const { error } = z.object({ password: linkPasswordSchema }).safeParse({ password: linkPassword });
  if (error) throw new ApiError("validation_failed", { issues: fieldIssues(error.issues) });
}

/** The names or IDs of the groups that get a release. */
async function groupsOf({ groups = [] }: FormRelease, actor: TokenActor, facts: RequestFacts): Promise<string[]> {
  if (groups !== "all") return [...groups];
  const { items } = await run(getDistributionGroups, { actor, facts }, { environmentId: actor.environmentId });
  return items.map(({ id }) => id);
}

/** The fields of `create-testing-deploy` for a release. */
async function inputOf(
  release: FormRelease,
  { actor, facts, file }: { actor: TokenActor; facts: RequestFacts; file?: ReceivedFile | undefined },
): Promise<Record<string, unknown>> {
  const { place, description, metadata = {}, notify = true } = release;
  const groups = await groupsOf(release, actor, facts);
  return {
    ...place,
    metadata,
    description: description ?? file?.name ?? NO_FILE,
    ...(groups.length > 0 && { groups, notify }),
    ...(file && { [FILE.field]: file }),
  };
}

/** The parameters of an address; one that is there several times is a list. */
function parametersOf(query: URLSearchParams): Record<string, unknown> {
  const entries = [...new Set(query.keys())].map((name): [string, unknown] => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(entries);
}

/**
 * Publishes the installer of a product's form. The file is stored while it arrives, after the token and the environment
 * before it, in the form or in the address, were checked; the fields after it are read too. Of a caller whose token was not
 * verified yet, no more than a few fields are read.
 * @throws ApiError as `create-testing-deploy`
 */
export async function publishForm(exchange: Exchange, form: PublishingForm): Promise<PublishedForm> {
  const { request, facts, query } = exchange;
  await consume({ name: "compat-form", limit: FORM_LIMIT, key: networkOf(facts.ip) });
  const parameters = parametersOf(query);
  const fieldsOf = (values: Record<string, unknown>) => new Fields({ ...parameters, ...values });
  const token = Promise.withResolvers<string | undefined>();
  const tokenBeforeForm = sentToken(exchange, form.tokenField);
  if (tokenBeforeForm !== undefined) token.resolve(tokenBeforeForm);
  const identified = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  let isVerified = false;
  let unverifiedBytes = 0;
  let decide: ((fields: Fields) => Promise<void>) | undefined;
  let received: (file: ReceivedFile) => void = () => {};
  const reading = readForm(
    request,
    { ...FILE, aliases: form.fileAliases, texts: form.texts, ignored: form.ignoredFiles },
    {
      async field(name, value) {
        if (isVerified) return;
        if (tokenBeforeForm !== undefined || (name === form.tokenField && value !== null)) {
          token.resolve(value?.trim());
          await identified.promise;
          isVerified = true;
          return;
        }
        unverifiedBytes += Buffer.byteLength(value ?? "");
        if (value === null || unverifiedBytes > MAX_BYTES_BEFORE_TOKEN) throw new ApiError("not_authenticated");
      },
      async authorizeUpload(values) {
        // Without effect if the token came before the file.
        token.reject(
          new ApiError("not_authenticated", { detailKey: "detailToken", params: { field: form.tokenField } }),
        );
        await accepted.promise;
        await decide?.(fieldsOf(values));
      },
      store: formStore(request, FILE),
      received: (file) => received(file),
    },
  ) as Promise<Record<string, unknown>>;
  // A form may end without a token, and a broken one fails.
  reading.then(() => token.resolve(undefined), token.reject);
  for (const { promise } of [token, identified, accepted]) promise.catch(() => {});
  let actor: TokenActor | undefined;
  let linkPassword: string | undefined;
  /** What the fields say, once the token is known. */
  const releaseOf = (fields: Fields): FormRelease => {
    const caller = actor as TokenActor;
    const release = form.toRelease(fields, caller);
    requireLinkable(release, caller);
    linkPassword = release.linkPassword;
    return release;
  };
  try {
    const outcome = await execute(createTestingDeploy, {
      actor: async () => {
        actor = await tokenActor(await aside(() => token.promise), facts);
        identified.resolve();
        return actor;
      },
      input: async (files) => {
        received = files.received;
        const caller = actor as TokenActor;
        decide = async (fields) => files.authorizeUpload(await inputOf(releaseOf(fields), { actor: caller, facts }));
        accepted.resolve();
        const values = await reading;
        const file = values[FILE.field] as ReceivedFile | undefined;
        return inputOf(releaseOf(fieldsOf(values)), { actor: caller, facts, file });
      },
      carriesFile: true,
      request: facts,
    });
    const release = outcome.output as PublishedRelease;
    if (linkPassword === undefined) return { release, link: null };
    const input = { releaseId: release.id, name: form.linkName, password: linkPassword };
    return { release, link: await run(createShareLink, { actor: actor as TokenActor, facts }, input) };
  } catch (error) {
    identified.reject(error);
    accepted.reject(error);
    throw error;
  }
}
