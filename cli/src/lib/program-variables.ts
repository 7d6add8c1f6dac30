/**
 * The environment variables by which a program is made to run other code or to read another configuration, by what reads them.
 * `*` stands for any characters. The list follows the variables that sudo removes (`initial_badenv_table` of its source), with
 * those of today's interpreters and package managers. No list can be complete.
 */
const PROGRAM_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "the system": "PATH PATHEXT HOME USERPROFILE APPDATA XDG_CONFIG_HOME XDG_DATA_DIRS SYSTEMROOT WINDIR COMSPEC".split(
    " ",
  ),
  "the loader of programs":
    "LD_* _RLD* DYLD_* LDR_* LIBPATH SHLIB_PATH AUTHSTATE GCONV_PATH GLIBC_TUNABLES LOCPATH NLSPATH PATH_LOCALE HOSTALIASES RES_OPTIONS LOCALDOMAIN".split(
      " ",
    ),
  shells:
    "SHELL ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS IFS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE FPATH NULLCMD READNULLCMD ZDOTDIR PSMODULEPATH TERMINFO TERMINFO_DIRS TERMCAP".split(
      " ",
    ),
  "Node.js, Deno and Bun":
    "NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE NODE_REDIRECT_WARNINGS NODE_V8_COVERAGE ELECTRON_RUN_AS_NODE DENO_DIR BUN_OPTIONS BUN_INSPECT* TS_NODE_*".split(
      " ",
    ),
  Python:
    "PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONUSERBASE PYTHONEXECUTABLE PYTHONWARNINGS PYTHONBREAKPOINT PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX".split(
      " ",
    ),
  Perl: "PERL5OPT PERL5LIB PERL5DB PERLLIB PERLIO_DEBUG PERL5SHELL".split(" "),
  Ruby: "RUBYOPT RUBYLIB RUBYSHELL BUNDLE_* GEM_HOME GEM_PATH GEMRC".split(" "),
  PHP: "PHPRC PHP_INI_SCAN_DIR COMPOSER_*".split(" "),
  Java: "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH GRADLE_OPTS GRADLE_USER_HOME GRADLE_HOME MAVEN_OPTS MAVEN_ARGS ANT_OPTS SBT_OPTS".split(
    " ",
  ),
  ".NET":
    "DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_ROOT CORECLR_* COR_ENABLE_PROFILING COR_PROFILER* NUGET_*".split(
      " ",
    ),
  "other interpreters":
    "LUA_INIT* LUA_PATH* LUA_CPATH* R_PROFILE* R_ENVIRON* R_HOME TCLLIBPATH JULIA_LOAD_PATH JULIA_DEPOT_PATH ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ERL_LIBS ELIXIR_ERL_OPTIONS".split(
      " ",
    ),
  "Go and Rust":
    "GOENV GOFLAGS GOROOT GOPATH GOPROXY GONOSUMDB GONOSUMCHECK GOTOOLCHAIN CARGO_* RUSTC RUSTC_* RUSTFLAGS RUSTUP_*".split(
      " ",
    ),
  "libraries that load modules":
    "OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR GDK_PIXBUF_MODULE_FILE GST_PLUGIN_PATH* QT_PLUGIN_PATH KRB5_CONFIG*".split(
      " ",
    ),
  git: "GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG* GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_TEMPLATE_DIR GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_PROXY_SSL* GIT_SSL_* GIT_ALLOW_PROTOCOL SSH_ASKPASS HGRCPATH SVN_SSH".split(
    " ",
  ),
  "programs that others start": "EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE".split(" "),
  "package managers":
    "npm_config_* NPM_CONFIG_* YARN_* COREPACK_* PIP_* PIPENV_* POETRY_* UV_* CONDA_* HOMEBREW_*".split(" "),
  "tools that build":
    "MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES CMAKE_TOOLCHAIN_FILE CMAKE_*_LAUNCHER CC CXX CPP AR AS LD NM RANLIB STRIP".split(
      " ",
    ),
  "tools that build apps":
    "DEVELOPER_DIR SDKROOT TOOLCHAINS ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME ANDROID_NDK_ROOT ANDROID_USER_HOME FLUTTER_ROOT PUB_CACHE PUB_HOSTED_URL CP_HOME_DIR".split(
      " ",
    ),
};

const PATTERNS = Object.entries(PROGRAM_VARIABLES).flatMap(([reader, names]) =>
  names.map((name) => ({ reader, name })),
);

function matches(pattern: string, name: string): boolean {
  const [start = "", end] = pattern.split("*");
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
}

/**
 * Says which programs a variable can make run other code or read another configuration.
 * @param platform names have no case on Windows
 * @returns who reads it, such as `git`; null for the variables of applications
 */
export function readerOf(name: string, platform: NodeJS.Platform): string | null {
  const isWindows = platform === "win32";
  const fold = (text: string) => (isWindows ? text.toUpperCase() : text);
  return PATTERNS.find((pattern) => matches(fold(pattern.name), fold(name)))?.reader ?? null;
}
