/** A test: its file and the beginning of its title. */
type Witness = readonly [file: string, title: string];

export interface SpecificationRow {
  /** The section of the specification, and what its row says. */
  section: "2" | "4" | "5" | "8" | "9";
  rule: string;
  /** The tests that show it. */
  tests: readonly Witness[];
}

const SESSION = "e2e/session.spec.ts";
const GUARD = "e2e/guard.spec.ts";
const SCREENS = "e2e/screens.spec.ts";
const ACCESS = "e2e/access.spec.ts";
const RECOVERY = "e2e/recovery.spec.ts";
const RELEASES = "e2e/releases.spec.ts";
const PUBLISH = "e2e/administrator.spec.ts";
const PASSKEYS = "e2e/passkeys.spec.ts";
const CATALOGUE = "e2e/error-catalogue.spec.ts";
const TOUR = "e2e/tour.spec.ts";
const WORKER = "e2e/service-worker.spec.ts";
const VALUES = "scripts/specification-values.test.ts";
const TWO_FACTOR = "e2e/two-factor.spec.ts";
const TEXTS = "lib/kernel/i18n/failures.test.ts";
const CLOCK = "components/common/session/session-clock.test.ts";
const STATE = "components/common/session/local-state.test.ts";
const CERTIFICATES = "lib/features/certificates/certificates.test.ts";

/** A screen that the matrix of screens opens in both themes, two sizes and six languages. */
const screen = (name: string): Witness => [SCREENS, `name: "${name}"`];
const everyPage: Witness = [GUARD, "every page redirects a visitor without a session to the sign-in"];
const adminOnly: Witness = [GUARD, "every page of the administration redirects other users home"];

/** Each row of the sections 2, 4, 5, 8 and 9 of the specification, with the tests that show it. */
export const SPECIFICATION: readonly SpecificationRow[] = [
  // 2. Screens and routes
  {
    section: "2",
    rule: "/ is the sign-in; a signed-in user is redirected",
    tests: [[SESSION, "the sign-in page redirects signed-in users"], screen("the sign-in")],
  },
  {
    section: "2",
    rule: "/oauth-login is the sign-in callback with an error state and a way home",
    tests: [
      screen("a sign-in by a provider that failed"),
      ["e2e/not-found.spec.ts", "a sign-in that failed shows the brand"],
    ],
  },
  {
    section: "2",
    rule: "/generate-password-recovery requests a link",
    tests: [[RECOVERY, "a user with a forgotten password gets a link by mail"]],
  },
  {
    section: "2",
    rule: "/reset-password sets a new password",
    tests: [[RECOVERY, "a user with a forgotten password gets a link by mail"], screen("the choice of a new password")],
  },
  {
    section: "2",
    rule: "any other path is the not-found page",
    tests: [["e2e/not-found.spec.ts", "is answered with 404 and loaded once"]],
  },
  { section: "2", rule: "/home lists the applications", tests: [screen("home"), everyPage] },
  {
    section: "2",
    rule: "/profile has the tabs My Profile, 2FA and Passkeys",
    tests: [screen("the profile"), screen("one's passkeys"), screen("one's second factor, on")],
  },
  {
    section: "2",
    rule: "/releases is the download page",
    tests: [screen("a release"), [RELEASES, "the download is the published file, byte for byte"]],
  },
  {
    section: "2",
    rule: "/app-environments and the manage pages are for everybody with access",
    tests: [
      screen("an application's environments"),
      screen("the management of environments"),
      screen("the management of releases"),
    ],
  },
  {
    section: "2",
    rule: "the manage pages of variables and certificates need a second factor",
    tests: [
      screen("the secure variables that one manages"),
      ["e2e/second-factor-dialog.spec.ts", "a user without a second factor is led to set one up"],
    ],
  },
  { section: "2", rule: "/admin-dashboard", tests: [screen("the dashboard"), adminOnly] },
  { section: "2", rule: "/admin-users", tests: [screen("the users"), adminOnly] },
  { section: "2", rule: "/admin-platforms", tests: [screen("the platforms"), adminOnly] },
  { section: "2", rule: "/admin-apps", tests: [screen("the applications"), adminOnly] },
  {
    section: "2",
    rule: "/admin-logs",
    tests: [["e2e/audit.spec.ts", "an administrator finds a change in the audit log"], adminOnly],
  },
  { section: "2", rule: "/registered-app", tests: [screen("an application's administration"), adminOnly] },
  { section: "2", rule: "/environment-app", tests: [adminOnly] },
  {
    section: "2",
    rule: "/testing-deploys: filters, creation, installation, sharing",
    tests: [
      [RELEASES, "the list is filtered by platform, version and date"],
      [RELEASES, "a release is shared by a QR code and by a link"],
      [PUBLISH, "a dropped .ipa fills in the form"],
    ],
  },
  {
    section: "2",
    rule: "/dev-variables, /secure-variables, /secure-certificates",
    tests: [adminOnly, ["e2e/certificates.spec.ts", "a PKCS#12 file is read before it is sent"]],
  },
  { section: "2", rule: "/admin-roles", tests: [screen("the roles"), [ACCESS, "an administrator creates a role"]] },
  { section: "2", rule: "/admin-permissions", tests: [[ACCESS, "an administrator creates a role"]] },
  {
    section: "2",
    rule: "/admin-app-config: app info, enable SSO, configure SSO, API tokens, licensing",
    tests: [
      screen("the console's settings"),
      screen("the ways to sign in"),
      screen("the API tokens"),
      ["lib/features/license/operations/update-license.test.ts", "replaces the license"],
    ],
  },
  {
    section: "2",
    rule: "a protected route stores the wanted path and leads to the sign-in",
    tests: [everyPage, [SESSION, "the page requested before the sign-in is shown after it"]],
  },
  { section: "2", rule: "an admin route for others leads home", tests: [adminOnly] },
  { section: "2", rule: "guided tour", tests: [[TOUR, "the tour starts for a new administrator"]] },

  // 4. States and transitions
  { section: "4", rule: "users are active or inactive", tests: [[ACCESS, "is deactivated only after a confirmation"]] },
  {
    section: "4",
    rule: "the session's end is checked immediately",
    tests: [[CLOCK, "reports a session that ended before the page was loaded"]],
  },
  {
    section: "4",
    rule: "the session's end is reported, and the user returns to the sign-in",
    tests: [
      [CLOCK, "reports the end of the session once"],
      [SESSION, "a session that expires while a page is open redirects to the sign-in"],
    ],
  },
  {
    section: "4",
    rule: "the stored state is cleared",
    tests: [
      [STATE, "removes everything of its own and nothing else when it is cleared"],
      [SESSION, "signing out ends the session on the server"],
    ],
  },
  {
    section: "4",
    rule: "passkey sign-in",
    tests: [[PASSKEYS, "by keyboard alone, a passkey is added, signs in by the button"]],
  },
  {
    section: "4",
    rule: "password recovery",
    tests: [
      [RECOVERY, "a user with a forgotten password gets a link by mail"],
      [RECOVERY, "a link that is used, unknown or truncated says so"],
    ],
  },
  { section: "4", rule: "an API token is shown once", tests: [["e2e/ci.spec.ts", "a token is shown once"]] },
  {
    section: "4",
    rule: "a warning is shown when the license is near its end",
    tests: [
      ["lib/features/license/rules.test.ts", "a license is valid until its last 30 days"],
      ["lib/features/license/operations/update-license.test.ts", "says that a license ends within 30 days"],
    ],
  },
  {
    section: "4",
    rule: "the tour has its steps, and can be dismissed permanently",
    tests: [
      [TOUR, "the tour starts for a new administrator"],
      [TOUR, "the tour hides while a dialog is open"],
      ["lib/features/auth/operations/dismiss-tour.test.ts", "keeps with the user that the tour is not shown again"],
    ],
  },
  {
    section: "4",
    rule: "a new service worker asks before it is used, then reloads",
    tests: [[WORKER, "a new version asks, waits for unsaved work in any tab"]],
  },

  {
    section: "4",
    rule: "platforms are activa or inactiva in Spanish",
    tests: [[VALUES, "a platform is activa or inactiva in Spanish"]],
  },
  {
    section: "4",
    rule: "the sign-in takes the public key first, then the credentials",
    tests: [["e2e/session.spec.ts", "a wrong password is refused without revealing"]],
  },
  {
    section: "4",
    rule: "2FA enrolment: start, scan, validate, success",
    tests: [[TWO_FACTOR, "a second factor is enrolled with a code, and its recovery codes are kept"]],
  },
  {
    section: "4",
    rule: "2FA has to be deactivated before it is enrolled again; deactivation ends the session",
    tests: [
      ["lib/features/two-factor/operations/enroll-two-factor.test.ts", "is refused while the second factor is on"],
      [
        "lib/features/two-factor/operations/delete-two-factor.test.ts",
        "accepts a code, removes the secret and the recovery codes, and ends every session",
      ],
    ],
  },
  {
    section: "4",
    rule: "the session is checked every 60 seconds",
    tests: [[VALUES, "the session is checked every 60 seconds"]],
  },

  // 5. Validation rules
  { section: "5", rule: "required fields", tests: [[PUBLISH, "a release without a description is not sent"]] },
  { section: "5", rule: "the passwords must match", tests: [["e2e/setup.spec.ts", "validation.passwordMismatch"]] },
  {
    section: "5",
    rule: "application: name and identifier",
    tests: [["lib/features/apps/schema.test.ts", "include at least a name and an identifier"]],
  },
  {
    section: "5",
    rule: "certificate: allowed formats, at most 1 MB",
    tests: [
      [CERTIFICATES, "is 413 over 1 MB"],
      [CERTIFICATES, "of 1 MB passes"],
    ],
  },
  {
    section: "5",
    rule: "release: description required",
    tests: [["lib/features/releases/schema.test.ts", "must describe what changed"]],
  },
  { section: "5", rule: "release: ipa, apk or aab", tests: [[PUBLISH, "a file that is not an installer is rejected"]] },
  {
    section: "5",
    rule: "release: the installer's identifier must be the application's",
    tests: [[PUBLISH, "the installer of another application is rejected before a byte is sent"]],
  },
  {
    section: "5",
    rule: "license: a token is required",
    tests: [["lib/features/license/operations/update-license.test.ts", "reports a missing or too long token"]],
  },
  {
    section: "5",
    rule: "OTP: a valid code",
    tests: [
      [
        "lib/features/two-factor/operations/enroll-two-factor.test.ts",
        "is refused where it is wrong, and nothing is on",
      ],
    ],
  },
  { section: "5", rule: "permission: a role and at least one scope", tests: [[VALUES, "a permission"]] },
  { section: "5", rule: "platform: logo and name", tests: [[VALUES, 'a platform", createPlatformInput']] },
  { section: "5", rule: "user: names, e-mail, role, provider", tests: [[VALUES, "a user"]] },
  { section: "5", rule: "variable: name, key, value", tests: [[VALUES, "a variable"]] },
  {
    section: "5",
    rule: "certificate: value, name, key; the rest is read from the file",
    tests: [
      [VALUES, "a certificate"],
      [CERTIFICATES, "is described by its file"],
    ],
  },
  {
    section: "5",
    rule: "certificate: messages for format, size and reading",
    tests: [
      ["e2e/certificates.spec.ts", "validation.certificateFormat"],
      [CERTIFICATES, "is 413 over 1 MB"],
      ["lib/features/certificates/internal/reading.test.ts", "read_error"],
    ],
  },
  {
    section: "5",
    rule: "API token: at least one identifier",
    tests: [[VALUES, "of an API token, which has at least one identifier"]],
  },
  {
    section: "5",
    rule: "image: the error shows the maximum in KB",
    tests: [
      [VALUES, "images have at most 300,000 bytes"],
      [VALUES, "the failures of the QR code, the clipboard and the image size"],
    ],
  },
  {
    section: "5",
    rule: "copying to the clipboard has a failure message",
    tests: [[VALUES, "the failures of the QR code, the clipboard and the image size"]],
  },

  // 8. Error catalogue
  {
    section: "8",
    rule: "every failure is a titled notification",
    tests: [[CATALOGUE, "is a notification whose title says what could not be done"]],
  },
  {
    section: "8",
    rule: "could not connect to the server",
    tests: [[CATALOGUE, "is a notification whose title says what could not be done"]],
  },
  { section: "8", rule: "each entry has its own words in six languages", tests: [[TEXTS, "has words for"]] },
  {
    section: "8",
    rule: "session expired",
    tests: [[SESSION, "a session that expires while a page is open redirects to the sign-in"]],
  },
  {
    section: "8",
    rule: "the resource is not available",
    tests: [["e2e/not-found.spec.ts", "a missing record is answered with 404"]],
  },
  {
    section: "8",
    rule: "passkey failures",
    tests: [
      [PASSKEYS, "a user who fails the fingerprint, face or PIN check"],
      [PASSKEYS, "a sign-in that cannot start says why"],
    ],
  },
  {
    section: "8",
    rule: "certificate file: format, size, reading; QR code; copying",
    tests: [
      [TEXTS, "certificate file"],
      [VALUES, "the failures of the QR code, the clipboard and the image size"],
    ],
  },

  // 9. Constants and limits
  {
    section: "9",
    rule: "session check every 60 seconds",
    tests: [[VALUES, "the session is checked every 60 seconds"]],
  },
  {
    section: "9",
    rule: "notifications last 5 seconds, top right",
    tests: [[VALUES, "notifications are shown for 5 seconds at the top right"]],
  },
  {
    section: "9",
    rule: "the general maximum of 300000 bytes is that of images",
    tests: [[VALUES, "images have at most 300,000 bytes"]],
  },
  { section: "9", rule: "2FA: SHA-256", tests: [[VALUES, "the second factor uses SHA-256"]] },
  {
    section: "9",
    rule: "state is stored encrypted with a key of the browser",
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
    rule: "phones are below 992 px",
    tests: [
      [SCREENS, "the navigation on the phone is a sheet"],
      [VALUES, "phones are narrower than 992 px"],
    ],
  },
  { section: "9", rule: "certificate files of at most 1 MB", tests: [[CERTIFICATES, "is 413 over 1 MB"]] },
  {
    section: "9",
    rule: "release files .ipa, .apk, .aab",
    tests: [[PUBLISH, "an .apk and an .aab are published side by side"]],
  },
  {
    section: "9",
    rule: "the tour has 5 steps and a final one",
    tests: [
      [TOUR, "the tour starts for a new administrator"],
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
      ["e2e/error-reporting.spec.ts", "reports errors of the browser and the server"],
    ],
  },
  {
    section: "9",
    rule: "a service worker for offline use, with an update prompt",
    tests: [
      [WORKER, "without a connection, the shell says so"],
      [WORKER, "a new version asks"],
    ],
  },
];
