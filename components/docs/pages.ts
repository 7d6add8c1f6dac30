import "server-only";
import appBundles from "@/docs/app-bundles.md?raw";
import bisect from "@/docs/bisect.md?raw";
import certificates from "@/docs/certificates.md?raw";
import changesAndRules from "@/docs/changes-and-rules.md?raw";
import ci from "@/docs/ci.md?raw";
import cli from "@/docs/cli.md?raw";
import clients from "@/docs/clients.md?raw";
import devices from "@/docs/devices.md?raw";
import doctor from "@/docs/doctor.md?raw";
import expiry from "@/docs/expiry.md?raw";
import feedback from "@/docs/feedback.md?raw";
import firstRelease from "@/docs/first-release.md?raw";
import inAppUpdates from "@/docs/in-app-updates.md?raw";
import installFunnel from "@/docs/install-funnel.md?raw";
import installs from "@/docs/installs.md?raw";
import movingToSlipway from "@/docs/moving-to-slipway.md?raw";
import passkeys from "@/docs/passkeys.md?raw";
import permissions from "@/docs/permissions.md?raw";
import retention from "@/docs/retention.md?raw";
import secrets from "@/docs/secrets.md?raw";
import shareLinks from "@/docs/share-links.md?raw";
import apple from "@/docs/sso/apple.md?raw";
import azure from "@/docs/sso/azure.md?raw";
import github from "@/docs/sso/github.md?raw";
import gitlab from "@/docs/sso/gitlab.md?raw";
import google from "@/docs/sso/google.md?raw";
import sso from "@/docs/sso/README.md?raw";
import symbols from "@/docs/symbols.md?raw";
import testerGroups from "@/docs/tester-groups.md?raw";
import testers from "@/docs/testers.md?raw";
import twoFactor from "@/docs/two-factor.md?raw";
import webhooks from "@/docs/webhooks.md?raw";
import { type DocsPage, parsePage } from "./parse";

/** The files that the console serves, in the order of the list of pages. */
const FILES: readonly (readonly [file: string, text: string])[] = [
  ["first-release.md", firstRelease],
  ["testers.md", testers],
  ["tester-groups.md", testerGroups],
  ["installs.md", installs],
  ["install-funnel.md", installFunnel],
  ["devices.md", devices],
  ["share-links.md", shareLinks],
  ["changes-and-rules.md", changesAndRules],
  ["bisect.md", bisect],
  ["retention.md", retention],
  ["feedback.md", feedback],
  ["doctor.md", doctor],
  ["app-bundles.md", appBundles],
  ["symbols.md", symbols],
  ["ci.md", ci],
  ["cli.md", cli],
  ["clients.md", clients],
  ["in-app-updates.md", inAppUpdates],
  ["moving-to-slipway.md", movingToSlipway],
  ["webhooks.md", webhooks],
  ["permissions.md", permissions],
  ["secrets.md", secrets],
  ["certificates.md", certificates],
  ["expiry.md", expiry],
  ["sso/README.md", sso],
  ["sso/apple.md", apple],
  ["sso/azure.md", azure],
  ["sso/github.md", github],
  ["sso/gitlab.md", gitlab],
  ["sso/google.md", google],
  ["two-factor.md", twoFactor],
  ["passkeys.md", passkeys],
];

/** The pages of `docs/` that explain how to use the console. They are part of the build and the same for everybody. */
export const DOCS_PAGES: readonly DocsPage[] = FILES.map(([file, text]) => parsePage(file, text));
