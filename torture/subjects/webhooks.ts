import { setTimeout as delay } from "node:timers/promises";
import { Webhook as Verifier } from "standardwebhooks";
import { databasePool } from "@/lib/db/client";
import { type ReceivedMessage, type Receiver, startReceiver } from "@/lib/testing/webhook-receiver";
import type { Arena, Call, Round, Subject } from "../torture.ts";

const WORKERS = 3;
/** With more variables, some are deleted. */
const MAX_VARIABLES = 20;
/** One message in this many is refused at its first try. The second one is made 5 s later. */
const MESSAGES_PER_REFUSAL = 100;
/** A delivery of a killed instance is claimed for 20 s, and then found by the schedule of one minute. */
const DELIVERY_TIMEOUT_MS = 240_000;
/** How often the end of the deliveries is looked for. */
const LOOK_MS = 500;

const ACTIONS = ["create", "update", "delete"] as const;
const EVENTS = ACTIONS.map((action) => `audit.${action}`);

/** An event as a receiver has it. */
interface ReceivedEvent {
  /** The number of the audit record. */
  record: number;
  requestId: string;
}

/** A webhook with what its receiver got. */
class Listener {
  /** By the ID of the message: how often it was accepted. */
  readonly accepted = new Map<string, number>();
  /** In the order in which they were accepted for the first time. */
  readonly events: ReceivedEvent[] = [];
  readonly #refused = new Set<string>();
  readonly problems: string[] = [];
  refusals = 0;

  constructor(
    readonly name: string,
    readonly receiver: Receiver,
    readonly id: string,
    readonly secret: string,
    random: () => boolean,
  ) {
    receiver.answer = (response, message) => {
      response.statusCode = this.#take(message, random) ? 204 : 500;
      response.end();
    };
  }

  /** @returns whether the message is accepted */
  #take({ body, headers }: ReceivedMessage, refuses: () => boolean): boolean {
    const messageId = headers["webhook-id"] as string;
    try {
      new Verifier(this.secret).verify(body, headers);
    } catch (error) {
      this.problems.push(`${this.name} got a message that is not genuine: ${error}`);
      return true;
    }
    if (!this.accepted.has(messageId) && !this.#refused.has(messageId) && refuses()) {
      this.#refused.add(messageId);
      this.refusals += 1;
      return false;
    }
    const count = this.accepted.get(messageId) ?? 0;
    this.accepted.set(messageId, count + 1);
    if (count > 0) return true;
    const { data } = JSON.parse(body);
    this.events.push({ record: Number(data.id), requestId: data.requestId });
    return true;
  }
}

/** The audit records that cause events of a webhook. */
interface CommittedRow {
  record: number;
  requestId: string;
}

/**
 * Events: variables are created, changed and deleted while instances are killed, which also deliver. One webhook receives the events of
 * all applications, another one those of one of them.
 */
export class Webhooks implements Subject {
  readonly name = "webhooks";
  #listeners: Listener[] = [];
  #environmentId = "";
  #clients: Record<string, string>[] = [];
  /** The last audit record before the webhooks. */
  #since = 0;
  readonly #variables: string[] = [];
  #next = 0;
  readonly #figures = {
    "events of committed changes": 0,
    "events received": 0,
    "received again": 0,
    "refused once": 0,
  };

  async prepare(arena: Arena): Promise<void> {
    arena.configure({ OUTBOUND_ALLOWED_HOSTS: "127.0.0.1" });
    await arena.update(new AbortController().signal);
    const admin = await arena.admin();
    const identifier = "com.example.comet";
    const app = await admin.command("apps/create-app", { name: "Comet", identifier, status: "active" });
    const place = { appId: app.id, name: "Testing", status: "active" as const };
    const environment = await admin.command("apps/create-environment-app", place);
    this.#environmentId = environment.id;
    for (let index = 0; index < WORKERS; index++) {
      const { token } = await admin.command("config/create-api-token", {
        name: `Editor ${index}`,
        appId: app.id,
        environmentId: environment.id,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        scopes: ["dev-variable:write"],
      });
      this.#clients.push({ authorization: `Bearer ${token}` });
    }
    let messages = 0;
    const refuses = () => ++messages % MESSAGES_PER_REFUSAL === 0;
    for (const [name, appIds] of [
      ["the webhook of all applications", null],
      ["the webhook of one application", [app.id]],
    ] as const) {
      const receiver = await startReceiver();
      const input = { name, url: receiver.url, events: EVENTS, ...(appIds && { appIds: [...appIds] }) };
      const { id, secret } = await admin.command("webhooks/create-webhook", input);
      this.#listeners.push(new Listener(name, receiver, id, secret, refuses));
    }
    const { rows } = await databasePool().query(`SELECT max("id")::float8 AS "id" FROM "AuditRecord"`);
    this.#since = rows[0].id;
  }

  async work(round: Round): Promise<void> {
    await Promise.all(
      this.#clients.map(async (headers) => {
        while (!round.signal.aborted) await this.#step(round, headers);
      }),
    );
  }

  async #step(round: Round, headers: Record<string, string>): Promise<void> {
    const call = (path: string, input: Call["input"]) => round.call(`apps/${path}`, { headers, input });
    const id = this.#variables.splice(round.random(this.#variables.length), 1)[0];
    if (id === undefined || (this.#variables.length < MAX_VARIABLES && round.random(3) === 0)) {
      if (id !== undefined) this.#variables.push(id);
      const key = `KEY_${this.#next++}`;
      const input = { environmentId: this.#environmentId, name: key, key, value: key };
      const created = await call("create-development-variable", input);
      // The same key again is refused in its transaction, and causes no event.
      if (round.random(4) === 0) await call("create-development-variable", input);
      if (created?.status === 201) this.#variables.push(created.body.id);
      return;
    }
    if (round.random(3) === 0) {
      await call("delete-development-variable", { id });
      return;
    }
    await call("update-development-variable", { id, value: String(this.#next++) });
    this.#variables.push(id);
  }

  /** The audit records since the webhooks were added that one of them is told of. */
  async #committed(listener: Listener): Promise<CommittedRow[]> {
    const { rows } = await databasePool().query<CommittedRow>(
      `SELECT a."id"::float8 AS "record", a."requestId" FROM "AuditRecord" a
       WHERE a."id" > $1 AND a."action" = ANY ($2)
         AND ($3 OR a."table" = 'DevVariable' AND a."tokenId" IN (SELECT t."id" FROM "ApiToken" t WHERE t."environmentId" = $4))
       ORDER BY a."id"`,
      [this.#since, ACTIONS, listener !== this.#listeners[1], this.#environmentId],
    );
    return rows;
  }

  async check(round: Round): Promise<void> {
    let committedEvents = 0;
    for (const listener of this.#listeners) {
      for (const problem of listener.problems.splice(0)) round.fail(problem);
      // What is received while the rows are read may be newer than they are. That webhooks were added is an event too.
      const received = listener.events.filter(({ record }) => record > this.#since);
      const committed = await this.#committed(listener);
      committedEvents += committed.length;
      const byRecord = new Map(committed.map(({ record, requestId }) => [record, requestId]));
      for (const { record, requestId } of received) {
        if (byRecord.get(record) !== requestId)
          round.fail(`${listener.name} was told of record ${record} (${requestId}), which was rolled back`);
      }
      const accepted = new Set(received.map(({ record }) => record));
      const waiting = await this.#waiting(listener);
      const lost = committed.filter(({ record }) => !accepted.has(record) && !waiting.has(record));
      // One that was accepted since the events were copied no longer waits.
      const isLost = ({ record }: CommittedRow) => !listener.events.some((event) => event.record === record);
      for (const { record } of lost.filter(isLost)) round.fail(`${listener.name} will not be told of record ${record}`);
    }
    this.#expectOrder(round);
    const all = this.#listeners.flatMap(({ accepted }) => [...accepted.values()]);
    Object.assign(this.#figures, {
      "events of committed changes": committedEvents,
      "events received": all.length,
      "received again": all.reduce((sum, count) => sum + count - 1, 0),
      "refused once": this.#listeners.reduce((sum, { refusals }) => sum + refusals, 0),
    });
  }

  /** The records whose events wait for their delivery. */
  async #waiting({ id }: Listener): Promise<Set<number>> {
    const { rows } = await databasePool().query<{ record: number }>(
      `SELECT (d."data"->>'id')::float8 AS "record" FROM "WebhookDelivery" d WHERE d."webhookId" = $1 AND d."state" = 'pending'`,
      [id],
    );
    return new Set(rows.map(({ record }) => record));
  }

  /** The events of one application are delivered in the order of their records. */
  #expectOrder(round: Round): void {
    const listener = this.#listeners[1] as Listener;
    const wrong = listener.events.findIndex(({ record }, index, events) => record < (events[index - 1]?.record ?? 0));
    if (wrong < 0) return;
    const [before, after] = [listener.events[wrong - 1], listener.events[wrong]];
    round.fail(`${listener.name} was told of record ${after?.record} after ${before?.record}`);
  }

  /** Every event of a committed change is delivered in the end. */
  async finish(round: Round): Promise<void> {
    const until = performance.now() + DELIVERY_TIMEOUT_MS;
    for (const listener of this.#listeners) {
      while ((await this.#waiting(listener)).size > 0 && performance.now() < until) await delay(LOOK_MS);
      const left = await this.#waiting(listener);
      if (left.size > 0) round.fail(`${listener.name} waits for ${left.size} events`);
    }
    await this.check(round);
    for (const { receiver } of this.#listeners) await receiver.close();
  }

  figures(): Record<string, number> {
    return { ...this.#figures };
  }
}
