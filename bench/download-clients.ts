import { connect, type Socket } from "node:net";

/**
 * Downloads a URL with many clients at once and discards the bytes. It runs in a process of its own, and all sockets read
 * into one buffer, so that the clients take as little of the machine as they can.
 *
 * usage: node bench/download-clients.ts <JSON of ClientsTask>; prints the JSON of a ClientsResult
 */

/** What the clients do. */
export interface ClientsTask {
  url: string;
  clients: number;
  /** The size of the file. */
  bytes: number;
  /** How fast each client reads; 0 for as fast as it can. */
  bytesPerSecond: number;
}

/** What the clients measured. */
export interface ClientsResult {
  /** From the first connection to the end of the last download. */
  milliseconds: number;
  /** The duration of each complete download, in milliseconds. */
  times: number[];
  /** The bytes of all bodies. */
  receivedBytes: number;
  /** What the other clients failed with. */
  failures: string[];
}

/** How often a client that reads slowly may go on. */
const TURN_MS = 50;
const TIMEOUT_MS = 3 * 60_000;
/** Between two connections that are opened. All are open within a tenth of a second. */
const CONNECT_BATCH = 100;
const CONNECT_INTERVAL_MS = 10;
const BUFFER_BYTES = 1024 * 1024;
const SLOW_BUFFER_BYTES = 64 * 1024;

const task = JSON.parse(process.argv[2] as string) as ClientsTask;
const { hostname, port, pathname, search } = new URL(task.url);
/** Without a look-up for each client. */
const host = hostname === "localhost" ? "127.0.0.1" : hostname;
const shared = Buffer.allocUnsafeSlow(task.bytesPerSecond > 0 ? SLOW_BUFFER_BYTES : BUFFER_BYTES);
const result: ClientsResult = { milliseconds: 0, times: [], receivedBytes: 0, failures: [] };
const reading = new Set<() => void>();

function download(): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    let head = "";
    let rest = Number.POSITIVE_INFINITY;
    let allowance = (task.bytesPerSecond * TURN_MS) / 1000;
    let waits = false;
    let socket: Socket;
    const goOn = () => {
      allowance = Math.min(allowance, 0) + (task.bytesPerSecond * TURN_MS) / 1000;
      if (!waits || allowance <= 0) return;
      waits = false;
      socket.resume();
    };
    const end = (failure?: string) => {
      if (!reading.delete(goOn)) return;
      if (failure === undefined) result.times.push(performance.now() - begun);
      else result.failures.push(failure);
      socket.destroy();
      resolve();
    };
    /** Reads the head. @returns the bytes of the body that came with it */
    const readHead = (length: number): number => {
      const before = head.length;
      head += shared.toString("latin1", 0, length);
      const headBytes = head.indexOf("\r\n\r\n") + 4;
      if (headBytes < 4) return 0;
      if (!head.startsWith("HTTP/1.1 200 ")) end(head.slice(0, head.indexOf("\r\n")));
      else if (Number(/^content-length: (\d+)/im.exec(head)?.[1]) !== task.bytes) end("the length is another one");
      rest = task.bytes;
      return length - (headBytes - before);
    };
    const take = (length: number): boolean => {
      const bodyBytes = rest === Number.POSITIVE_INFINITY ? readHead(length) : length;
      result.receivedBytes += bodyBytes;
      rest -= bodyBytes;
      if (rest === 0) end();
      if (task.bytesPerSecond === 0) return true;
      allowance -= bodyBytes;
      waits = allowance <= 0;
      return !waits;
    };
    reading.add(goOn);
    socket = connect({ host, port: Number(port), onread: { buffer: shared, callback: take } });
    socket.once("connect", () => {
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUser-Agent: bench\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.once("error", (error) => end(error.message));
    socket.once("close", () => end("the connection was closed"));
  });
}

const begun = performance.now();
const turns = setInterval(() => {
  for (const goOn of reading) goOn();
}, TURN_MS);
const timeout = setTimeout(() => {
  result.failures.push(`${reading.size} downloads did not end in ${TIMEOUT_MS / 1000} s`);
  print();
}, TIMEOUT_MS);
const downloads: Promise<void>[] = [];
while (downloads.length < task.clients) {
  const batch = Math.min(CONNECT_BATCH, task.clients - downloads.length);
  downloads.push(...Array.from({ length: batch }, download));
  await new Promise((resolve) => setTimeout(resolve, CONNECT_INTERVAL_MS));
}
await Promise.all(downloads);
clearInterval(turns);
clearTimeout(timeout);
print();

function print(): void {
  result.milliseconds = performance.now() - begun;
  process.stdout.write(JSON.stringify(result), () => process.exit());
}
