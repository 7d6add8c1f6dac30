import { expect, it } from "vitest";
import { readerOf } from "./program-variables";

it.each([
  ["PATH", "the system"],
  ["LD_PRELOAD", "the loader of programs"],
  ["LD_LIBRARY_PATH", "the loader of programs"],
  ["DYLD_INSERT_LIBRARIES", "the loader of programs"],
  ["BASH_ENV", "shells"],
  ["BASH_FUNC_ls%%", "shells"],
  ["NODE_OPTIONS", "Node.js, Deno and Bun"],
  ["PYTHONSTARTUP", "Python"],
  ["PERL5OPT", "Perl"],
  ["RUBYOPT", "Ruby"],
  ["JAVA_TOOL_OPTIONS", "Java"],
  ["DOTNET_STARTUP_HOOKS", ".NET"],
  ["GIT_SSH_COMMAND", "git and its kind"],
  ["GIT_CONFIG_KEY_0", "git and its kind"],
  ["GH_PAGER", "git and its kind"],
  ["TAR_OPTIONS", "programs that pack and copy"],
  ["RSYNC_RSH", "programs that pack and copy"],
  ["GZIP", "programs that pack and copy"],
  ["VIMINIT", "editors and pagers"],
  ["LESS", "editors and pagers"],
  ["MANOPT", "editors and pagers"],
  ["SUDO_ASKPASS", "programs that others start"],
  ["AWS_CONFIG_FILE", "tools of clouds and clusters"],
  ["KUBECONFIG", "tools of clouds and clusters"],
  ["DOCKER_HOST", "tools of clouds and clusters"],
  ["ANSIBLE_CONFIG", "tools of clouds and clusters"],
  ["TF_CLI_CONFIG_FILE", "tools of clouds and clusters"],
  ["CURL_HOME", "programs that fetch"],
  ["WGETRC", "programs that fetch"],
  ["HTTPS_PROXY", "programs that fetch"],
  ["https_proxy", "programs that fetch"],
  ["PGSERVICEFILE", "clients of databases"],
  ["ORG_GRADLE_PROJECT_signing", "Java"],
  ["SOMETOOL_OPTIONS", "programs of that name, as options"],
  ["SOMETOOL_HOME", "programs of that name, as their configuration"],
  ["SOMETOOL_PAGER", "programs of that name, as a program to start"],
  ["npm_config_script_shell", "package managers"],
  ["CARGO_BUILD_RUSTC_WRAPPER", "Go and Rust"],
  ["CMAKE_C_COMPILER_LAUNCHER", "tools that build"],
  ["CC", "tools that build"],
  ["DEVELOPER_DIR", "tools that build apps"],
  ["ANDROID_HOME", "tools that build apps"],
  ["TS_NODE_REQUIRE", "Node.js, Deno and Bun"],
])("%s is read by %s", (name, reader) => {
  expect(readerOf(name, "linux")).toBe(reader);
});

it.each([
  "API_URL",
  "NODE_ENV",
  "PORT",
  "DATABASE_URL",
  "GIT_COMMIT",
  "PYTHONUNBUFFERED",
  "APP_PATH",
  "APP_HOME",
  "FEATURE_FLAGS",
  "AWS_REGION",
  "AWS_ACCESS_KEY_ID",
  "PGHOST",
  "PGPASSWORD",
  "REDIS_URL",
  "GH_TOKEN",
  "FASTLANE_PASSWORD",
  "LESSON",
  "SMTP_HOST",
  "STRIPE_KEY",
  "SENTRY_DSN",
  "LOG_LEVEL",
  "NEXT_PUBLIC_API_URL",
  "path",
  "LDAP_URL",
])("%s is a variable of applications", (name) => expect(readerOf(name, "linux")).toBeNull());

it("has no case on Windows", () => {
  expect(readerOf("Path", "win32")).toBe("the system");
  expect(readerOf("node_options", "win32")).toBe("Node.js, Deno and Bun");
  expect(readerOf("Path", "darwin")).toBeNull();
});
