import { Agent, request } from "node:http";

/** The response to a timed request. */
export interface Timed {
  status: number;
  milliseconds: number;
  bytes: number;
}

/** Sends GET requests over keep-alive connections. */
export class Client {
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;

  /** @param options.connections the maximum number of connections */
  constructor(options: { connections: number; headers: Record<string, string> }) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.#headers = options.headers;
  }

  /** Sends one request, timed until the last byte of the response. @throws Error if the status is not 200 */
  get(url: string): Promise<Timed> {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: this.#agent, headers: this.#headers }, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.once("error", reject);
        response.once("end", () => {
          const { statusCode: status = 0 } = response;
          if (status === 200) resolve({ status, bytes, milliseconds: performance.now() - begun });
          else reject(new Error(`${url} returned ${status}`));
        });
      });
      sent.once("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Requests a URL over several connections for the given time. @returns responses per second */
export async function throughput(
  url: string,
  options: { connections: number; milliseconds: number; headers: Record<string, string> },
): Promise<number> {
  const client = new Client(options);
  let responses = 0;
  const begun = performance.now();
  const until = begun + options.milliseconds;
  try {
    await Promise.all(
      Array.from({ length: options.connections }, async () => {
        while (performance.now() < until) {
          await client.get(url);
          responses += 1;
        }
      }),
    );
    return responses / ((performance.now() - begun) / 1000);
  } finally {
    client.close();
  }
}
