import { describe, expect, it } from "vitest";
import { detectBuild } from "./ci";

const facts = { commit: "0a1b2c", branch: "main" };

describe("the build of a CI system", () => {
  it.each([
    [
      "GitHub Actions",
      {
        GITHUB_ACTIONS: "true",
        GITHUB_SHA: "0a1b2c",
        GITHUB_REF_NAME: "main",
        GITHUB_HEAD_REF: "",
        GITHUB_SERVER_URL: "https://github.com",
        GITHUB_REPOSITORY: "acme/app",
        GITHUB_RUN_ID: "7",
      },
      "https://github.com/acme/app/actions/runs/7",
    ],
    [
      "GitLab CI",
      { GITLAB_CI: "true", CI_COMMIT_SHA: "0a1b2c", CI_COMMIT_REF_NAME: "main", CI_JOB_URL: "https://gitlab.com/j/7" },
      "https://gitlab.com/j/7",
    ],
    [
      "Bitrise",
      {
        BITRISE_IO: "true",
        BITRISE_GIT_COMMIT: "0a1b2c",
        BITRISE_GIT_BRANCH: "main",
        BITRISE_BUILD_URL: "https://b/7",
      },
      "https://b/7",
    ],
    [
      "CircleCI",
      { CIRCLECI: "true", CIRCLE_SHA1: "0a1b2c", CIRCLE_BRANCH: "main", CIRCLE_BUILD_URL: "https://c/7" },
      "https://c/7",
    ],
    [
      "Jenkins",
      { JENKINS_URL: "https://j/", GIT_COMMIT: "0a1b2c", GIT_BRANCH: "origin/main", BUILD_URL: "https://j/7" },
      "https://j/7",
    ],
    [
      "Azure Pipelines",
      {
        TF_BUILD: "True",
        BUILD_SOURCEVERSION: "0a1b2c",
        BUILD_SOURCEBRANCH: "refs/heads/main",
        SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
        SYSTEM_TEAMPROJECT: "My App",
        BUILD_BUILDID: "7",
      },
      "https://dev.azure.com/acme/My%20App/_build/results?buildId=7",
    ],
    [
      "Codemagic",
      { CM_BUILD_ID: "7", CM_PROJECT_ID: "p", CM_COMMIT: "0a1b2c", CM_BRANCH: "main" },
      "https://codemagic.io/app/p/build/7",
    ],
    [
      "Xcode Cloud",
      { CI_XCODE_CLOUD: "TRUE", CI_COMMIT: "0a1b2c", CI_BRANCH: "main", CI_BUILD_URL: "https://x/7" },
      "https://x/7",
    ],
  ])("is recognised in %s", (system, environment, url) => {
    expect(detectBuild(environment)).toEqual({ system, ...facts, url });
  });

  it("is none elsewhere", () => expect(detectBuild({ PATH: "/bin" })).toBeNull());
});
