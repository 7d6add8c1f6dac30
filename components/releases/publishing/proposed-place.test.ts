import { describe, expect, it } from "vitest";
import type { PublishingPlaces } from "@/lib/features/releases/schema";
import { proposedPlace } from "./proposed-place";

function anItem(id: string, environments: string[], proposed: string | null = environments[0] ?? null) {
  return {
    app: { id, name: id, identifier: "com.acme.orbit" },
    environments: environments.map((name) => ({ id: name, name })),
    proposedEnvironmentId: proposed,
    mayCreateEnvironment: true,
  } satisfies PublishingPlaces["items"][number];
}

describe("the proposed place", () => {
  it("of an unknown installer is an application with its name and a first environment", () => {
    expect(proposedPlace({ items: [] }, "  Orbit ", [])).toEqual({
      appId: "new",
      appName: "Orbit",
      environmentId: "new",
      environmentName: "Testing",
    });
  });

  it("of an application without environments is a first environment", () => {
    const { appId, environmentId } = proposedPlace({ items: [anItem("orbit", [])] }, "Orbit", []);
    expect({ appId, environmentId }).toEqual({ appId: "orbit", environmentId: "new" });
  });

  it("is the environment that the console proposes", () => {
    const { environmentId } = proposedPlace({ items: [anItem("orbit", ["dev", "staging"], "staging")] }, "Orbit", []);
    expect(environmentId).toBe("staging");
  });

  it("is the environment in which an upload of the file was interrupted, also of another application", () => {
    const items = [anItem("orbit", ["dev"]), anItem("harbour", ["qa", "beta"])];
    const { appId, environmentId } = proposedPlace({ items }, "Orbit", ["beta"]);
    expect({ appId, environmentId }).toEqual({ appId: "harbour", environmentId: "beta" });
  });
});
