/** THE LIST of all operations, by the path below /api. The only file that knows every feature. */
import { getConfiguration } from "@/lib/features/client/operations/get-configuration";
import { getClientDevelopmentVariables } from "@/lib/features/client/operations/get-development-variables";
import { getClientEnvironment } from "@/lib/features/client/operations/get-environment";
import { getLatestRelease } from "@/lib/features/client/operations/get-latest-release";
import { getClientSecureCertificates } from "@/lib/features/client/operations/get-secure-certificates";
import { getClientSecureVariables } from "@/lib/features/client/operations/get-secure-variables";
import { getAppActivity } from "@/lib/features/dashboard/operations/get-app-activity";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";
import { getHealth } from "@/lib/features/health/operations/get-health";
import { retryJob } from "@/lib/features/health/operations/retry-job";
import { getPublishingPlaces } from "@/lib/features/releases/operations/get-publishing-places";
import { createWebhook } from "@/lib/features/webhooks/operations/create-webhook";
import { deleteWebhook } from "@/lib/features/webhooks/operations/delete-webhook";
import { getWebhookDeliveries } from "@/lib/features/webhooks/operations/get-webhook-deliveries";
import { getWebhooks } from "@/lib/features/webhooks/operations/get-webhooks";
import { previewWebhook } from "@/lib/features/webhooks/operations/preview-webhook";
import { redeliverWebhook } from "@/lib/features/webhooks/operations/redeliver-webhook";
import { rotateWebhookSecret } from "@/lib/features/webhooks/operations/rotate-webhook-secret";
import { testWebhook } from "@/lib/features/webhooks/operations/test-webhook";
import { updateWebhook } from "@/lib/features/webhooks/operations/update-webhook";
import { createApiToken } from "./features/api-tokens/operations/create-api-token";
import { deleteApiToken } from "./features/api-tokens/operations/delete-api-token";
import { getApiTokens } from "./features/api-tokens/operations/get-api-tokens";
import { createApp } from "./features/apps/operations/create-app";
import { getApp } from "./features/apps/operations/get-app";
import { getApps } from "./features/apps/operations/get-apps";
import { getAuthorizedApps } from "./features/apps/operations/get-authorized-apps";
import { updateApp } from "./features/apps/operations/update-app";
import { downloadAuditLog } from "./features/audit/operations/download-audit-log";
import { getAuditChain } from "./features/audit/operations/get-audit-chain";
import { getAuditCheckpoint } from "./features/audit/operations/get-audit-checkpoint";
import { getAuditLog } from "./features/audit/operations/get-audit-log";
import { getAuditLogKinds } from "./features/audit/operations/get-audit-log-kinds";
import { getAuditLogs } from "./features/audit/operations/get-audit-logs";
import { verifyAuditChain } from "./features/audit/operations/verify-audit-chain";
import { dismissTour } from "./features/auth/operations/dismiss-tour";
import { emailLogin } from "./features/auth/operations/email-login";
import { getSetupState } from "./features/auth/operations/get-setup-state";
import { getUserProfile } from "./features/auth/operations/get-user-profile";
import { logout } from "./features/auth/operations/logout";
import { refresh } from "./features/auth/operations/refresh";
import { setupFirstAdmin } from "./features/auth/operations/setup-first-admin";
import { updateUserProfile } from "./features/auth/operations/update-user-profile";
import { createAppleConfig } from "./features/auth-providers/operations/create-apple-config";
import { createAzureConfig } from "./features/auth-providers/operations/create-azure-config";
import { createGithubConfig } from "./features/auth-providers/operations/create-github-config";
import { createGitlabConfig } from "./features/auth-providers/operations/create-gitlab-config";
import { createGoogleConfig } from "./features/auth-providers/operations/create-google-config";
import { getAppleConfig } from "./features/auth-providers/operations/get-apple-config";
import { getAuthProviders } from "./features/auth-providers/operations/get-auth-providers";
import { getAzureConfig } from "./features/auth-providers/operations/get-azure-config";
import { getGithubConfig } from "./features/auth-providers/operations/get-github-config";
import { getGitlabConfig } from "./features/auth-providers/operations/get-gitlab-config";
import { getGoogleConfig } from "./features/auth-providers/operations/get-google-config";
import { testAuthProvider } from "./features/auth-providers/operations/test-auth-provider";
import { updateAppleConfig } from "./features/auth-providers/operations/update-apple-config";
import { updateAuthProvider } from "./features/auth-providers/operations/update-auth-provider";
import { updateAzureConfig } from "./features/auth-providers/operations/update-azure-config";
import { updateGithubConfig } from "./features/auth-providers/operations/update-github-config";
import { updateGitlabConfig } from "./features/auth-providers/operations/update-gitlab-config";
import { updateGoogleConfig } from "./features/auth-providers/operations/update-google-config";
import { answerBisect } from "./features/bisects/operations/answer-bisect";
import { deleteBisect } from "./features/bisects/operations/delete-bisect";
import { getBisect } from "./features/bisects/operations/get-bisect";
import { getOwnBisects } from "./features/bisects/operations/get-own-bisects";
import { startBisect } from "./features/bisects/operations/start-bisect";
import { createSecureCertificate } from "./features/certificates/operations/create-secure-certificate";
import { deleteSecureCertificate } from "./features/certificates/operations/delete-secure-certificate";
import { getExpiringCertificates } from "./features/certificates/operations/get-expiring-certificates";
import { getSecureCertificate } from "./features/certificates/operations/get-secure-certificate";
import { getSecureCertificates } from "./features/certificates/operations/get-secure-certificates";
import { getSigningKey } from "./features/certificates/operations/get-signing-key";
import { updateSecureCertificate } from "./features/certificates/operations/update-secure-certificate";
import { updateSigningKey } from "./features/certificates/operations/update-signing-key";
import { getAppConfig } from "./features/config/operations/get-app-config";
import { getMailState } from "./features/config/operations/get-mail-state";
import { getPublicKey } from "./features/config/operations/get-public-key";
import { sendTestMail } from "./features/config/operations/send-test-mail";
import { updateAppConfig } from "./features/config/operations/update-app-config";
import { copyVariables } from "./features/configuration/operations/copy-variables";
import { getConfigurationDiff } from "./features/configuration/operations/get-configuration-diff";
import { getConfigurationVersions } from "./features/configuration/operations/get-configuration-versions";
import { getVariablesMatrix } from "./features/configuration/operations/get-variables-matrix";
import { restoreConfiguration } from "./features/configuration/operations/restore-configuration";
import { completeDeviceEnrollment } from "./features/devices/operations/complete-device-enrollment";
import { createDevice } from "./features/devices/operations/create-device";
import { createOwnDevice } from "./features/devices/operations/create-own-device";
import { deleteDevice } from "./features/devices/operations/delete-device";
import { downloadEnrollmentProfile } from "./features/devices/operations/download-enrollment-profile";
import { downloadEnrollmentQrCode } from "./features/devices/operations/download-enrollment-qr-code";
import { exportDevices } from "./features/devices/operations/export-devices";
import { getAppStoreKey } from "./features/devices/operations/get-app-store-key";
import { getAppleRegistrations } from "./features/devices/operations/get-apple-registrations";
import { getDevices } from "./features/devices/operations/get-devices";
import { getOwnDevices } from "./features/devices/operations/get-own-devices";
import { getReleaseDevices } from "./features/devices/operations/get-release-devices";
import { importDevices } from "./features/devices/operations/import-devices";
import { startAppleRegistration } from "./features/devices/operations/start-apple-registration";
import { startDeviceEnrollment } from "./features/devices/operations/start-device-enrollment";
import { updateAppStoreKey } from "./features/devices/operations/update-app-store-key";
import { updateDevice } from "./features/devices/operations/update-device";
import { createEnvironmentApp } from "./features/environments/operations/create-environment-app";
import { getAppEnvironments } from "./features/environments/operations/get-app-environments";
import { getAuthorizedEnvironments } from "./features/environments/operations/get-authorized-environments";
import { getAuthorizedEnvironmentsByApp } from "./features/environments/operations/get-authorized-environments-by-app";
import { getEnvironmentApp } from "./features/environments/operations/get-environment-app";
import { getEnvironmentApps } from "./features/environments/operations/get-environment-apps";
import { getEnvironmentsAppsByApp } from "./features/environments/operations/get-environments-apps-by-app";
import { reorderEnvironments } from "./features/environments/operations/reorder-environments";
import { updateEnvironmentApp } from "./features/environments/operations/update-environment-app";
import { getExpiring } from "./features/expiry/operations/get-expiring";
import { createFeedback } from "./features/feedback/operations/create-feedback";
import { deleteFeedback } from "./features/feedback/operations/delete-feedback";
import { downloadFeedbackScreenshot } from "./features/feedback/operations/download-feedback-screenshot";
import { getFeedback } from "./features/feedback/operations/get-feedback";
import { updateFeedback } from "./features/feedback/operations/update-feedback";
import { createCalendarFeed } from "./features/feeds/operations/create-calendar-feed";
import { createReleaseFeed } from "./features/feeds/operations/create-release-feed";
import { deleteCalendarFeed } from "./features/feeds/operations/delete-calendar-feed";
import { deleteReleaseFeed } from "./features/feeds/operations/delete-release-feed";
import { downloadCalendarFeed } from "./features/feeds/operations/download-calendar-feed";
import { downloadReleaseFeed } from "./features/feeds/operations/download-release-feed";
import { getCalendarFeed } from "./features/feeds/operations/get-calendar-feed";
import { getReleaseFeed } from "./features/feeds/operations/get-release-feed";
import { downloadFile } from "./features/files/operations/download-file";
import { uploadFile } from "./features/files/operations/upload-file";
import { getInstallCheck } from "./features/installs/operations/get-install-check";
import { getInstallFunnel } from "./features/installs/operations/get-install-funnel";
import { getReleasePeople } from "./features/installs/operations/get-release-people";
import { runInstallCheck } from "./features/installs/operations/run-install-check";
import { getLicense } from "./features/license/operations/get-license";
import { updateLicense } from "./features/license/operations/update-license";
import { getNavigation } from "./features/navigation/operations/get-navigation";
import { searchConsole } from "./features/navigation/operations/search-console";
import { createPasskey } from "./features/passkeys/operations/create-passkey";
import { deleteUserPasskey } from "./features/passkeys/operations/delete-user-passkey";
import { getPasskeyOffer } from "./features/passkeys/operations/get-passkey-offer";
import { getUserPasskeys } from "./features/passkeys/operations/get-user-passkeys";
import { loginWithPasskey } from "./features/passkeys/operations/login-with-passkey";
import { validateCreatePasskey } from "./features/passkeys/operations/validate-create-passkey";
import { validateLoginWithPasskey } from "./features/passkeys/operations/validate-login-with-passkey";
import { changePassword } from "./features/passwords/operations/change-password";
import { generatePasswordRecovery } from "./features/passwords/operations/generate-password-recovery";
import { getPasswordLink } from "./features/passwords/operations/get-password-link";
import { resendInvitation } from "./features/passwords/operations/resend-invitation";
import { updatePassword } from "./features/passwords/operations/update-password";
import { createRolePermission } from "./features/permissions/operations/create-role-permission";
import { deleteRolePermission } from "./features/permissions/operations/delete-role-permission";
import { getAvailableScopes } from "./features/permissions/operations/get-available-scopes";
import { getRolePermissions } from "./features/permissions/operations/get-role-permissions";
import { getRolePermissionsByRoleId } from "./features/permissions/operations/get-role-permissions-by-role-id";
import { updateRoleAccess } from "./features/permissions/operations/update-role-access";
import { updateRolePermission } from "./features/permissions/operations/update-role-permission";
import { createPlatform } from "./features/platforms/operations/create-platform";
import { getPlatformById } from "./features/platforms/operations/get-platform-by-id";
import { getPlatforms } from "./features/platforms/operations/get-platforms";
import { updatePlatform } from "./features/platforms/operations/update-platform";
import { createReleaseFile } from "./features/release-files/operations/create-release-file";
import { deleteReleaseFile } from "./features/release-files/operations/delete-release-file";
import { downloadReleaseFile } from "./features/release-files/operations/download-release-file";
import { getReleaseFiles } from "./features/release-files/operations/get-release-files";
import { createTestingDeploy } from "./features/releases/operations/create-testing-deploy";
import { deleteTestingDeploy } from "./features/releases/operations/delete-testing-deploy";
import { downloadTestingDeployAppleFile } from "./features/releases/operations/download-testing-deploy-apple-file";
import { downloadTestingDeployByToken } from "./features/releases/operations/download-testing-deploy-by-token";
import { downloadTestingDeployFile } from "./features/releases/operations/download-testing-deploy-file";
import { downloadTestingDeployQrCode } from "./features/releases/operations/download-testing-deploy-qr-code";
import { generateAppleManifestRequestToken } from "./features/releases/operations/generate-apple-manifest-request-token";
import { getBuild } from "./features/releases/operations/get-build";
import { getBuilds } from "./features/releases/operations/get-builds";
import { getInstallableReleases } from "./features/releases/operations/get-installable-releases";
import { getLatestTestingDeploys } from "./features/releases/operations/get-latest-testing-deploys";
import { getLatestTestingDeploysByApp } from "./features/releases/operations/get-latest-testing-deploys-by-app";
import { getReleaseDiff } from "./features/releases/operations/get-release-diff";
import { getTestingDeployById } from "./features/releases/operations/get-testing-deploy-by-id";
import { getTestingDeployOpenings } from "./features/releases/operations/get-testing-deploy-openings";
import { getTestingDeployVersions } from "./features/releases/operations/get-testing-deploy-versions";
import { getTestingDeploys } from "./features/releases/operations/get-testing-deploys";
import { getTestingDeploysByApp } from "./features/releases/operations/get-testing-deploys-by-app";
import { promoteTestingDeploy } from "./features/releases/operations/promote-testing-deploy";
import { recordTestingDeployOpening } from "./features/releases/operations/record-testing-deploy-opening";
import { renderReleaseNotes } from "./features/releases/operations/render-release-notes";
import { retryUniversalApk } from "./features/releases/operations/retry-universal-apk";
import { updateTestingDeploy } from "./features/releases/operations/update-testing-deploy";
import { emptyBin } from "./features/retention/operations/empty-bin";
import { getBin } from "./features/retention/operations/get-bin";
import { getRetention } from "./features/retention/operations/get-retention";
import { getRetentionPreview } from "./features/retention/operations/get-retention-preview";
import { getStorage } from "./features/retention/operations/get-storage";
import { restoreRelease } from "./features/retention/operations/restore-release";
import { updateRetention } from "./features/retention/operations/update-retention";
import { createRole } from "./features/roles/operations/create-role";
import { getRole } from "./features/roles/operations/get-role";
import { getRoles } from "./features/roles/operations/get-roles";
import { updateRole } from "./features/roles/operations/update-role";
import { getEnvironmentRules } from "./features/rules/operations/get-environment-rules";
import { updateEnvironmentRules } from "./features/rules/operations/update-environment-rules";
import { beginShareLinkInstall } from "./features/share-links/operations/begin-share-link-install";
import { createShareLink } from "./features/share-links/operations/create-share-link";
import { createShareLinkFeedback } from "./features/share-links/operations/create-share-link-feedback";
import { deleteShareLink } from "./features/share-links/operations/delete-share-link";
import { downloadShareLinkQrCode } from "./features/share-links/operations/download-share-link-qr-code";
import { getShareLinks } from "./features/share-links/operations/get-share-links";
import { openShareLink } from "./features/share-links/operations/open-share-link";
import { unlockShareLink } from "./features/share-links/operations/unlock-share-link";
import { updateShareLink } from "./features/share-links/operations/update-share-link";
import { getLogoutUrl } from "./features/sso/operations/get-logout-url";
import { oauthLogin } from "./features/sso/operations/oauth-login";
import { oauthLoginCreateSession } from "./features/sso/operations/oauth-login-create-session";
import { addTesterGroupMembers } from "./features/testers/operations/add-tester-group-members";
import { createPushSubscription } from "./features/testers/operations/create-push-subscription";
import { createTesterFeedback } from "./features/testers/operations/create-tester-feedback";
import { createTesterGroup } from "./features/testers/operations/create-tester-group";
import { deletePushSubscription } from "./features/testers/operations/delete-push-subscription";
import { deleteTesterGroup } from "./features/testers/operations/delete-tester-group";
import { distributeRelease } from "./features/testers/operations/distribute-release";
import { getDistributionGroups } from "./features/testers/operations/get-distribution-groups";
import { getNotificationSettings } from "./features/testers/operations/get-notification-settings";
import { getReleaseDistributions } from "./features/testers/operations/get-release-distributions";
import { getTesterGroup } from "./features/testers/operations/get-tester-group";
import { getTesterGroupMembers } from "./features/testers/operations/get-tester-group-members";
import { getTesterGroups } from "./features/testers/operations/get-tester-groups";
import { importTesterGroupMembers } from "./features/testers/operations/import-tester-group-members";
import { removeTesterGroupMember } from "./features/testers/operations/remove-tester-group-member";
import { resendTesterConfirmation } from "./features/testers/operations/resend-tester-confirmation";
import { updateNotificationSettings } from "./features/testers/operations/update-notification-settings";
import { updateTesterGroup } from "./features/testers/operations/update-tester-group";
import { authorizeTool } from "./features/tool-sign-in/operations/authorize-tool";
import { createToolSession } from "./features/tool-sign-in/operations/create-tool-session";
import { getToolSignIn } from "./features/tool-sign-in/operations/get-tool-sign-in";
import { downloadAuthority } from "./features/trust/operations/download-authority";
import { getTrust } from "./features/trust/operations/get-trust";
import { confirmSecondFactor } from "./features/two-factor/operations/confirm-second-factor";
import { createRecoveryCodes } from "./features/two-factor/operations/create-recovery-codes";
import { deleteTwoFactor } from "./features/two-factor/operations/delete-two-factor";
import { enrollTwoFactor } from "./features/two-factor/operations/enroll-two-factor";
import { getSecondFactorOptions } from "./features/two-factor/operations/get-second-factor-options";
import { getTwoFactor } from "./features/two-factor/operations/get-two-factor";
import { resetUserTwoFactor } from "./features/two-factor/operations/reset-user-two-factor";
import { validateTwoFactor } from "./features/two-factor/operations/validate-two-factor";
import { validateTwoFactorEnrollment } from "./features/two-factor/operations/validate-two-factor-enrollment";
import { abortUpload } from "./features/uploads/operations/abort-upload";
import { completeUpload } from "./features/uploads/operations/complete-upload";
import { createUpload } from "./features/uploads/operations/create-upload";
import { getUpload } from "./features/uploads/operations/get-upload";
import { uploadPart } from "./features/uploads/operations/upload-part";
import { deleteSessionsOfUser } from "./features/users/operations/delete-sessions-of-user";
import { deleteUserSessions } from "./features/users/operations/delete-user-sessions";
import { getEnvironmentUsers } from "./features/users/operations/get-environment-users";
import { getSessionsOfUser } from "./features/users/operations/get-sessions-of-user";
import { getUser } from "./features/users/operations/get-user";
import { getUserSessions } from "./features/users/operations/get-user-sessions";
import { getUsers } from "./features/users/operations/get-users";
import { inviteUsers } from "./features/users/operations/invite-users";
import { registerUser } from "./features/users/operations/register-user";
import { updateUser } from "./features/users/operations/update-user";
import { createDevelopmentVariable } from "./features/variables/operations/create-development-variable";
import { createSecureVariable } from "./features/variables/operations/create-secure-variable";
import { deleteDevelopmentVariable } from "./features/variables/operations/delete-development-variable";
import { deleteSecureVariable } from "./features/variables/operations/delete-secure-variable";
import { exportVariables } from "./features/variables/operations/export-variables";
import { getDevelopmentVariable } from "./features/variables/operations/get-development-variable";
import { getDevelopmentVariables } from "./features/variables/operations/get-development-variables";
import { getSecureVariable } from "./features/variables/operations/get-secure-variable";
import { getSecureVariables } from "./features/variables/operations/get-secure-variables";
import { importVariables } from "./features/variables/operations/import-variables";
import { updateDevelopmentVariable } from "./features/variables/operations/update-development-variable";
import { updateSecureVariable } from "./features/variables/operations/update-secure-variable";
import { getInstallMatrix } from "./features/verdicts/operations/get-install-matrix";
import { getInstallVerdict } from "./features/verdicts/operations/get-install-verdict";

export const operations = {
  "apps/answer-bisect": answerBisect,
  "apps/copy-variables": copyVariables,
  "apps/create-app": createApp,
  "apps/create-development-variable": createDevelopmentVariable,
  "apps/create-environment-app": createEnvironmentApp,
  "apps/create-secure-certificate": createSecureCertificate,
  "apps/create-secure-variable": createSecureVariable,
  "apps/create-testing-deploy": createTestingDeploy,
  "apps/delete-bisect": deleteBisect,
  "apps/delete-development-variable": deleteDevelopmentVariable,
  "apps/delete-secure-certificate": deleteSecureCertificate,
  "apps/delete-secure-variable": deleteSecureVariable,
  "apps/create-release-file": createReleaseFile,
  "apps/delete-release-file": deleteReleaseFile,
  "apps/delete-testing-deploy": deleteTestingDeploy,
  "apps/download-release-file": downloadReleaseFile,
  "apps/download-testing-deploy-apple-file": downloadTestingDeployAppleFile,
  "apps/download-testing-deploy-by-token": downloadTestingDeployByToken,
  "apps/download-testing-deploy-file": downloadTestingDeployFile,
  "apps/download-testing-deploy-qr-code": downloadTestingDeployQrCode,
  "apps/export-variables": exportVariables,
  "apps/generate-apple-manifest-request-token": generateAppleManifestRequestToken,
  "apps/get-app": getApp,
  "apps/get-app-activity": getAppActivity,
  "apps/get-app-environments": getAppEnvironments,
  "apps/get-apps": getApps,
  "apps/get-authorized-apps": getAuthorizedApps,
  "apps/get-authorized-environments": getAuthorizedEnvironments,
  "apps/get-authorized-environments-by-app": getAuthorizedEnvironmentsByApp,
  "apps/get-configuration-diff": getConfigurationDiff,
  "apps/get-configuration-versions": getConfigurationVersions,
  "apps/get-development-variable": getDevelopmentVariable,
  "apps/get-development-variables": getDevelopmentVariables,
  "apps/get-environment-app": getEnvironmentApp,
  "apps/get-bisect": getBisect,
  "apps/get-own-bisects": getOwnBisects,
  "apps/get-build": getBuild,
  "apps/get-builds": getBuilds,
  "apps/get-environment-apps": getEnvironmentApps,
  "apps/get-navigation": getNavigation,
  "apps/search-console": searchConsole,
  "apps/get-environments-apps-by-app": getEnvironmentsAppsByApp,
  "apps/get-expiring-certificates": getExpiringCertificates,
  "apps/get-installable-releases": getInstallableReleases,
  "apps/get-latest-testing-deploys": getLatestTestingDeploys,
  "apps/get-latest-testing-deploys-by-app": getLatestTestingDeploysByApp,
  "apps/get-publishing-places": getPublishingPlaces,
  "apps/get-secure-certificate": getSecureCertificate,
  "apps/get-secure-certificates": getSecureCertificates,
  "apps/get-signing-key": getSigningKey,
  "apps/get-secure-variable": getSecureVariable,
  "apps/get-secure-variables": getSecureVariables,
  "apps/get-environment-rules": getEnvironmentRules,
  "apps/update-environment-rules": updateEnvironmentRules,
  "apps/get-release-diff": getReleaseDiff,
  "apps/get-release-files": getReleaseFiles,
  "apps/get-testing-deploy-by-id": getTestingDeployById,
  "apps/get-testing-deploy-openings": getTestingDeployOpenings,
  "apps/get-testing-deploy-versions": getTestingDeployVersions,
  "apps/get-testing-deploys": getTestingDeploys,
  "apps/get-testing-deploys-by-app": getTestingDeploysByApp,
  "apps/get-variables-matrix": getVariablesMatrix,
  "apps/import-variables": importVariables,
  "apps/promote-testing-deploy": promoteTestingDeploy,
  "apps/record-testing-deploy-opening": recordTestingDeployOpening,
  "apps/render-release-notes": renderReleaseNotes,
  "apps/reorder-environments": reorderEnvironments,
  "apps/restore-configuration": restoreConfiguration,
  "apps/start-bisect": startBisect,
  "apps/update-app": updateApp,
  "apps/update-development-variable": updateDevelopmentVariable,
  "apps/update-environment-app": updateEnvironmentApp,
  "apps/update-secure-certificate": updateSecureCertificate,
  "apps/update-signing-key": updateSigningKey,
  "apps/update-secure-variable": updateSecureVariable,
  "apps/retry-universal-apk": retryUniversalApk,
  "apps/update-testing-deploy": updateTestingDeploy,
  "auth/create-passkey": createPasskey,
  "auth/authorize-tool": authorizeTool,
  "auth/create-tool-session": createToolSession,
  "auth/get-tool-sign-in": getToolSignIn,
  "auth/create-recovery-codes": createRecoveryCodes,
  "auth/change-password": changePassword,
  "auth/confirm-second-factor": confirmSecondFactor,
  "auth/delete-two-factor": deleteTwoFactor,
  "auth/delete-user-passkey": deleteUserPasskey,
  "auth/delete-user-sessions": deleteUserSessions,
  "auth/dismiss-tour": dismissTour,
  "auth/email-login": emailLogin,
  "auth/enroll-two-factor": enrollTwoFactor,
  "auth/generate-password-recovery": generatePasswordRecovery,
  "auth/get-logout-url": getLogoutUrl,
  "auth/get-password-link": getPasswordLink,
  "auth/get-setup-state": getSetupState,
  "auth/get-second-factor-options": getSecondFactorOptions,
  "auth/get-two-factor": getTwoFactor,
  "auth/get-passkey-offer": getPasskeyOffer,
  "auth/get-user-passkeys": getUserPasskeys,
  "auth/get-user-profile": getUserProfile,
  "auth/get-user-sessions": getUserSessions,
  "auth/get-user": getUser,
  "auth/get-sessions-of-user": getSessionsOfUser,
  "auth/delete-sessions-of-user": deleteSessionsOfUser,
  "apps/get-environment-users": getEnvironmentUsers,
  "auth/get-users": getUsers,
  "auth/invite-users": inviteUsers,
  "auth/login-with-passkey": loginWithPasskey,
  "auth/logout": logout,
  "auth/oauth-login": oauthLogin,
  "auth/oauth-login-create-session": oauthLoginCreateSession,
  "auth/refresh": refresh,
  "auth/register-user": registerUser,
  "auth/resend-invitation": resendInvitation,
  "auth/reset-user-two-factor": resetUserTwoFactor,
  "auth/setup-first-admin": setupFirstAdmin,
  "auth/update-password": updatePassword,
  "auth/update-user": updateUser,
  "auth/update-user-profile": updateUserProfile,
  "auth/validate-create-passkey": validateCreatePasskey,
  "auth/validate-login-with-passkey": validateLoginWithPasskey,
  "auth/validate-two-factor": validateTwoFactor,
  "auth/validate-two-factor-enrollment": validateTwoFactorEnrollment,
  "client/get-configuration": getConfiguration,
  "client/get-development-variables": getClientDevelopmentVariables,
  "client/get-environment": getClientEnvironment,
  "client/get-latest-release": getLatestRelease,
  "client/get-secure-certificates": getClientSecureCertificates,
  "client/get-secure-variables": getClientSecureVariables,
  "config/create-api-token": createApiToken,
  "config/create-apple-config": createAppleConfig,
  "config/create-azure-config": createAzureConfig,
  "config/create-github-config": createGithubConfig,
  "config/create-gitlab-config": createGitlabConfig,
  "config/create-google-config": createGoogleConfig,
  "config/create-platform": createPlatform,
  "config/create-role": createRole,
  "config/delete-api-token": deleteApiToken,
  "config/download-audit-log": downloadAuditLog,
  "config/get-api-tokens": getApiTokens,
  "config/get-app-config": getAppConfig,
  "config/get-apple-config": getAppleConfig,
  "config/get-audit-chain": getAuditChain,
  "config/get-audit-checkpoint": getAuditCheckpoint,
  "config/get-audit-log": getAuditLog,
  "config/get-audit-log-kinds": getAuditLogKinds,
  "config/get-audit-logs": getAuditLogs,
  "config/get-auth-providers": getAuthProviders,
  "config/get-azure-config": getAzureConfig,
  "config/get-github-config": getGithubConfig,
  "config/get-gitlab-config": getGitlabConfig,
  "config/get-google-config": getGoogleConfig,
  "config/get-dashboard": getDashboard,
  "config/get-health": getHealth,
  "config/get-mail-state": getMailState,
  "config/get-platform-by-id": getPlatformById,
  "config/get-platforms": getPlatforms,
  "config/get-public-key": getPublicKey,
  "config/get-role": getRole,
  "config/get-roles": getRoles,
  "config/retry-job": retryJob,
  "config/send-test-mail": sendTestMail,
  "config/test-auth-provider": testAuthProvider,
  "config/update-app-config": updateAppConfig,
  "config/update-apple-config": updateAppleConfig,
  "config/update-auth-provider": updateAuthProvider,
  "config/update-azure-config": updateAzureConfig,
  "config/update-github-config": updateGithubConfig,
  "config/update-gitlab-config": updateGitlabConfig,
  "config/update-google-config": updateGoogleConfig,
  "config/update-platform": updatePlatform,
  "config/update-role": updateRole,
  "config/verify-audit-chain": verifyAuditChain,
  "devices/complete-device-enrollment": completeDeviceEnrollment,
  "devices/create-own-device": createOwnDevice,
  "devices/download-enrollment-profile": downloadEnrollmentProfile,
  "devices/download-enrollment-qr-code": downloadEnrollmentQrCode,
  "devices/start-device-enrollment": startDeviceEnrollment,
  "devices/export-devices": exportDevices,
  "devices/get-release-devices": getReleaseDevices,
  "devices/get-app-store-key": getAppStoreKey,
  "devices/update-app-store-key": updateAppStoreKey,
  "devices/start-apple-registration": startAppleRegistration,
  "devices/get-apple-registrations": getAppleRegistrations,
  "devices/import-devices": importDevices,
  "devices/create-device": createDevice,
  "devices/delete-device": deleteDevice,
  "devices/get-devices": getDevices,
  "devices/get-own-devices": getOwnDevices,
  "devices/update-device": updateDevice,
  "expiry/create-calendar-feed": createCalendarFeed,
  "expiry/delete-calendar-feed": deleteCalendarFeed,
  "expiry/download-calendar-feed": downloadCalendarFeed,
  "expiry/get-calendar-feed": getCalendarFeed,
  "expiry/get-expiring": getExpiring,
  "external-services/get-license": getLicense,
  "external-services/update-license": updateLicense,
  "files/abort-upload": abortUpload,
  "files/complete-upload": completeUpload,
  "files/create-upload": createUpload,
  "files/download-file": downloadFile,
  "files/get-upload": getUpload,
  "files/upload-file": uploadFile,
  "files/upload-part": uploadPart,
  "installs/get-install-matrix": getInstallMatrix,
  "installs/get-install-verdict": getInstallVerdict,
  "permissions/create-role-permission": createRolePermission,
  "permissions/delete-role-permission": deleteRolePermission,
  "permissions/get-available-scopes": getAvailableScopes,
  "permissions/get-role-permissions": getRolePermissions,
  "permissions/get-role-permissions-by-role-id": getRolePermissionsByRoleId,
  "permissions/update-role-access": updateRoleAccess,
  "permissions/update-role-permission": updateRolePermission,
  "apps/create-release-feed": createReleaseFeed,
  "apps/delete-release-feed": deleteReleaseFeed,
  "apps/download-release-feed": downloadReleaseFeed,
  "apps/get-release-feed": getReleaseFeed,
  "retention/empty-bin": emptyBin,
  "retention/get-bin": getBin,
  "retention/get-retention": getRetention,
  "retention/get-retention-preview": getRetentionPreview,
  "retention/get-storage": getStorage,
  "retention/restore-release": restoreRelease,
  "retention/update-retention": updateRetention,
  "installs/get-install-check": getInstallCheck,
  "installs/get-install-funnel": getInstallFunnel,
  "installs/get-release-people": getReleasePeople,
  "installs/run-install-check": runInstallCheck,
  "feedback/create-feedback": createFeedback,
  "feedback/delete-feedback": deleteFeedback,
  "feedback/download-feedback-screenshot": downloadFeedbackScreenshot,
  "feedback/get-feedback": getFeedback,
  "feedback/update-feedback": updateFeedback,
  "share-links/begin-share-link-install": beginShareLinkInstall,
  "testers/add-tester-group-members": addTesterGroupMembers,
  "testers/create-push-subscription": createPushSubscription,
  "testers/create-tester-feedback": createTesterFeedback,
  "testers/create-tester-group": createTesterGroup,
  "testers/delete-push-subscription": deletePushSubscription,
  "testers/delete-tester-group": deleteTesterGroup,
  "testers/distribute-release": distributeRelease,
  "testers/get-distribution-groups": getDistributionGroups,
  "testers/get-notification-settings": getNotificationSettings,
  "testers/get-release-distributions": getReleaseDistributions,
  "testers/get-tester-group": getTesterGroup,
  "testers/get-tester-group-members": getTesterGroupMembers,
  "testers/get-tester-groups": getTesterGroups,
  "testers/import-tester-group-members": importTesterGroupMembers,
  "testers/remove-tester-group-member": removeTesterGroupMember,
  "testers/resend-tester-confirmation": resendTesterConfirmation,
  "testers/update-notification-settings": updateNotificationSettings,
  "testers/update-tester-group": updateTesterGroup,
  "share-links/create-share-link": createShareLink,
  "share-links/create-share-link-feedback": createShareLinkFeedback,
  "share-links/delete-share-link": deleteShareLink,
  "share-links/download-share-link-qr-code": downloadShareLinkQrCode,
  "share-links/get-share-links": getShareLinks,
  "share-links/open-share-link": openShareLink,
  "share-links/unlock-share-link": unlockShareLink,
  "share-links/update-share-link": updateShareLink,
  "trust/download-authority": downloadAuthority,
  "trust/get-trust": getTrust,
  "webhooks/create-webhook": createWebhook,
  "webhooks/delete-webhook": deleteWebhook,
  "webhooks/get-webhook-deliveries": getWebhookDeliveries,
  "webhooks/get-webhooks": getWebhooks,
  "webhooks/preview-webhook": previewWebhook,
  "webhooks/redeliver-webhook": redeliverWebhook,
  "webhooks/rotate-webhook-secret": rotateWebhookSecret,
  "webhooks/test-webhook": testWebhook,
  "webhooks/update-webhook": updateWebhook,
};
