import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { makeIpa } from "@slipway/installers/testing";
import { verifyAudit } from "@/lib/audit/verify";
import { databasePool, db } from "@/lib/db/client";
import { sweep } from "@/lib/jobs/sweep";
import { storage } from "@/lib/storage";
import { emptyWholeBin } from "@/lib/testing/bin";
import type { Random } from "@/lib/testing/random";
import { expectRecorded } from "../audit-records.ts";
import { type FileRow, type ReleaseRow, releaseProblems, storeProblems, uploadProblems } from "../invariants.ts";
import type { Answer, Arena, Call, Round, Subject } from "../torture.ts";

const WORKERS = 4;
/** With more releases, some are deleted. */
const MAX_RELEASES = 30;
/** Releases that are downloaded after each kill. */
const DOWNLOADS_PER_CHECK = 3;
const MIB = 1024 * 1024;
/** More than one part of an upload. */
const LARGE_BYTES = 9 * MIB;
/** What a surviving instance still does after its answer is awaited this often, in steps of 100 ms. */
const MAX_SETTLING = 50;

const IDENTIFIER = "com.example.rocket";
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const json = (value: unknown) => JSON.stringify(value);

/** An installer and how far it has come, as far as its client knows. */
interface Journey {
  bytes: Uint8Array<ArrayBuffer>;
  sha256: string;
  headers: Record<string, string>;
  /** Sent in one piece, with the form. */
  isWhole: boolean;
  uploadId: string | null;
  /** The numbers of parts that were answered. */
  parts: Set<number>;
  fileId: string | null;
  releaseId: string | null;
  deletion: "none" | "sent" | "answered";
}

/**
 * Installers: several clients upload in one piece and in parts, publish, download, make install links and delete at the same
 * time, and go on after a kill. Afterwards, the store, the rows, the audit log and what was answered must agree.
 */
export class Releases implements Subject {
  readonly name = "releases";
  #environmentId = "";
  #clients: Record<string, string>[] = [];
  /** Under way: nobody works on them at this moment. */
  readonly #journeys: Journey[] = [];
  readonly #published: Journey[] = [];
  /** The requests of commands that were answered with a success. */
  readonly #recorded: string[] = [];
  /** Files whose bytes were compared. */
  readonly #compared = new Set<string>();
  #next = 0;
  readonly #figures = {
    "uploads in one piece": 0,
    "uploads in parts": 0,
    "uploads resumed": 0,
    releases: 0,
    deletions: 0,
    downloads: 0,
    "install links": 0,
    "files compared": 0,
    "swept after kills": 0,
    "audit records": 0,
  };

  async prepare(arena: Arena): Promise<void> {
    const admin = await arena.admin();
    const app = await admin.command("apps/create-app", { name: "Rocket", identifier: IDENTIFIER, status: "active" });
    const environment = await admin.command("apps/create-environment-app", {
      appId: app.id,
      name: "Testing",
      status: "active",
    });
    this.#environmentId = environment.id;
    for (let index = 0; index < WORKERS; index++) {
      const { token } = await admin.command("config/create-api-token", {
        name: `Client ${index}`,
        appId: app.id,
        environmentId: environment.id,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        scopes: ["release:read", "release:download", "release:create", "release:delete"],
      });
      this.#clients.push({ authorization: `Bearer ${token}` });
    }
  }

  async work(round: Round): Promise<void> {
    await Promise.all(
      this.#clients.map(async (headers) => {
        while (!round.signal.aborted) await this.#step(round, headers);
      }),
    );
  }

  async #step(round: Round, headers: Record<string, string>): Promise<void> {
    const choice = round.random(100);
    if (choice < 50 || this.#published.length === 0) {
      const index = this.#journeys.findIndex((journey) => journey.headers === headers && journey.deletion === "none");
      const [journey] = index >= 0 ? this.#journeys.splice(index, 1) : [this.#begin(round.random, headers)];
      await this.#goOn(round, journey as Journey);
      this.#keep(journey as Journey);
      return;
    }
    const [release] = this.#published.splice(round.random(this.#published.length), 1) as [Journey];
    if (this.#published.length >= MAX_RELEASES || choice < 65) await this.#delete(round, release);
    else if (choice < 85) await this.#download(round, release, headers);
    else await this.#install(round, release, headers);
    if (release.deletion === "none") this.#published.push(release);
    // Whether an unanswered deletion was done is known after the round.
    else if (release.deletion === "sent") this.#journeys.push(release);
  }

  #begin(random: Random, headers: Record<string, string>): Journey {
    const number = this.#next++;
    const bytes = makeIpa({
      identifier: IDENTIFIER,
      build: String(number),
      icon: random(6) === 0 ? "png" : null,
      files: { "number.txt": Buffer.from(String(number)) },
      fillerBytes: random(8) === 0 ? LARGE_BYTES : 0,
    });
    return {
      bytes,
      sha256: sha256Of(bytes),
      headers,
      isWhole: random(2) === 0,
      uploadId: null,
      parts: new Set(),
      fileId: null,
      releaseId: null,
      deletion: "none",
    };
  }

  #keep(journey: Journey): void {
    if (journey.deletion === "answered") return;
    if (journey.releaseId && journey.deletion === "none") this.#published.push(journey);
    else this.#journeys.push(journey);
  }

  /** Sends a command, whose audit record must exist if it is answered with a success. */
  async #command(round: Round, path: string, init: Call): Promise<Answer | null> {
    const answer = await round.call(path, init);
    if (answer?.status === 429) {
      await delay(100);
      return null;
    }
    if (answer && answer.status >= 400) {
      if (answer.status < 500) round.fail(`${path} answered ${answer.status}: ${json(answer.body)}`);
      return null;
    }
    if (answer) this.#recorded.push(answer.requestId);
    return answer;
  }

  /** Continues an upload from its current step, until it is published or an answer is missing. */
  async #goOn(round: Round, journey: Journey): Promise<void> {
    if (journey.deletion !== "none" || journey.releaseId) return;
    const { headers, bytes } = journey;
    const description = "Through thick and thin";
    if (journey.isWhole) {
      const form = new FormData();
      form.append("environmentId", this.#environmentId);
      form.append("description", description);
      form.append("file", new Blob([bytes]), "rocket.ipa");
      const answer = await this.#command(round, "apps/create-testing-deploy", { headers, form });
      if (!answer) return;
      this.#figures["uploads in one piece"] += 1;
      this.#publish(journey, answer);
      return;
    }
    if (!journey.uploadId) {
      const input = { name: "rocket.ipa", size: bytes.length };
      const begun = await this.#command(round, "files/create-upload", { headers, input });
      if (!begun) return;
      journey.uploadId = begun.body.uploadId as string;
    }
    if (!journey.fileId) await this.#complete(round, journey);
    if (!journey.fileId) return;
    const input = { environmentId: this.#environmentId, description, fileId: journey.fileId };
    const answer = await this.#command(round, "apps/create-testing-deploy", { headers, input });
    if (!answer) return;
    this.#figures["uploads in parts"] += 1;
    this.#publish(journey, answer);
  }

  #publish(journey: Journey, answer: Answer): void {
    journey.releaseId = answer.body.id;
    this.#figures.releases += 1;
  }

  /** Sends the missing parts and joins all. */
  async #complete(round: Round, journey: Journey): Promise<void> {
    const { headers, uploadId, bytes } = journey;
    const state = await this.#uploadState(round, journey);
    if (!state) return;
    for (const { number, url } of state.missing) {
      if (round.signal.aborted) return;
      const part = bytes.slice((number - 1) * state.partSize, number * state.partSize);
      // Presigned URLs of the store need no credentials.
      const sent = await round.call(url, { headers: url.startsWith("/") ? headers : {}, bytes: part });
      if (!sent) return;
      if (sent.status !== 200) return round.fail(`a part was answered with ${sent.status}: ${json(sent.body)}`);
      journey.parts.add(number);
    }
    const whole = state.missing.length > 0 ? await this.#uploadState(round, journey) : state;
    if (!whole) return;
    if (whole.fileId) journey.fileId = whole.fileId;
    else {
      const input = { uploadId, parts: whole.parts };
      const joined = await this.#command(round, "files/complete-upload", { headers, input });
      if (joined && joined.body.sha256 !== journey.sha256)
        round.fail(`an upload has other bytes: ${json(joined.body)}`);
      journey.fileId = joined?.body.fileId ?? null;
    }
  }

  /** Where an upload is. What was answered before must be there. */
  async #uploadState(round: Round, journey: Journey): Promise<UploadState | null> {
    const { uploadId, headers, parts, fileId } = journey;
    const answer = await round.call("files/get-upload", { headers, query: { uploadId } });
    if (!answer) return null;
    if (answer.status !== 200) {
      round.fail(`the upload ${uploadId} was lost: ${answer.status} ${json(answer.body)}`);
      return null;
    }
    const state = answer.body as UploadState;
    for (const problem of uploadProblems(state, { uploadId: uploadId as string, parts, fileId })) round.fail(problem);
    return state;
  }

  async #delete(round: Round, release: Journey): Promise<void> {
    release.deletion = "sent";
    const input = { id: release.releaseId };
    const answer = await this.#command(round, "apps/delete-testing-deploy", { headers: release.headers, input });
    if (!answer) return;
    release.deletion = "answered";
    this.#figures.deletions += 1;
    // An instance empties the bin while it may be killed.
    if (round.random(2) === 0) {
      const emptied = { environmentId: this.#environmentId };
      await this.#command(round, "retention/empty-bin", { headers: release.headers, input: emptied });
    }
  }

  async #download(round: Round, release: Journey, headers: Record<string, string>): Promise<void> {
    const query = { id: release.releaseId };
    await this.#fetch(round, release, await round.call("apps/download-testing-deploy-file", { headers, query }));
    this.#figures.downloads += 1;
  }

  /** Compares a downloaded installer with the one that was sent. Answers that redirect to the store are followed. */
  async #fetch(round: Round, release: Journey, answer: Answer | null): Promise<void> {
    const file = answer?.status === 302 ? await round.call(answer.headers.get("location") as string, {}) : answer;
    if (!file) return;
    if (file.status !== 200) return round.fail(`a download was answered with ${file.status}: ${String(file.body)}`);
    if (sha256Of(file.body) !== release.sha256) round.fail(`the release ${release.releaseId} has other bytes`);
  }

  /** Does what an iPhone does. */
  async #install(round: Round, release: Journey, headers: Record<string, string>): Promise<void> {
    const input = { id: release.releaseId };
    const link = await this.#command(round, "apps/generate-apple-manifest-request-token", { headers, input });
    if (!link) return;
    const pathOf = (url: string) => url.slice(new URL(url).origin.length);
    const manifest = await round.call(pathOf(link.body.manifestUrl), {});
    if (!manifest) return;
    const text = String(manifest.body);
    const url = /<string>(http[^<]*part=ipa[^<]*)<\/string>/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    if (manifest.status !== 200 || !url)
      return round.fail(`an install link was answered with ${manifest.status}: ${text}`);
    await this.#fetch(round, release, await round.call(pathOf(url), {}));
    this.#figures["install links"] += 1;
  }

  async check(round: Round): Promise<void> {
    await this.#expireUnknownUploads();
    await this.#checkReleases(round);
    await this.#checkStore(round);
    await expectRecorded(round, this.#recorded.splice(0), "an answered command");
    await this.#checkAudit(round);
    // Half of what was interrupted goes on now, the rest while something else is killed.
    for (const journey of this.#journeys.splice(0)) {
      if (journey.uploadId && !journey.releaseId) await this.#uploadState(round, journey);
      if (round.random(2) === 0) await this.#resume(round, journey);
      this.#keep(journey);
    }
    for (let downloads = 0; downloads < DOWNLOADS_PER_CHECK && this.#published.length > 0; downloads++) {
      await this.#download(round, pick(round.random, this.#published), pick(round.random, this.#clients));
    }
  }

  async #resume(round: Round, journey: Journey): Promise<void> {
    if (journey.releaseId) return;
    if (journey.uploadId) this.#figures["uploads resumed"] += 1;
    await this.#goOn({ ...round, signal: new AbortController().signal }, journey);
  }

  /** Uploads whose beginning was not answered would stay open for a day, and a client may have 50. */
  async #expireUnknownUploads(): Promise<void> {
    const known = this.#journeys.flatMap(({ uploadId, releaseId }) => (uploadId && !releaseId ? [uploadId] : []));
    await databasePool().query(`UPDATE "Upload" SET "expiresAt" = now() WHERE "id" <> ALL($1::uuid[])`, [known]);
  }

  /** Answered releases exist with their bytes, answered deletions are done; without an answer, each is done or not. */
  async #checkReleases(round: Round): Promise<void> {
    const { rows } = await databasePool().query<ReleaseRow>(
      `SELECT r."id", f."sha256", array_remove(ARRAY[f."state"::text, i."state"::text], NULL) AS "states"
       FROM "Release" r JOIN "File" f ON f."id" = r."fileId" LEFT JOIN "File" i ON i."id" = r."iconFileId"
       WHERE r."environmentId" = $1`,
      [this.#environmentId],
    );
    const known = [...this.#published, ...this.#journeys];
    for (const problem of releaseProblems(rows, known)) round.fail(problem);
    const existing = new Set(rows.map(({ id }) => id));
    for (const journey of known) {
      if (journey.deletion !== "sent") continue;
      journey.deletion = existing.has(journey.releaseId as string) ? "none" : "answered";
    }
  }

  /** After a sweep, the store and the rows agree, and every byte is as it was sent. */
  async #checkStore(round: Round): Promise<void> {
    let problems: string[] = [];
    // A surviving instance may still remove what it no longer needs after it has answered.
    for (let attempt = 0; attempt < MAX_SETTLING; attempt++) {
      const { lost, objects, files, unfinished } = await sweep(db, storage(), { now: new Date(), graceMs: 0 });
      this.#figures["swept after kills"] += objects + files + unfinished;
      problems = [...lost.map((id) => `the file ${id} has no bytes`), ...(await this.#compareStore())];
      if (problems.length === 0) return;
      await delay(100);
    }
    for (const problem of problems) round.fail(problem);
  }

  async #compareStore(): Promise<string[]> {
    const { rows } = await databasePool().query<FileRow>(
      `SELECT f."id", f."storageKey", f."state"::text AS "state", f."size"::float8 AS "size", f."sha256",
         u."id" IS NOT NULL AS "hasUpload" FROM "File" f LEFT JOIN "Upload" u ON u."fileId" = f."id"`,
    );
    const objects = new Map<string, number>();
    for await (const { key, size } of storage().list("")) objects.set(key, size);
    return storeProblems(rows, objects, async ({ id, storageKey }) => {
      if (this.#compared.has(id)) return null;
      const hash = createHash("sha256");
      for await (const chunk of (await storage().get(storageKey)) as Readable) hash.update(chunk);
      this.#compared.add(id);
      this.#figures["files compared"] += 1;
      return hash.digest("hex");
    });
  }

  async #checkAudit(round: Round): Promise<void> {
    const { records, faults } = await verifyAudit(databasePool());
    this.#figures["audit records"] = records;
    for (const fault of faults) round.fail(`the audit log has a fault: ${json(fault)}`);
    const { rows } = await databasePool().query<{ releases: number; recorded: number }>(
      `SELECT (SELECT count(*)::int FROM "Release") AS "releases",
         (SELECT count(*) FILTER (WHERE "action" = 'create')::int - count(*) FILTER (WHERE "action" = 'delete')::int
          FROM "AuditRecord" WHERE "table" = 'Release') AS "recorded"`,
    );
    const [count] = rows;
    if (count?.releases !== count?.recorded) {
      round.fail(`there are ${count?.releases} releases, and ${count?.recorded} by the audit log`);
    }
  }

  /** Publishes and deletes everything. Then nothing is left. */
  async finish(round: Round): Promise<void> {
    for (const journey of this.#journeys.splice(0)) {
      if (!journey.releaseId) await this.#goOn(round, journey);
      if (!journey.releaseId) round.fail(`an upload did not end: ${journey.uploadId ?? "in one piece"}`);
      else this.#keep(journey);
    }
    for (const release of this.#published.splice(0)) await this.#delete(round, release);
    await emptyWholeBin();
    await this.check(round);
    for await (const { key } of storage().list("")) round.fail(`the object ${key} is left`);
    const unfinished = await storage().sweepUnfinished("", new Date(Date.now() + 60_000));
    if (unfinished > 0) round.fail(`${unfinished} unfinished uploads are left`);
  }

  figures(): Record<string, number> {
    return { ...this.#figures };
  }
}

/** The answer of `files/get-upload`. */
interface UploadState {
  partSize: number;
  parts: { number: number; etag: string }[];
  missing: { number: number; url: string }[];
  fileId: string | null;
}
