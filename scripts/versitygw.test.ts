import { access } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { describeWith } from "@/lib/testing/describe-with";
import { findVersitygw, NoS3Server, startTestS3, startVersitygw } from "./versitygw.ts";

const available = await findVersitygw().catch((error) => {
  if (error instanceof NoS3Server) return error;
  throw error;
});

afterEach(() => vi.unstubAllEnvs());

describe("the S3 server for tests", () => {
  it("is the one of S3_TEST_ENDPOINT, which stop() does not stop", async () => {
    vi.stubEnv("S3_TEST_ENDPOINT", "http://127.0.0.1:1");
    vi.stubEnv("S3_TEST_ACCESS_KEY_ID", "id");
    vi.stubEnv("S3_TEST_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("S3_TEST_REGION", "eu-south-2");
    const server = await startTestS3();
    expect(server).toMatchObject({
      endpoint: "http://127.0.0.1:1",
      region: "eu-south-2",
      accessKey: "id",
      secretKey: "secret",
    });
    await server.stop();
  });

  it("is reported as missing if S3_TEST_ENDPOINT is set without credentials", async () => {
    vi.stubEnv("S3_TEST_ENDPOINT", "http://127.0.0.1:1");
    for (const name of [
      "S3_TEST_ACCESS_KEY_ID",
      "S3_TEST_SECRET_ACCESS_KEY",
      "S3_ACCESS_KEY_ID",
      "S3_SECRET_ACCESS_KEY",
    ]) {
      vi.stubEnv(name, undefined);
    }
    await expect(startTestS3()).rejects.toThrow(NoS3Server);
    await expect(startTestS3()).rejects.toThrow("S3_TEST_ACCESS_KEY_ID");
  });
});

describeWith(available, "versitygw", (program) => {
  it("serves S3 with its own credentials until it is stopped", async () => {
    const server = await startVersitygw();
    const answer = await fetch(server.endpoint);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("<Code>AccessDenied</Code>");
    await server.stop();
    await expect(fetch(server.endpoint)).rejects.toThrow("fetch failed");
  });

  it("is an executable that is built once", async () => {
    await expect(access(program)).resolves.toBeUndefined();
    expect(await findVersitygw()).toBe(program);
  });
});
