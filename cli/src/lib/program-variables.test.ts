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
  ["GIT_SSH_COMMAND", "git"],
  ["GIT_CONFIG_KEY_0", "git"],
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
  "path",
  "LDAP_URL",
])("%s is a variable of applications", (name) => expect(readerOf(name, "linux")).toBeNull());

it("has no case on Windows", () => {
  expect(readerOf("Path", "win32")).toBe("the system");
  expect(readerOf("node_options", "win32")).toBe("Node.js, Deno and Bun");
  expect(readerOf("Path", "darwin")).toBeNull();
});
