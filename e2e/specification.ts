/** A test: its file, and the beginning of its title or of that of its group. */
type Witness = readonly [file: string, title: string];

export interface SpecificationRow {
  /** The section of the specification, and what its row says. */
  section: "2" | "4" | "5" | "8" | "9";
  rule: string;
  /** The tests that show it. */
  tests: readonly Witness[];
}

const SESSION = "e2e/session.spec.ts";
const SSO = "e2e/sso.spec.ts";
const SSO_CONFIG = "e2e/sso-config.spec.ts";
const GUARD = "e2e/guard.spec.ts";
const SCREENS = "e2e/screens.spec.ts";
const CONTENTS = "e2e/contents.spec.ts";
const TABLES = "e2e/tables.spec.ts";
const FORMS = "e2e/forms.spec.ts";
const UNDO = "e2e/undo.spec.ts";
const KEYBOARD = "e2e/keyboard.slow.spec.ts";
const ACCESS = "e2e/access.spec.ts";
const RECOVERY = "e2e/recovery.spec.ts";
const RELEASES = "e2e/releases.spec.ts";
const INSTALL = "e2e/install.spec.ts";
const PUBLISH = "e2e/administrator.spec.ts";
const TESTER = "e2e/tester.spec.ts";
const PASSKEYS = "e2e/passkeys.spec.ts";
const CATALOGUE = "e2e/error-catalogue.spec.ts";
const CATALOGUE_SLOW = "e2e/error-catalogue.slow.spec.ts";
const TOUR = "e2e/tour.spec.ts";
const VARIABLES = "e2e/variables.spec.ts";
const CERTIFICATE_PAGES = "e2e/certificates.spec.ts";
const SECOND_FACTOR = "e2e/second-factor-dialog.spec.ts";
const LICENSE = "e2e/license.spec.ts";
const SHELL = "e2e/shell.spec.ts";
const NOT_FOUND = "e2e/not-found.spec.ts";
const SETUP = "e2e/setup.spec.ts";
const CI = "e2e/ci.spec.ts";
const WORKER = "e2e/service-worker.spec.ts";
const VALUES = "scripts/specification-values.test.ts";
const TWO_FACTOR = "e2e/two-factor.spec.ts";
const TEXTS = "lib/kernel/i18n/failures.test.ts";
const CLOCK = "components/common/session/session-clock.test.ts";
const STATE = "components/common/session/local-state.test.ts";
const CERTIFICATES = "lib/features/certificates/certificates.test.ts";
const ENROLLMENT = "lib/features/two-factor/operations/enroll-two-factor.test.ts";

const everyPage: Witness = [GUARD, "every page redirects a visitor without a session to the sign-in"];
const adminOnly: Witness = [GUARD, "every page of the administration redirects other users home"];
const requestedPage: Witness = [SESSION, "the page requested before the sign-in is shown after it"];
/** A screen in both themes, two sizes and six languages. */
const screen = (name: string): Witness => [SCREENS, name];
/** The columns of a table, and its CSV. */
const table = (what: string): Witness => [TABLES, `the table of ${what}`];
/** The required fields of a form. */
const form = (what: string): Witness => [FORMS, `the empty form of ${what}`];
/** The switch of a form, and the status in its list. */
const switchOf = (what: string): Witness => [FORMS, `${what} is switched off and on again`];
/** The failures of the operations of a screen: each refused, and one for each kind of control without a connection. */
/** One operation of each kind of control, and the others. */
const failuresOn = (name: string): Witness => [CATALOGUE, `a failure on ${name}`];
const otherFailuresOn = (name: string): Witness => [CATALOGUE_SLOW, `a failure on ${name}`];

/** Each row of the sections 2, 4, 5, 8 and 9 of the specification, with the tests that show it. */
export const SPECIFICATION: readonly SpecificationRow[] = [
  // 2. Screens and routes
  {
    section: "2",
    rule: "/ signs in by e-mail and password, by a provider and by passkey, and links to the forgotten password",
    tests: [
      [SESSION, "the page requested before the sign-in is shown after it"],
      [SSO, "a provider is offered as soon as an administrator enables it"],
      [SSO, "a user registered with Google signs in there"],
      [PASSKEYS, "by keyboard alone, a passkey is added, signs in by the button"],
      [RECOVERY, "a user with a forgotten password gets a link by mail"],
      screen("the sign-in"),
    ],
  },
  {
    section: "2",
    rule: "/ redirects a signed-in user to the dashboard or home",
    tests: [[SESSION, "the sign-in page redirects signed-in users"]],
  },
  {
    section: "2",
    rule: "/oauth-login verifies the credentials, and on an error names technical support and leads home",
    tests: [
      [SSO, "an unregistered person is told so, with what to do and a way back"],
      screen("a sign-in by a provider that failed"),
      [NOT_FOUND, "a sign-in that failed shows the brand"],
    ],
  },
  {
    section: "2",
    rule: "/generate-password-recovery requests a link, then says that it was sent",
    tests: [
      [RECOVERY, "a user with a forgotten password gets a link by mail"],
      screen("the request of a recovery link"),
    ],
  },
  {
    section: "2",
    rule: "/reset-password sets a new password with a confirmation, and leads to the sign-in",
    tests: [[RECOVERY, "a user with a forgotten password gets a link by mail"], screen("the choice of a new password")],
  },
  {
    section: "2",
    rule: "any other path is the not-found page with a way home",
    tests: [[NOT_FOUND, "is answered with 404 and loaded once"], screen("the not-found page")],
  },
  {
    section: "2",
    rule: "/home lists the applications that the user may see, and leads to their releases",
    tests: [[TESTER, "a tester gets from home to a release"], screen("home"), everyPage],
  },
  {
    section: "2",
    rule: "/home says that no application was found",
    tests: [[ACCESS, "an administrator creates a role"]],
  },
  {
    section: "2",
    rule: "/profile shows names, e-mail, role and team, and changes the names",
    tests: [[CONTENTS, "the profile shows names, e-mail, role and team"], screen("the profile"), everyPage],
  },
  {
    section: "2",
    rule: "/profile has the tabs 2FA and Passkeys",
    tests: [
      screen("one's passkeys"),
      screen("one's second factor, on"),
      [PASSKEYS, "by keyboard alone, a passkey is added, signs in by the button"],
      [TWO_FACTOR, "a second factor is enrolled with a code"],
    ],
  },
  {
    section: "2",
    rule: "/releases shows a release with its date, environment and download",
    tests: [
      [CONTENTS, "the page of a release shows its environment, its date"],
      [RELEASES, "the download is the published file, byte for byte"],
      screen("a release"),
      everyPage,
    ],
  },
  {
    section: "2",
    rule: "/app-environments, /manage-app-environments and /manage-testing-deploys are for everybody with access",
    tests: [
      screen("an application's environments"),
      screen("the management of environments"),
      screen("the management of releases"),
      [TESTER, "what a tester may not do is not shown"],
      everyPage,
    ],
  },
  {
    section: "2",
    rule: "/manage-dev-variables, /manage-secure-variables and /manage-secure-certificates need a second factor",
    tests: [
      [SECOND_FACTOR, "a user without a second factor is led to set one up"],
      [VARIABLES, "someone without a second factor is led to its setup"],
      [CERTIFICATE_PAGES, "a PKCS#12 file is read before it is sent"],
      screen("the variables that one manages"),
      screen("the secure variables that one manages"),
      screen("the secure certificates that one manages"),
    ],
  },
  {
    section: "2",
    rule: "/admin-dashboard leads to applications, platforms, users, roles, permissions, configuration and audit",
    tests: [[CONTENTS, "the dashboard links to each section"], screen("the dashboard"), adminOnly],
  },
  {
    section: "2",
    rule: "/admin-dashboard has the guided setup tour",
    tests: [[TOUR, "the tour is offered to a new administrator"]],
  },
  {
    section: "2",
    rule: "/admin-users: name, last name, e-mail, provider, role, team, status",
    tests: [table("users"), screen("the users"), adminOnly],
  },
  {
    section: "2",
    rule: "/admin-platforms: logo, name, status",
    tests: [table("platforms"), screen("the platforms"), adminOnly],
  },
  {
    section: "2",
    rule: "/admin-apps: logo, name, description, status",
    tests: [table("applications"), screen("the applications"), adminOnly],
  },
  {
    section: "2",
    rule: "/admin-logs: search by table, count, CSV; log ID, user ID, table, record ID, action, date",
    tests: [
      table("records of the audit log"),
      ["e2e/audit.spec.ts", "an administrator finds a change in the audit log"],
      ["lib/features/audit/operations/get-audit-logs.test.ts", "counts exactly by table, action and user"],
      screen("the audit log"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/registered-app adds, changes and manages environments",
    tests: [
      [KEYBOARD, "by keyboard alone, a new console is set up"],
      [UNDO, "an environment is as before"],
      [PUBLISH, "by keyboard alone, an administrator signs in"],
      screen("an application's administration"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/registered-app leads to the configuration of a server, an app and a command line",
    tests: [
      [CONTENTS, "the connection of an environment has the configuration"],
      ["e2e/configuration-code.spec.ts", "the code for a server reads the environment"],
    ],
  },
  {
    section: "2",
    rule: "/environment-app leads to releases, variables and certificates",
    tests: [
      [SHELL, "the tabs of an environment are in the address"],
      screen("an environment's administration"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/testing-deploys: description, version, platform, deploy date, size",
    tests: [table("releases"), screen("the releases"), adminOnly],
  },
  {
    section: "2",
    rule: "/testing-deploys filters by platform and date",
    tests: [[RELEASES, "the list is filtered by platform, version and date"]],
  },
  {
    section: "2",
    rule: "/testing-deploys creates releases",
    tests: [
      [PUBLISH, "a dropped .ipa fills in the form"],
      [PUBLISH, "an .apk and an .aab are published side by side"],
    ],
  },
  {
    section: "2",
    rule: "/testing-deploys installs, and shares by QR code, its copy and a link",
    tests: [
      [RELEASES, "a release is shared by a QR code and by a link"],
      [INSTALL, "home on iPhone has one button"],
      [INSTALL, "Android gets the .apk"],
    ],
  },
  {
    section: "2",
    rule: "/dev-variables creates, changes and deletes",
    tests: [[VARIABLES, "a dropped .env is checked and imported"], screen("the development variables"), adminOnly],
  },
  {
    section: "2",
    rule: "/secure-variables creates, changes and deletes",
    tests: [
      [VARIABLES, "a secure value is not part of the page"],
      switchOf("a secure variable"),
      [UNDO, "a deleted secure variable is restored"],
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/secure-certificates creates, changes and deletes",
    tests: [
      [CERTIFICATE_PAGES, "a PKCS#12 file is read before it is sent"],
      screen("the secure certificates"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/admin-roles creates and renames roles",
    tests: [
      [ACCESS, "an administrator creates a role"],
      [UNDO, "a role's name is as before"],
      table("roles"),
      screen("the roles"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/admin-permissions: role, scopes, applications, environments",
    tests: [table("permissions"), [ACCESS, "an administrator creates a role"], screen("the permissions"), adminOnly],
  },
  {
    section: "2",
    rule: "/admin-app-config: app info",
    tests: [
      [SSO_CONFIG, "the console's name, description and logo are changed"],
      screen("the console's settings"),
      adminOnly,
    ],
  },
  {
    section: "2",
    rule: "/admin-app-config: enable and configure SSO",
    tests: [
      [SSO_CONFIG, "by keyboard alone, a provider is configured, tested and enabled"],
      [SSO_CONFIG, "the URLs for the provider's console are copied"],
      screen("the ways to sign in"),
      screen("the configuration of Apple"),
    ],
  },
  {
    section: "2",
    rule: "/admin-app-config: API tokens with name, application, environment, identifiers, valid until",
    tests: [table("API tokens"), screen("the API tokens")],
  },
  { section: "2", rule: "/admin-app-config: licensing", tests: [[LICENSE, "an administrator enters a license"]] },
  {
    section: "2",
    rule: "a protected route stores the wanted path and leads to the sign-in",
    tests: [everyPage, requestedPage],
  },
  { section: "2", rule: "an admin route for others leads home", tests: [adminOnly] },
  {
    section: "2",
    rule: "2FA enrolment wizard",
    tests: [[TWO_FACTOR, "by keyboard alone, a second factor is enrolled"], screen("the QR code of a second factor")],
  },
  {
    section: "2",
    rule: "API token dialog",
    tests: [[CI, "a token is shown once"], screen("the form of an API token")],
  },

  // 4. States and transitions
  {
    section: "4",
    rule: "users are active or inactive",
    tests: [
      [ACCESS, "is deactivated only after a confirmation"],
      [UNDO, "a user is as before"],
    ],
  },
  { section: "4", rule: "platforms are active or inactive", tests: [switchOf("a platform")] },
  { section: "4", rule: "applications are active or inactive", tests: [switchOf("an application")] },
  { section: "4", rule: "environments are active or inactive", tests: [switchOf("an environment")] },
  { section: "4", rule: "development variables are active or inactive", tests: [switchOf("a development variable")] },
  { section: "4", rule: "secure variables are active or inactive", tests: [switchOf("a secure variable")] },
  { section: "4", rule: "certificates are active or inactive", tests: [switchOf("a certificate")] },
  {
    section: "4",
    rule: "platforms are activa or inactiva in Spanish",
    tests: [[VALUES, "a platform is activa or inactiva in Spanish"], switchOf("a platform")],
  },
  {
    section: "4",
    rule: "the session's end is checked immediately",
    tests: [[CLOCK, "reports a session that ended before the page was loaded"]],
  },
  {
    section: "4",
    rule: "the session is checked every 60 seconds",
    tests: [
      [VALUES, "the session is checked every 60 seconds"],
      [SESSION, "a session that expires while a page is open redirects to the sign-in"],
    ],
  },
  {
    section: "4",
    rule: "at the session's end the user returns to the sign-in, which says so",
    tests: [
      [CLOCK, "reports the end of the session once"],
      [SESSION, "a session that expires while a page is open redirects to the sign-in"],
    ],
  },
  {
    section: "4",
    rule: "at the session's end the stored state is cleared",
    tests: [
      [STATE, "removes everything of its own and nothing else when it is cleared"],
      [SESSION, "signing out ends the session on the server"],
    ],
  },
  {
    section: "4",
    rule: "the sign-in takes the public key first, then the credentials",
    tests: [
      [SESSION, "the password is sent sealed with the public key"],
      [SESSION, "a wrong password is refused without revealing"],
    ],
  },
  {
    section: "4",
    rule: "the passkey sign-in has two steps: options, then validation",
    tests: [
      [PASSKEYS, "by keyboard alone, a passkey is added, signs in by the button"],
      [PASSKEYS, "a sign-in that cannot start says why"],
    ],
  },
  {
    section: "4",
    rule: "2FA enrolment: start, scan, validate, success",
    tests: [[TWO_FACTOR, "a second factor is enrolled with a code, and its recovery codes are kept"]],
  },
  {
    section: "4",
    rule: "2FA has to be deactivated before it is enrolled again",
    tests: [[ENROLLMENT, "is refused while the second factor is on"]],
  },
  {
    section: "4",
    rule: "deactivating 2FA ends the session",
    tests: [
      [
        "lib/features/two-factor/operations/delete-two-factor.test.ts",
        "accepts a code, removes the secret and the recovery codes, and ends every session",
      ],
      [TWO_FACTOR, "without the phone, a recovery code signs in once"],
    ],
  },
  {
    section: "4",
    rule: "password recovery: request, link by e-mail, reset, success, sign-in",
    tests: [
      [RECOVERY, "a user with a forgotten password gets a link by mail"],
      [RECOVERY, "a link that is used, unknown or truncated says so"],
    ],
  },
  {
    section: "4",
    rule: "an API token is shown once and not stored",
    tests: [
      [CI, "a token is shown once"],
      [
        "lib/features/api-tokens/operations/create-api-token.test.ts",
        "returns the token once and stores only its hash",
      ],
    ],
  },
  {
    section: "4",
    rule: "a warning is shown when the license is near its end",
    tests: [
      [LICENSE, "an administrator enters a license, is warned 30 days before its end"],
      ["lib/features/license/rules.test.ts", "a license is valid until its last 30 days"],
      ["lib/features/license/operations/update-license.test.ts", "says that a license ends within 30 days"],
    ],
  },
  {
    section: "4",
    rule: "the tour: roles, users, platforms, applications, permissions, and a final step",
    tests: [[TOUR, "the tour is offered to a new administrator"]],
  },
  {
    section: "4",
    rule: "the tour can be dismissed permanently",
    tests: [
      [TOUR, "the tour hides while a dialog is open"],
      ["lib/features/auth/operations/dismiss-tour.test.ts", "keeps with the user that the tour is not shown again"],
    ],
  },
  {
    section: "4",
    rule: "a new service worker asks before it is used, then reloads",
    tests: [[WORKER, "a new version asks, waits for unsaved work in any tab"]],
  },

  // 5. Validation rules
  {
    section: "5",
    rule: "all forms: the message for required fields",
    tests: [
      form("an application"),
      form("an environment"),
      form("a platform"),
      form("a user"),
      form("a role"),
      form("a permission"),
      form("a development variable"),
      form("a secure variable"),
      form("a certificate"),
      form("an API token"),
      form("a license"),
      [PUBLISH, "a release without a description is not sent"],
    ],
  },
  {
    section: "5",
    rule: "the passwords must match",
    tests: [
      [SETUP, "the setup link that a new console prints"],
      [RECOVERY, "a user with a forgotten password gets a link by mail"],
    ],
  },
  {
    section: "5",
    rule: "OTP: a valid code",
    tests: [
      [ENROLLMENT, "is refused where it is wrong, and nothing is on"],
      [TWO_FACTOR, "a sign-in asks for a code"],
    ],
  },
  {
    section: "5",
    rule: "application: name and identifier",
    tests: [form("an application"), ["lib/features/apps/schema.test.ts", "include at least a name and an identifier"]],
  },
  { section: "5", rule: "environment: name", tests: [form("an environment")] },
  { section: "5", rule: "platform: logo and name", tests: [form("a platform"), [VALUES, "of a platform"]] },
  { section: "5", rule: "user: names, e-mail, role, provider", tests: [form("a user"), [VALUES, "of a user"]] },
  { section: "5", rule: "role: name", tests: [form("a role")] },
  {
    section: "5",
    rule: "permission: a role and at least one scope",
    tests: [form("a permission"), [VALUES, "of a permission"]],
  },
  {
    section: "5",
    rule: "development variable: name, key, value",
    tests: [form("a development variable"), [VALUES, "of a variable"]],
  },
  { section: "5", rule: "secure variable: name, key, value", tests: [form("a secure variable")] },
  { section: "5", rule: "certificate: value, name, key", tests: [form("a certificate"), [VALUES, "of a certificate"]] },
  { section: "5", rule: "API token: name, application, environment", tests: [form("an API token")] },
  {
    section: "5",
    rule: "license: a token is required",
    tests: [
      form("a license"),
      ["lib/features/license/operations/update-license.test.ts", "reports a missing or too long token"],
    ],
  },
  {
    section: "5",
    rule: "application: the description is optional",
    tests: [
      ["lib/features/apps/operations/create-app.test.ts", "makes it active, without description and logo, by default"],
    ],
  },
  {
    section: "5",
    rule: "certificate: the expiration date and the hash are read from the file, or asked for",
    tests: [
      [CERTIFICATES, "is described by its file"],
      [CERTIFICATE_PAGES, "a PKCS#12 file is read before it is sent"],
    ],
  },
  {
    section: "5",
    rule: "certificate: pem, crt, cer, der, p7b, p7c, p12, pfx, key",
    tests: [[VALUES, "certificates have the allowed formats"]],
  },
  {
    section: "5",
    rule: "certificate: at most 1 MB",
    tests: [
      [CERTIFICATES, "is 413 over 1 MB"],
      [CERTIFICATES, "of 1 MB passes"],
    ],
  },
  {
    section: "5",
    rule: "certificate: messages for format, size and reading",
    tests: [
      [CERTIFICATE_PAGES, "a PKCS#12 file is read before it is sent"],
      [CERTIFICATES, "a file that cannot be used"],
    ],
  },
  {
    section: "5",
    rule: "release: file, version, build number, platform and description are required",
    tests: [
      [PUBLISH, "a release without a description is not sent"],
      ["lib/features/releases/schema.test.ts", "must describe what changed"],
    ],
  },
  { section: "5", rule: "release: ipa, apk or aab", tests: [[PUBLISH, "a file that is not an installer is rejected"]] },
  {
    section: "5",
    rule: "release: the installer's identifier must be the application's",
    tests: [[PUBLISH, "the installer of another application is rejected before a byte is sent"]],
  },
  {
    section: "5",
    rule: "API token: at least one identifier",
    tests: [
      [VALUES, "of an API token, which has at least one identifier"],
      ["lib/features/api-tokens/operations/create-api-token.test.ts", "requires at least one identifier and says so"],
    ],
  },
  {
    section: "5",
    rule: "image: the error shows the maximum in KB",
    tests: [[CONTENTS, "an image over 300,000 bytes is refused"]],
  },
  {
    section: "5",
    rule: "copying to the clipboard has a failure message",
    tests: [[CONTENTS, "a text that the browser does not copy is reported"]],
  },

  // 8. Error catalogue
  {
    section: "8",
    rule: "every failure is a titled notification, which says why",
    tests: [
      failuresOn("the applications"),
      failuresOn("the users"),
      otherFailuresOn("the users"),
      failuresOn("the profile"),
      otherFailuresOn("the profile"),
    ],
  },
  { section: "8", rule: "each entry has its own words in six languages", tests: [[TEXTS, "has words for"]] },
  {
    section: "8",
    rule: "error in the server response, unknown and unexpected errors",
    tests: [[CONTENTS, "an answer that is none of the API says what could not be done, and why"]],
  },
  {
    section: "8",
    rule: "could not connect to the server",
    tests: [failuresOn("the applications"), ["e2e/truth.spec.ts", "an error is shown while the browser is offline"]],
  },
  { section: "8", rule: "validation error, with the message to enter required data", tests: [form("an application")] },
  {
    section: "8",
    rule: "session expired",
    tests: [[SESSION, "a session that expires while a page is open redirects to the sign-in"]],
  },
  {
    section: "8",
    rule: "the resource is not available",
    tests: [[NOT_FOUND, "a missing record is answered with 404"]],
  },
  {
    section: "8",
    rule: "cannot get public key; cannot log out",
    tests: [failuresOn("the profile"), otherFailuresOn("the profile")],
  },
  { section: "8", rule: "cannot create session", tests: [failuresOn("the sign-in")] },
  {
    section: "8",
    rule: "cannot get login URL",
    tests: [[SSO, "a provider that does not answer is reported at its button"]],
  },
  {
    section: "8",
    rule: "invalid OTP code",
    tests: [[TWO_FACTOR, "a sign-in asks for a code"], otherFailuresOn("the second step of the sign-in")],
  },
  {
    section: "8",
    rule: "passkeys: cannot delete, get or register; authentication failed; no credential",
    tests: [
      failuresOn("one's passkeys"),
      otherFailuresOn("one's passkeys"),
      [PASSKEYS, "a user who fails the fingerprint, face or PIN check"],
      [PASSKEYS, "a sign-in that cannot start says why"],
      [TEXTS, "has words for"],
    ],
  },
  { section: "8", rule: "failures of users", tests: [failuresOn("the users"), otherFailuresOn("the users")] },
  { section: "8", rule: "failures of profile", tests: [failuresOn("the profile"), otherFailuresOn("the profile")] },
  {
    section: "8",
    rule: "failures of 2FA: enrol and validate",
    tests: [failuresOn("one's second factor, off"), otherFailuresOn("one's second factor, off")],
  },
  { section: "8", rule: "failures of 2FA: delete", tests: [otherFailuresOn("one's second factor, on")] },
  { section: "8", rule: "failures of recovery link", tests: [otherFailuresOn("the request of a recovery link")] },
  {
    section: "8",
    rule: "failures of audit logs",
    tests: [failuresOn("the audit log"), otherFailuresOn("the audit log")],
  },
  {
    section: "8",
    rule: "failures of API tokens",
    tests: [failuresOn("the API tokens"), otherFailuresOn("the API tokens")],
  },
  { section: "8", rule: "failures of app config", tests: [otherFailuresOn("the console's settings")] },
  { section: "8", rule: "failures of license", tests: [otherFailuresOn("the license")] },
  {
    section: "8",
    rule: "failures of permissions and scopes",
    tests: [failuresOn("the permissions"), otherFailuresOn("the permissions")],
  },
  { section: "8", rule: "failures of platforms", tests: [otherFailuresOn("the platforms")] },
  { section: "8", rule: "failures of roles", tests: [otherFailuresOn("the roles")] },
  { section: "8", rule: "failures of applications and file upload", tests: [failuresOn("the applications")] },
  { section: "8", rule: "failures of environments", tests: [otherFailuresOn("an application")] },
  {
    section: "8",
    rule: "failures of development variables",
    tests: [failuresOn("the development variables"), otherFailuresOn("the development variables")],
  },
  {
    section: "8",
    rule: "failures of secure variables",
    tests: [failuresOn("the secure variables"), otherFailuresOn("the secure variables")],
  },
  {
    section: "8",
    rule: "failures of certificates",
    tests: [failuresOn("the certificates"), otherFailuresOn("the certificates")],
  },
  { section: "8", rule: "failures of releases", tests: [failuresOn("the releases"), otherFailuresOn("the releases")] },
  {
    section: "8",
    rule: "failures of the provider configuration",
    tests: [
      failuresOn("the configuration of"),
      otherFailuresOn("the configuration of"),
      failuresOn("the ways to sign in"),
    ],
  },
  {
    section: "8",
    rule: "certificate file: invalid format, too large, read error",
    tests: [
      [CERTIFICATE_PAGES, "a PKCS#12 file is read before it is sent"],
      [TEXTS, "has words for"],
    ],
  },
  {
    section: "8",
    rule: "the QR code could not be generated or loaded",
    tests: [
      [CONTENTS, "a QR code whose code cannot be loaded"],
      [VALUES, "the failures of the QR code, the clipboard and the image size"],
    ],
  },
  {
    section: "8",
    rule: "the text could not be copied",
    tests: [[CONTENTS, "a text that the browser does not copy is reported"]],
  },

  // 9. Constants and limits
  {
    section: "9",
    rule: "session check every 60 seconds, in seconds",
    tests: [
      [VALUES, "the session is checked every 60 seconds"],
      [CLOCK, "reports the end of the session once"],
    ],
  },
  {
    section: "9",
    rule: "notifications last 5 seconds, top right",
    tests: [
      [VALUES, "notifications are shown for 5 seconds at the top right"],
      ["e2e/people.spec.ts", "a notification covers neither the primary button"],
    ],
  },
  {
    section: "9",
    rule: "phones are below 992 px",
    tests: [
      [VALUES, "phones are narrower than 992 px"],
      [SCREENS, "the navigation on the phone is a sheet"],
    ],
  },
  {
    section: "9",
    rule: "certificate files of at most 1 MB",
    tests: [
      [CERTIFICATES, "is 413 over 1 MB"],
      [CERTIFICATES, "of 1 MB passes"],
    ],
  },
  {
    section: "9",
    rule: "the general maximum of 300000 bytes is that of images",
    tests: [
      [VALUES, "images have at most 300,000 bytes"],
      [CONTENTS, "an image over 300,000 bytes is refused"],
    ],
  },
  {
    section: "9",
    rule: "release files .ipa, .apk, .aab",
    tests: [
      [PUBLISH, "an .apk and an .aab are published side by side"],
      [PUBLISH, "a dropped .ipa fills in the form"],
    ],
  },
  {
    section: "9",
    rule: "2FA: SHA-256 with an authenticator app",
    tests: [
      [VALUES, "the second factor uses SHA-256"],
      [TWO_FACTOR, "an app that silently computes with SHA-1 is reported"],
    ],
  },
  {
    section: "9",
    rule: "the tour has 5 steps and a final one",
    tests: [
      [TOUR, "the tour is offered to a new administrator"],
      [VALUES, "the tour has five steps and a final one"],
    ],
  },
  {
    section: "9",
    rule: "error reporting: traces 100 %, replays 10 %, on error 100 %",
    tests: [
      [
        "lib/kernel/reporting/options.test.ts",
        "samples all traces, a tenth of the replays and all replays with an error",
      ],
      ["e2e/error-reporting.slow.spec.ts", "reports errors of the browser and the server"],
    ],
  },
  {
    section: "9",
    rule: "state is stored encrypted with a generated AES key of the browser",
    tests: [
      [STATE, "encrypts with a 256-bit key of the browser's own"],
      [STATE, "stores nothing in readable form"],
    ],
  },
  {
    section: "9",
    rule: "the sign-in is in a cookie that no script can read",
    tests: [[SESSION, "the session is in a cookie that no script can read"]],
  },
  {
    section: "9",
    rule: "a service worker for offline use, with an update prompt",
    tests: [
      [WORKER, "without a connection, the shell says so"],
      [WORKER, "a new version asks, waits for unsaved work in any tab"],
    ],
  },
];

const CHAIN = "e2e/audit-chain.slow.spec.ts";
const TLS = "lib/http/server/tls.test.ts";
const NOTES = "lib/features/releases/internal/release-notes.test.ts";

/** Bad input and states that a console meets, with the tests that show what it does. */
export const BAD_INPUT: readonly { input: string; tests: readonly Witness[] }[] = [
  {
    input: "a record of the audit log that a superuser changed, removed, inserted or re-ordered",
    tests: [
      ["lib/audit/verify.test.ts", "reports only the record whose"],
      [CHAIN, "a record that a superuser of the database has changed"],
      [CHAIN, "a record that a superuser of the database has removed"],
      [CHAIN, "a record that a superuser of the database has inserted"],
      [CHAIN, "a record that a superuser of the database has re-ordered"],
    ],
  },
  {
    input: "a new version of the service worker in the middle of an upload",
    tests: [[WORKER, "a new version that comes in the middle of an upload"]],
  },
  {
    input: "a dashboard with nothing, with one thing, and after a year of nothing",
    tests: [["e2e/quiet-dashboard.spec.ts", "the dashboard of a console with nothing"]],
  },
  {
    input: "a phone that trusts nothing yet, at /trust and at the https address",
    tests: [
      [TLS, "serves HTTPS on the HTTP port to clients that trust the authority"],
      [TLS, "answers /trust over plain HTTP too"],
      [TLS, "sends /home over plain HTTP to the page where a device learns to trust"],
      ["lib/features/trust/operations/trust.test.ts", "answers the certificate in PEM"],
    ],
  },
  {
    input: "texts of 5,000 characters in every operation",
    tests: [["lib/operations.test.ts", "limits each text"]],
  },
  {
    input: "names of one long word, and names with quotes, formulas and from right to left",
    tests: [
      ["e2e/long-names.slow.spec.ts", "names and identifiers of one long word"],
      ["e2e/long-names.slow.spec.ts", "names of the greatest length from right to left"],
      [TABLES, "the table of"],
    ],
  },
  {
    input: "release notes with HTML, javascript: links and 10,000 nested quotes",
    tests: [
      [NOTES, "show HTML as text"],
      [NOTES, "with 10,000 nested quotes"],
      [NOTES, "are safe whatever is written"],
      [INSTALL, "release notes are shown as Markdown, and nothing in them runs"],
    ],
  },
  {
    input: "a license token of another key, without a signature, or from the future",
    tests: [
      [LICENSE, "a token of another key, without a signature or from the future is refused"],
      ["lib/kernel/crypto/license-token.test.ts", "a license token"],
    ],
  },
  {
    input: "an undo after somebody else's change",
    tests: [
      [UNDO, "an application is as before"],
      [UNDO, "the access of a role is as before"],
      [UNDO, "a deleted development variable is restored"],
    ],
  },
];
