import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a receiver got. */
export interface ReceivedMessage {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  received: ReceivedMessage[];
  /** What the receiver does with the next requests; by default, it answers 200. */
  answer: (response: http.ServerResponse, message: ReceivedMessage) => void;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedMessage[] = [];
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const message = { headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() };
    received.push(message);
    receiver.answer(response, message);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer: (response) => response.end("ok"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
