import { Agent, request } from "node:http";

/** An answer to one timed request. */
export interface Timed {
  status: number;
  milliseconds: number;
  bytes: number;
}

/** Sends GET requests over connections that stay open. */
export class Client {
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;

  /** @param options.connections the most connections at a time */
  constructor(options: { connections: number; headers: Record<string, string> }) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.#headers = options.headers;
  }

  /** One request, timed until the answer's last byte. @throws Error where it is not answered with 200 */
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
          else reject(new Error(`${url} was answered with ${status}`));
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

/** Asks for one address over several connections for some time. @returns answers per second */
export async function throughput(
  url: string,
  options: { connections: number; milliseconds: number; headers: Record<string, string> },
): Promise<number> {
  const client = new Client(options);
  let answers = 0;
  const begun = performance.now();
  const until = begun + options.milliseconds;
  try {
    await Promise.all(
      Array.from({ length: options.connections }, async () => {
        while (performance.now() < until) {
          await client.get(url);
          answers += 1;
        }
      }),
    );
    return answers / ((performance.now() - begun) / 1000);
  } finally {
    client.close();
  }
}
