import { answerNotFound, call, documentQuery } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { APP_PAGES, PAGES } from "@/lib/kernel/navigation/pages";

/** The pages of one application, and perhaps of one of its environments. */
const CONTEXT_PAGES: readonly string[] = [
  ...APP_PAGES,
  PAGES.appEnvironments,
  PAGES.manageAppEnvironments,
  PAGES.manageReleases,
  PAGES.manageDevVariables,
  PAGES.manageSecureVariables,
  PAGES.manageSecureCertificates,
  PAGES.releases,
  PAGES.adminApp,
  PAGES.adminEnvironment,
  PAGES.adminReleases,
  PAGES.adminDevVariables,
  PAGES.adminSecureVariables,
  PAGES.adminSecureCertificates,
];

/**
 * Loads the record that a page is about before its first byte is sent, so that a missing one is answered with 404: pages are
 * behind the skeleton of their `loading.tsx`, with which Next answers 200. The page itself says that nothing was found. Its own
 * calls with the same input are not repeated.
 */
export async function RequestedRecord() {
  const document = await documentQuery();
  if (!document || !CONTEXT_PAGES.includes(document.path)) return null;
  const { app, environment, id } = document.query;
  // What else may fail is the page's to answer.
  await Promise.allSettled([
    app !== undefined && call(getApp, { id: app }),
    document.path === PAGES.releases && id !== undefined && call(getTestingDeployById, { id }),
    app !== undefined &&
      environment !== undefined &&
      call(getAuthorizedEnvironmentsByApp, { appId: app, environmentId: environment }).then(async ({ items }) => {
        if (items.length === 0) await answerNotFound();
      }),
  ]);
  return null;
}
