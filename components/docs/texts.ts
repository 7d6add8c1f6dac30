import "server-only";
import appBundles from "@/docs/app-bundles.md?raw";
import audit from "@/docs/audit.md?raw";
import bisect from "@/docs/bisect.md?raw";
import certificates from "@/docs/certificates.md?raw";
import changesAndRules from "@/docs/changes-and-rules.md?raw";
import ci from "@/docs/ci.md?raw";
import cli from "@/docs/cli.md?raw";
import clients from "@/docs/clients.md?raw";
import dashboard from "@/docs/dashboard.md?raw";
import devices from "@/docs/devices.md?raw";
import doctor from "@/docs/doctor.md?raw";
import errorReporting from "@/docs/error-reporting.md?raw";
import expiry from "@/docs/expiry.md?raw";
import feedback from "@/docs/feedback.md?raw";
import firstRelease from "@/docs/first-release.md?raw";
import inAppUpdates from "@/docs/in-app-updates.md?raw";
import installFunnel from "@/docs/install-funnel.md?raw";
import installs from "@/docs/installs.md?raw";
import license from "@/docs/license.md?raw";
import localNetwork from "@/docs/local-network.md?raw";
import mail from "@/docs/mail.md?raw";
import movingToSlipway from "@/docs/moving-to-slipway.md?raw";
import offline from "@/docs/offline.md?raw";
import operationsBackup from "@/docs/operations/backup.md?raw";
import operationsBehavior from "@/docs/operations/behavior.md?raw";
import operationsCompanyNetwork from "@/docs/operations/company-network.md?raw";
import operationsHardening from "@/docs/operations/hardening.md?raw";
import operationsInstall from "@/docs/operations/install.md?raw";
import operationsKubernetes from "@/docs/operations/kubernetes.md?raw";
import operationsMaintenance from "@/docs/operations/maintenance.md?raw";
import operationsManagedDatabase from "@/docs/operations/managed-database.md?raw";
import operationsMonitoring from "@/docs/operations/monitoring.md?raw";
import operations from "@/docs/operations/README.md?raw";
import operationsRestore from "@/docs/operations/restore.md?raw";
import operationsScaling from "@/docs/operations/scaling.md?raw";
import operationsSettings from "@/docs/operations/settings.md?raw";
import operationsSizing from "@/docs/operations/sizing.md?raw";
import operationsTroubleshooting from "@/docs/operations/troubleshooting.md?raw";
import operationsUpgrade from "@/docs/operations/upgrade.md?raw";
import passkeys from "@/docs/passkeys.md?raw";
import permissions from "@/docs/permissions.md?raw";
import retention from "@/docs/retention.md?raw";
import secrets from "@/docs/secrets.md?raw";
import shareLinks from "@/docs/share-links.md?raw";
import ssoApple from "@/docs/sso/apple.md?raw";
import ssoAzure from "@/docs/sso/azure.md?raw";
import ssoGithub from "@/docs/sso/github.md?raw";
import ssoGitlab from "@/docs/sso/gitlab.md?raw";
import ssoGoogle from "@/docs/sso/google.md?raw";
import ssoOpenid from "@/docs/sso/openid.md?raw";
import sso from "@/docs/sso/README.md?raw";
import symbols from "@/docs/symbols.md?raw";
import testerGroups from "@/docs/tester-groups.md?raw";
import testersDe from "@/docs/testers/de.md?raw";
import testersEs from "@/docs/testers/es.md?raw";
import testersFr from "@/docs/testers/fr.md?raw";
import testersIt from "@/docs/testers/it.md?raw";
import testersPt from "@/docs/testers/pt.md?raw";
import testers from "@/docs/testers.md?raw";
import twoFactor from "@/docs/two-factor.md?raw";
import webhooks from "@/docs/webhooks.md?raw";
import configurationDart from "@/lib/features/client/examples/configuration.dart?raw";
import configurationGo from "@/lib/features/client/examples/configuration.go?raw";
import configurationJava from "@/lib/features/client/examples/configuration.java?raw";
import configurationKt from "@/lib/features/client/examples/configuration.kt?raw";
import configurationMts from "@/lib/features/client/examples/configuration.mts?raw";
import configurationPy from "@/lib/features/client/examples/configuration.py?raw";
import configurationSh from "@/lib/features/client/examples/configuration.sh?raw";
import configurationSwift from "@/lib/features/client/examples/configuration.swift?raw";
import updateCs from "@/lib/features/client/examples/update.cs?raw";
import updateDart from "@/lib/features/client/examples/update.dart?raw";
import updateKt from "@/lib/features/client/examples/update.kt?raw";
import updateSwift from "@/lib/features/client/examples/update.swift?raw";
import updateTs from "@/lib/features/client/examples/update.ts.txt?raw";
/** The files of `docs/` that the console serves. */
export const DOCS_TEXTS: Readonly<Record<string, string>> = {
  "first-release.md": firstRelease,
  "devices.md": devices,
  "app-bundles.md": appBundles,
  "retention.md": retention,
  "offline.md": offline,
  "share-links.md": shareLinks,
  "testers.md": testers,
  "ci.md": ci,
  "cli.md": cli,
  "webhooks.md": webhooks,
  "moving-to-slipway.md": movingToSlipway,
  "tester-groups.md": testerGroups,
  "in-app-updates.md": inAppUpdates,
  "feedback.md": feedback,
  "installs.md": installs,
  "doctor.md": doctor,
  "install-funnel.md": installFunnel,
  "expiry.md": expiry,
  "changes-and-rules.md": changesAndRules,
  "bisect.md": bisect,
  "symbols.md": symbols,
  "secrets.md": secrets,
  "certificates.md": certificates,
  "clients.md": clients,
  "permissions.md": permissions,
  "two-factor.md": twoFactor,
  "passkeys.md": passkeys,
  "sso/README.md": sso,
  "sso/apple.md": ssoApple,
  "sso/azure.md": ssoAzure,
  "sso/github.md": ssoGithub,
  "sso/gitlab.md": ssoGitlab,
  "sso/google.md": ssoGoogle,
  "sso/openid.md": ssoOpenid,
  "operations/README.md": operations,
  "operations/install.md": operationsInstall,
  "operations/kubernetes.md": operationsKubernetes,
  "operations/company-network.md": operationsCompanyNetwork,
  "operations/managed-database.md": operationsManagedDatabase,
  "local-network.md": localNetwork,
  "operations/settings.md": operationsSettings,
  "mail.md": mail,
  "operations/sizing.md": operationsSizing,
  "operations/scaling.md": operationsScaling,
  "operations/hardening.md": operationsHardening,
  "license.md": license,
  "operations/backup.md": operationsBackup,
  "operations/restore.md": operationsRestore,
  "operations/upgrade.md": operationsUpgrade,
  "operations/maintenance.md": operationsMaintenance,
  "operations/behavior.md": operationsBehavior,
  "operations/troubleshooting.md": operationsTroubleshooting,
  "operations/monitoring.md": operationsMonitoring,
  "dashboard.md": dashboard,
  "audit.md": audit,
  "error-reporting.md": errorReporting,
  "testers/de.md": testersDe,
  "testers/es.md": testersEs,
  "testers/fr.md": testersFr,
  "testers/it.md": testersIt,
  "testers/pt.md": testersPt,
};

/** The programs that the pages link to, by their names. */
export const DOCS_PROGRAMS: Readonly<Record<string, string>> = {
  "configuration.sh": configurationSh,
  "configuration.mts": configurationMts,
  "configuration.py": configurationPy,
  "configuration.go": configurationGo,
  "configuration.java": configurationJava,
  "configuration.kt": configurationKt,
  "configuration.swift": configurationSwift,
  "configuration.dart": configurationDart,
  "update.swift": updateSwift,
  "update.kt": updateKt,
  "update.dart": updateDart,
  "update.ts.txt": updateTs,
  "update.cs": updateCs,
};
