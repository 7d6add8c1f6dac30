import { describe, expect, it } from "vitest";
import { ApiCallError, type ApiProblem } from "@/lib/client/client";
import type { UploadOutcome, UploadSnapshot } from "@/lib/client/upload/uploader";
import { isRunning, Publication, type PublicationCalls } from "./publication";
import { NEW, type ReleaseValues } from "./release-values";

const VALUES: ReleaseValues = {
  appId: NEW,
  appName: "Orbit",
  environmentId: NEW,
  environmentName: "Testing",
  description: "First",
  fileName: "",
  platformId: "ios",
  iosEnabled: true,
  mandatory: false,
  metadata: [],
  groups: [],
  notify: true,
};

const UNAVAILABLE: ApiProblem = {
  code: "unavailable",
  status: 503,
  title: "Unavailable",
  detail: "Try again.",
  errors: [],
  requestId: null,
  retryAfter: null,
};

const reading = {
  status: "read",
  chosen: { file: new File(["ipa"], "a.ipa"), fingerprint: "0".repeat(64), sha256: Promise.resolve(null) },
  installer: { identifier: "com.acme.orbit", version: "2.4.0", buildNumber: "118" },
  iconUrl: null,
} as Publication["reading"];

/** A publication whose server is simulated. */
function setUp(options: { values?: Partial<ReleaseValues>; failing?: string[]; outcomes?: UploadOutcome[] } = {}) {
  const calls: [path: string, input: object][] = [];
  const failing = [...(options.failing ?? [])];
  const outcomes = [...(options.outcomes ?? [])];
  let uploads = 0;
  const finish = Promise.withResolvers<void>();
  const snapshot = { phase: "uploading", sentBytes: 0, totalBytes: 3 } as UploadSnapshot;
  const server: PublicationCalls = {
    upload: () => ({
      run: async () => {
        uploads += 1;
        await finish.promise;
        return outcomes.shift() ?? { status: "done", fileId: "file", reused: false };
      },
      snapshot: () => snapshot,
      subscribe: () => () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      cancel: () => undefined,
      leave: () => undefined,
    }),
    command: (async (path: string, input: object) => {
      if (failing[0] === path) {
        failing.shift();
        throw new ApiCallError(UNAVAILABLE);
      }
      calls.push([path, input]);
      return { id: path, name: (input as { name?: string }).name };
    }) as PublicationCalls["command"],
  };
  const publication = new Publication({ reading, values: { ...VALUES, ...options.values } }, server);
  return { publication, calls, finish, uploads: () => uploads, paths: () => calls.map(([path]) => path) };
}

describe("a publication", () => {
  it("adds the application, the environment and the release after the whole file is stored, and nothing before", async () => {
    const { publication, calls, finish, paths } = setUp();
    const run = publication.run();
    expect(publication.get().phase).toBe("uploading");
    expect(isRunning(publication.get())).toBe(true);
    expect(paths()).toEqual([]);
    finish.resolve();
    await run;
    expect(publication.get().phase).toBe("published");
    expect(calls).toMatchObject([
      ["apps/create-app", { name: "Orbit", identifier: "com.acme.orbit" }],
      ["apps/create-environment-app", { appId: "apps/create-app", name: "Testing" }],
      [
        "apps/create-testing-deploy",
        { environmentId: "apps/create-environment-app", fileId: "file", version: "2.4.0", buildNumber: "118" },
      ],
    ]);
  });

  it("publishes in an existing environment without adding anything", async () => {
    const { publication, calls, finish, paths } = setUp({ values: { appId: "app", environmentId: "environment" } });
    finish.resolve();
    await publication.run();
    expect(paths()).toEqual(["apps/create-testing-deploy"]);
    expect(calls[0]?.[1]).toMatchObject({ environmentId: "environment" });
    expect(calls[0]?.[1]).not.toHaveProperty("appName");
  });

  it("adds only the environment to an application that has none", async () => {
    const { publication, calls, finish } = setUp({ values: { appId: "app" } });
    finish.resolve();
    await publication.run();
    expect(calls[0]).toEqual(["apps/create-environment-app", { appId: "app", name: "Testing" }]);
  });

  it("runs once, no matter how often it is asked to before it is done", async () => {
    const { publication, finish, paths, uploads } = setUp({ values: { environmentId: "environment" } });
    const runs = [publication.run(), publication.run()];
    finish.resolve();
    await Promise.all(runs);
    expect(uploads()).toBe(1);
    expect(paths()).toEqual(["apps/create-testing-deploy"]);
  });

  it("uses the values that the form has when the file is stored", async () => {
    const { publication, calls, finish } = setUp({ values: { environmentId: "environment" } });
    const run = publication.run();
    publication.values = { ...publication.values, description: "Changed during the upload" };
    finish.resolve();
    await run;
    expect(calls.at(-1)?.[1]).toMatchObject({ description: "Changed during the upload" });
  });

  it("waits for a valid form, and does not upload again", async () => {
    const { publication, finish, paths, uploads } = setUp({
      values: { environmentId: "environment", description: "" },
    });
    finish.resolve();
    await publication.run();
    expect(publication.get().phase).toBe("invalid");
    expect(paths()).toEqual([]);
    publication.values = { ...publication.values, description: "Now valid" };
    await publication.run();
    expect(publication.get().phase).toBe("published");
    expect(uploads()).toBe(1);
  });

  it("says what was added before a failure, and continues with the step that failed", async () => {
    const { publication, finish, paths, uploads } = setUp({
      failing: ["apps/create-environment-app", "apps/create-testing-deploy"],
    });
    finish.resolve();
    await publication.run();
    expect(publication.get()).toMatchObject({
      phase: "failed",
      problem: UNAVAILABLE,
      added: { app: { name: "Orbit" } },
    });
    await publication.run();
    expect(publication.get()).toMatchObject({ phase: "failed", added: { environment: { name: "Testing" } } });
    await publication.run();
    expect(publication.get().phase).toBe("published");
    expect(paths()).toEqual(["apps/create-app", "apps/create-environment-app", "apps/create-testing-deploy"]);
    expect(uploads()).toBe(1);
  });

  it("adds nothing if the upload fails or is canceled, and uploads again in the next run", async () => {
    const { publication, finish, paths, uploads } = setUp({
      outcomes: [{ status: "failed", problem: "file_unreadable" }, { status: "cancelled" }],
    });
    finish.resolve();
    await publication.run();
    expect(publication.get()).toMatchObject({ phase: "failed", problem: "file_unreadable", added: {} });
    await publication.run();
    expect(publication.get().phase).toBe("cancelled");
    expect(paths()).toEqual([]);
    await publication.run();
    expect(publication.get().phase).toBe("published");
    expect(uploads()).toBe(3);
  });
});
