import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Console } from "./console";

/** Serves the beginning of an answer, and cuts the connection. */
async function cutAnswer(status: number, type: string): Promise<Console> {
  const web = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "Content-Type": type, "Content-Length": 100 });
    response.write('{"code":', () => response.destroy());
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void web.close());
  return new Console(`http://127.0.0.1:${(web.address() as AddressInfo).port}`, null);
}

it.each([
  [200, "application/json"],
  [503, "application/problem+json"],
])("takes a cut in the middle of an answer with %i for a lost connection", async (status, type) => {
  const console = await cutAnswer(status, type);
  await expect(console.tryQuery("auth/get-user-profile", {})).rejects.toMatchObject({ problem: { code: "network" } });
  await expect(console.query("auth/get-user-profile", {})).rejects.toMatchObject({ exitCode: 3 });
});
