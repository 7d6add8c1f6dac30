import { type ConsoleFlags, connect } from "../lib/console";
import type { Context } from "../lib/context";
import { EXIT, Failure, usageFailure } from "../lib/failure";
import { printable, writeFacts, writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export interface ListWebhooksFlags extends ConsoleFlags {
  limit: number;
  json: boolean;
}

export interface TestWebhookFlags extends ConsoleFlags {
  event?: string;
  json: boolean;
}

/** Whether a webhook is on, off, or failing. */
function stateOf({ status, failingSince }: { status: string; failingSince: string | null }): string {
  return status === "active" && failingSince !== null ? "failing" : status;
}

/** Lists the webhooks of a console. */
export async function list(this: Context, flags: ListWebhooksFlags): Promise<void> {
  const console = await connect(this, flags);
  const { items } = await console.query("webhooks/get-webhooks", { limit: flags.limit });
  if (flags.json) return writeJson(this, items);
  if (items.length === 0) this.err.say("There are no webhooks.");
  writeTable(
    this.out,
    ["id", "name", "state", "format", "receiver", "events"],
    items.map(({ id, name, url, format, events, ...webhook }) => [
      id,
      printable(name),
      stateOf(webhook),
      format,
      printable(new URL(url).host),
      events.join(", "),
    ]),
  );
}

/** Sends an example of an event to a webhook, and says how the receiver answered. */
export async function test(this: Context, flags: TestWebhookFlags, id: string): Promise<void> {
  if (!UUID.test(id)) {
    throw usageFailure(`"${id}" is not the ID of a webhook.`, "`slipway webhooks list` shows the IDs.");
  }
  const console = await connect(this, flags);
  const delivery = await console.command("webhooks/test-webhook", { id, event: flags.event });
  const attempt = delivery.attempts.at(-1);
  if (flags.json) writeJson(this, delivery);
  else {
    const answer = attempt?.status ? `HTTP ${attempt.status}` : (attempt?.failure ?? "none");
    const facts: [string, string][] = [
      ["Message", delivery.messageId],
      ["Event", delivery.type],
      ["Answer", answer],
      ["Time", `${attempt?.durationMs ?? 0} ms`],
    ];
    writeFacts(this.out, facts);
  }
  if (delivery.state !== "delivered") {
    throw new Failure(EXIT.refused, "The receiver did not accept the message.", {
      hints: attempt?.answer ? [printable(attempt.answer)] : [],
    });
  }
}
