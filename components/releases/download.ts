/** The URL that the installer of a release is downloaded from. */
export function downloadPath(releaseId: string): string {
  return `/api/apps/download-testing-deploy-file?${new URLSearchParams({ id: releaseId })}`;
}

/** Has the browser download the installer of a release, without leaving the page. */
export function startDownload(releaseId: string): void {
  const link = document.createElement("a");
  link.href = downloadPath(releaseId);
  link.download = "";
  link.click();
}
