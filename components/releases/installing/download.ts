/** `universal`: of an app bundle, the APK for all devices. */
type DownloadVariant = "universal";

/** The URL that the installer of a release is downloaded from. */
function downloadPath(releaseId: string, variant?: DownloadVariant): string {
  return `/api/apps/download-testing-deploy-file?${new URLSearchParams({ id: releaseId, ...(variant && { variant }) })}`;
}

/** Has the browser download the installer of a release, without leaving the page. */
export function startDownload(releaseId: string, variant?: DownloadVariant): void {
  const link = document.createElement("a");
  link.href = downloadPath(releaseId, variant);
  link.download = "";
  link.click();
}
