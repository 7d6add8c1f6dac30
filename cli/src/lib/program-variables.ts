/**
 * The environment variables by which a program is made to run other code or to read another configuration, by what reads them.
 * `*` stands for any characters. The list follows the variables that sudo removes (`initial_badenv_table` of its source), with
 * those of today's interpreters, package managers and tools of the command line. No list can be complete: a project that lists its own
 * variables in slipway.json does not depend on this one.
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
  Java: "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH GRADLE_OPTS GRADLE_USER_HOME GRADLE_HOME ORG_GRADLE_* MAVEN_* ANT_OPTS SBT_OPTS".split(
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
  "git and its kind":
    "GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG* GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_TEMPLATE_DIR GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_PROXY_SSL* GIT_SSL_* GIT_ALLOW_PROTOCOL GIT_TRACE* GIT_LFS_* SSH_ASKPASS* SSH_AUTH_SOCK SSH_SK_* HGRCPATH HGEDITOR HGMERGE HGPLAIN* SVN_* GH_PAGER GH_HOST GH_PATH GH_CONFIG_DIR GLAB_CONFIG_DIR HUB_CONFIG JJ_CONFIG".split(
      " ",
    ),
  "programs that others start": "EDITOR VISUAL PAGER BROWSER TERMINAL SUDO_*".split(" "),
  "editors and pagers":
    "VIM VIMINIT VIMRUNTIME NVIM_* EXINIT GVIMINIT MYVIMRC EMACSLOADPATH EMACSDATA EMACSPATH LESS LESSOPEN LESSCLOSE LESSKEY* LESSEDIT LESS_* LV MORE MOST_* MANOPT MANPATH MANPAGER MANROFFOPT BAT_* DELTA_* INPUTRC SCREENRC TMUX TMUX_* FZF_* RIPGREP_* GREP_OPTIONS ACK_* LS_COLORS".split(
      " ",
    ),
  "programs that pack and copy":
    "TAR_* TAPE RSYNC_* RSH CVS_* GZIP BZIP BZIP2 XZ_* LZMA_* ZSTD_* ZIP ZIPOPT UNZIP UNZIPOPT ZIPINFO* P7ZIP_* CPIO_* RCLONE_CONFIG *PASSCOMMAND".split(
      " ",
    ),
  "programs that fetch":
    "CURL_* WGETRC SYSTEM_WGETRC WGET_* ARIA2_* HTTPIE_* LFTP_* NETRC ALL_PROXY HTTP_PROXY HTTPS_PROXY FTP_PROXY NO_PROXY all_proxy http_proxy https_proxy ftp_proxy no_proxy *_PROXY *_proxy REQUESTS_CA_BUNDLE *_CA_BUNDLE".split(
      " ",
    ),
  "clients of databases":
    "PGSERVICE PGSERVICEFILE PGSYSCONFDIR PGPASSFILE PGSSL* PGOPTIONS PGKRBSRVNAME PSQLRC PSQL_* MYSQL_HOME MYSQL_TEST_LOGIN_FILE MYSQL_HISTFILE LIBMYSQL_* SQLITE_HISTORY SQLCMD* TNS_ADMIN ORACLE_HOME ORA_* REDISCLI_* MONGOSH_*".split(
      " ",
    ),
  "tools of clouds and clusters":
    "AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_ENDPOINT_URL* AWS_EC2_METADATA_* AWS_CONTAINER_* AWS_PAGER AWS_DATA_PATH AWS_WEB_IDENTITY_* BOTO_CONFIG CLOUDSDK_* AZURE_CONFIG_DIR AZURE_EXTENSION_DIR KUBE* HELM_* DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT DOCKER_CERT_PATH DOCKER_TLS* DOCKER_BUILDKIT DOCKER_CLI_* DOCKER_DEFAULT_PLATFORM BUILDX_* BUILDKIT_* COMPOSE_* CONTAINER_* CONTAINERS_* PODMAN_* REGISTRY_AUTH_FILE VAGRANT_* PACKER_* ANSIBLE_* TF_CLI_* TF_CONFIG* TF_DATA_DIR TF_PLUGIN_* TF_REATTACH_* TF_LOG* TERRAGRUNT_* VAULT_CACERT VAULT_CAPATH".split(
      " ",
    ),
  "package managers":
    "npm_* NPM_CONFIG_* PNPM_* YARN_* COREPACK_* PIP_* PIPX_* PIPENV_* POETRY_* UV_* CONDA_* PYENV_* RBENV_* NVM_* VOLTA_* ASDF_* MISE_* HOMEBREW_* APT_* DEBIAN_FRONTEND NIX_*".split(
      " ",
    ),
  "tools that build":
    "MAKE MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES MAKESHELL CMAKE_* CTEST_* NINJA_* PKG_CONFIG* CCACHE_* SCCACHE_* DISTCC_* BAZEL* BUCK_* CC CXX CPP FC AR AS LD NM RANLIB STRIP CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX".split(
      " ",
    ),
  "tools that build apps":
    "DEVELOPER_DIR SDKROOT TOOLCHAINS XCODE_XCCONFIG_FILE XCODEBUILD_* SWIFT_EXEC ANDROID_HOME ANDROID_SDK_* ANDROID_NDK_* ANDROID_USER_HOME ADB_* FLUTTER_ROOT FLUTTER_STORAGE_BASE_URL PUB_CACHE PUB_HOSTED_URL CP_HOME_DIR".split(
      " ",
    ),
  // What programs of any name call their options, their configuration and the programs that they start.
  "programs of that name, as options":
    "*_OPTIONS *_OPTS *OPTS *_OPT *_ARGS *_FLAGS *CFLAGS *CXXFLAGS *CPPFLAGS *LDFLAGS *RUSTFLAGS".split(" "),
  "programs of that name, as their configuration":
    "*_HOME *_CONFIG_FILE *_CONFIG_DIR *_CONFIG_PATH *_CONFIG_HOME *_CONF *_RC *_RCFILE *_PRELOAD *_PLUGINS *_PLUGIN_PATH *_PLUGIN_DIR *_MODULE_PATH *_LIBRARY_PATH".split(
      " ",
    ),
  "programs of that name, as a program to start":
    "*_PAGER *_EDITOR *_ASKPASS *_BROWSER *_RSH *_SSH *_SHELL *_COMMAND *_CMD *_EXEC *_WRAPPER *_LAUNCHER *_HOOK".split(
      " ",
    ),
};

/** Of the names above, those that applications use and no program of the system reads. */
const OF_APPLICATIONS: readonly string[] = ["APP_*", "FEATURE_*"];

const PATTERNS = Object.entries(PROGRAM_VARIABLES).flatMap(([reader, names]) =>
  names.map((name) => ({ reader, name })),
);

function matches(pattern: string, name: string): boolean {
  const [start = "", end] = pattern.split("*");
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
}

/** Whether two names are of one variable. @param platform names have no case on Windows */
export function isSameVariable(one: string, other: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" ? one.toUpperCase() === other.toUpperCase() : one === other;
}

/**
 * Says which programs a variable can make run other code or read another configuration.
 * @param platform names have no case on Windows
 * @returns who reads it, such as `git`; null for the variables of applications
 */
export function readerOf(name: string, platform: NodeJS.Platform): string | null {
  const isWindows = platform === "win32";
  const fold = (text: string) => (isWindows ? text.toUpperCase() : text);
  if (OF_APPLICATIONS.some((pattern) => matches(pattern, fold(name)))) return null;
  return PATTERNS.find((pattern) => matches(fold(pattern.name), fold(name)))?.reader ?? null;
}
