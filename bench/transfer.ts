import { spawn } from "node:child_process";

/** What curl tells of one transfer. */
export interface Transfer {
  status: number;
  /** From the beginning to the last byte. */
  milliseconds: number;
  /** Of the answer's body. */
  receivedBytes: number;
}

/** Runs curl, the answer thrown away. */
export function curl(args: readonly string[]): Promise<Transfer> {
  const format = "%{http_code} %{time_total} %{size_download}";
  const child = spawn(
    "curl",
    [...["--silent", "--show-error", "--max-time", "180"], "--output", "/dev/null", "--write-out", format, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", () => {
      const [status, time, receivedBytes] = text.split(" ").map(Number) as [number, number, number];
      resolve({ status, milliseconds: time * 1000, receivedBytes });
    });
  });
}

/**
 * Sends several requests by one curl, one after another over one connection.
 * @param requests the arguments of each; each answer has to end in a line break
 * @returns the answers' bodies, of one line each
 * @throws Error where curl failed
 */
export function curlBodies(requests: readonly (readonly string[])[]): Promise<string[]> {
  const own = ["--silent", "--show-error", "--max-time", "180"];
  const args = requests.flatMap((request, index) => [...(index > 0 ? ["--next"] : []), ...own, ...request]);
  const child = spawn("curl", args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(text.split("\n").filter(Boolean));
      else reject(new Error(`curl ended with ${code}: ${text}`));
    });
  });
}
