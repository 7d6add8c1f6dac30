import type { Environment } from "./terminal";

/** What a CI system says of the build. */
export interface Build {
  /** The name of the system. */
  system: string;
  commit: string | undefined;
  branch: string | undefined;
  url: string | undefined;
  /** The message of the commit. */
  message: string | undefined;
}

interface System {
  name: string;
  /** The variable that is set if the build runs there. */
  mark: string;
  commit: readonly string[];
  branch: readonly string[];
  message?: string;
  url: (environment: Environment) => string | undefined;
}

const variable = (name: string) => (environment: Environment) => environment[name] || undefined;

/** The CI systems with the variables that their documentation names; the first that matches applies. */
const SYSTEMS: readonly System[] = [
  {
    name: "GitHub Actions",
    mark: "GITHUB_ACTIONS",
    commit: ["GITHUB_SHA"],
    branch: ["GITHUB_HEAD_REF", "GITHUB_REF_NAME"],
    url: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }) =>
      server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
  },
  {
    name: "GitLab CI",
    mark: "GITLAB_CI",
    commit: ["CI_COMMIT_SHA"],
    branch: ["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME"],
    message: "CI_COMMIT_MESSAGE",
    url: variable("CI_JOB_URL"),
  },
  {
    name: "Bitrise",
    mark: "BITRISE_IO",
    commit: ["BITRISE_GIT_COMMIT", "GIT_CLONE_COMMIT_HASH"],
    branch: ["BITRISE_GIT_BRANCH"],
    message: "BITRISE_GIT_MESSAGE",
    url: variable("BITRISE_BUILD_URL"),
  },
  {
    name: "CircleCI",
    mark: "CIRCLECI",
    commit: ["CIRCLE_SHA1"],
    branch: ["CIRCLE_BRANCH", "CIRCLE_TAG"],
    url: variable("CIRCLE_BUILD_URL"),
  },
  {
    name: "Azure Pipelines",
    mark: "TF_BUILD",
    commit: ["BUILD_SOURCEVERSION"],
    branch: ["SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"],
    message: "BUILD_SOURCEVERSIONMESSAGE",
    url: ({ SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: build }) =>
      collection && project && build
        ? `${collection}${encodeURIComponent(project)}/_build/results?buildId=${build}`
        : undefined,
  },
  {
    name: "Codemagic",
    mark: "CM_BUILD_ID",
    commit: ["CM_COMMIT"],
    branch: ["CM_BRANCH"],
    url: ({ CM_PROJECT_ID: project, CM_BUILD_ID: build }) =>
      project && build ? `https://codemagic.io/app/${project}/build/${build}` : undefined,
  },
  {
    name: "Xcode Cloud",
    mark: "CI_XCODE_CLOUD",
    commit: ["CI_COMMIT"],
    branch: ["CI_PULL_REQUEST_SOURCE_BRANCH", "CI_BRANCH", "CI_TAG"],
    url: variable("CI_BUILD_URL"),
  },
  {
    name: "Jenkins",
    mark: "JENKINS_URL",
    commit: ["GIT_COMMIT"],
    branch: ["CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH"],
    url: variable("BUILD_URL"),
  },
];

/** The build of the CI system in which the tool runs; null elsewhere. */
export function detectBuild(environment: Environment): Build | null {
  const system = SYSTEMS.find(({ mark }) => environment[mark]);
  if (!system) return null;
  const first = (names: readonly string[]) => names.map((name) => environment[name]).find(Boolean);
  return {
    system: system.name,
    commit: first(system.commit),
    branch: first(system.branch)
      ?.replace(/^refs\/(heads|tags)\//, "")
      .replace(/^origin\//, ""),
    url: system.url(environment),
    message: system.message && (environment[system.message] || undefined),
  };
}
