/** Who sees a page in the console. Pages for nobody there are read in the repository. */
export type DocsReaders = "everybody" | "administrators" | "repository";

/** A page of the documentation, as the lists of pages show it. */
export interface DocsEntry {
  /** Relative to `docs/`. */
  file: string;
  /** What the page is for: one sentence. */
  summary: string;
}

/** Pages that answer one question. */
export interface DocsGroup {
  title: string;
  readers: DocsReaders;
  entries: readonly DocsEntry[];
}

/**
 * All pages of the documentation, in the order of the questions of a person who begins: the one list behind `/docs`, the links to the
 * previous and the next page, and the README, whose list `npm run docs:cli` writes.
 */
export const DOCS_GROUPS: readonly DocsGroup[] = [
  {
    title: "Get a build on a phone",
    readers: "everybody",
    entries: [
      { file: "first-release.md", summary: "From an empty console to a build on a phone." },
      { file: "devices.md", summary: "Register iPhones, and see which devices a release covers." },
      { file: "app-bundles.md", summary: "An APK from each .aab, so that devices install it." },
      { file: "offline.md", summary: "The console as an app on a phone or a computer, and without a connection." },
    ],
  },
  {
    title: "Share it",
    readers: "everybody",
    entries: [
      { file: "share-links.md", summary: "Open a build without an account." },
      { file: "testers.md", summary: "What testers do, in six languages; written to be passed on." },
    ],
  },
  {
    title: "Publish from CI",
    readers: "everybody",
    entries: [
      { file: "ci.md", summary: "GitHub Actions, GitLab CI, Bitrise, fastlane, Gradle, or one request." },
      { file: "cli.md", summary: "Publish, list and compare builds from a terminal." },
      { file: "webhooks.md", summary: "Events for chats, CI and your own services." },
      { file: "moving-to-slipway.md", summary: "From App Center, Zealot, TestFairy or Diawi." },
    ],
  },
  {
    title: "Tell testers, and hear from them",
    readers: "everybody",
    entries: [
      { file: "tester-groups.md", summary: "Tell people of new builds, with or without an account." },
      { file: "in-app-updates.md", summary: "An app that tells its testers of a newer release." },
      { file: "feedback.md", summary: "What testers say about a release." },
    ],
  },
  {
    title: "Why does it not install?",
    readers: "everybody",
    entries: [
      {
        file: "installs.md",
        summary: "What the console says before the tap: why a device refuses a build, and what to do.",
      },
      { file: "doctor.md", summary: "Whether phones can install from this console, and why not." },
      {
        file: "install-funnel.md",
        summary: "Who opened, began and completed installations, and where the others stopped.",
      },
      {
        file: "expiry.md",
        summary: "Profiles, certificates and tokens that expire, and what stops working with them.",
      },
    ],
  },
  {
    title: "Compare builds, find faults, clean up",
    readers: "everybody",
    entries: [
      {
        file: "changes-and-rules.md",
        summary: "Compare builds, and refuse those that break a rule of an environment.",
      },
      { file: "bisect.md", summary: "Test a few builds, and know which one introduced a bug." },
      { file: "symbols.md", summary: "dSYMs and mapping files beside each build, matched by UUID." },
      { file: "retention.md", summary: "Restore what was deleted, and let old releases go." },
    ],
  },
  {
    title: "Variables and certificates",
    readers: "everybody",
    entries: [
      { file: "secrets.md", summary: "Configuration of each environment, with its history, for developers and CI." },
      { file: "certificates.md", summary: "Signing certificates and profiles, stored encrypted." },
      { file: "clients.md", summary: "Read releases and configuration from an app or a server." },
    ],
  },
  {
    title: "People and sign-in",
    readers: "everybody",
    entries: [
      { file: "permissions.md", summary: "Who sees, installs and publishes what." },
      { file: "two-factor.md", summary: "A second step when signing in, with an authenticator app." },
      { file: "passkeys.md", summary: "Sign in with a fingerprint, a face or a security key." },
    ],
  },
  {
    title: "Single sign-on",
    readers: "everybody",
    entries: [
      { file: "sso/README.md", summary: "Who is admitted, and what all providers have in common." },
      { file: "sso/apple.md", summary: "An Apple ID." },
      { file: "sso/azure.md", summary: "An account of Microsoft 365 or Entra ID." },
      { file: "sso/github.md", summary: "An account of GitHub." },
      { file: "sso/gitlab.md", summary: "An account of GitLab." },
      { file: "sso/google.md", summary: "An account of Google Workspace or Gmail." },
      {
        file: "sso/openid.md",
        summary: "An account of Keycloak, authentik, Authelia, Kanidm, Okta or another OpenID Connect provider.",
      },
    ],
  },
  {
    title: "Run it",
    readers: "administrators",
    entries: [
      {
        file: "operations/README.md",
        summary: "What the image needs, for platforms other than docker-compose and Kubernetes.",
      },
      { file: "operations/install.md", summary: "docker-compose with HTTPS on one machine." },
      { file: "operations/kubernetes.md", summary: "The Helm chart." },
      {
        file: "operations/company-network.md",
        summary: "Build and run behind a proxy, with mirrors and a certificate authority of your own.",
      },
      {
        file: "operations/managed-database.md",
        summary: "PostgreSQL of a provider: encryption, passwords and poolers.",
      },
      { file: "local-network.md", summary: "HTTPS for the phones around you, without a domain." },
      { file: "operations/settings.md", summary: "All settings, with their defaults." },
      { file: "mail.md", summary: "Connect a mail server, and which mails are sent." },
    ],
  },
  {
    title: "Size and protect it",
    readers: "administrators",
    entries: [
      { file: "operations/sizing.md", summary: "Memory, disk and limits of each service, as measured." },
      { file: "operations/scaling.md", summary: "What to run for 100, 10,000 and 1,000,000 testers." },
      { file: "operations/hardening.md", summary: "Secrets in files, users, networks and logs." },
      { file: "license.md", summary: "What the license of an installation limits." },
    ],
  },
  {
    title: "Keep it running",
    readers: "administrators",
    entries: [
      { file: "operations/backup.md", summary: "One command, encrypted and verified." },
      { file: "operations/restore.md", summary: "From a backup to a running console." },
      {
        file: "operations/upgrade.md",
        summary: "Two versions side by side, rollback, and new versions of PostgreSQL.",
      },
      { file: "operations/maintenance.md", summary: "Commands for administrators, keys, files and the move to S3." },
      { file: "operations/behavior.md", summary: "What the deployment does by itself, and its limits." },
      { file: "operations/troubleshooting.md", summary: "What to do, by symptom." },
    ],
  },
  {
    title: "See what happens",
    readers: "administrators",
    entries: [
      { file: "operations/monitoring.md", summary: "The health page, metrics, alerts and traces." },
      { file: "dashboard.md", summary: "What the numbers of the dashboard count." },
      { file: "audit.md", summary: "Read, verify and export who did what." },
      { file: "error-reporting.md", summary: "Send errors to Sentry." },
    ],
  },
  {
    title: "Evidence",
    readers: "repository",
    entries: [
      { file: "performance.md", summary: "What is measured, and the results." },
      { file: "reliability.md", summary: "What is killed and broken, and what remains." },
      { file: "security.md", summary: "What the console promises, and which tests hold it." },
      { file: "../SECURITY.md", summary: "How to report a vulnerability." },
    ],
  },
  {
    title: "Develop it",
    readers: "repository",
    entries: [
      { file: "../CONTRIBUTING.md", summary: "Set-up, commands, tests, and how to add an operation." },
      { file: "architecture.md", summary: "The layers, the path of a request, and what belongs where." },
      { file: "glossary.md", summary: "Terms with a meaning of their own." },
      { file: "translating.md", summary: "Texts in six languages." },
      { file: "decisions/README.md", summary: "Why things are built as they are." },
      { file: "../CHANGELOG.md", summary: "What each version changed." },
    ],
  },
];
