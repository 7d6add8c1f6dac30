/** Where the installer of a release is fetched from. */
export function downloadPath(releaseId: string): string {
  return `/api/apps/download-testing-deploy-file?${new URLSearchParams({ id: releaseId })}`;
}

/** Lets the browser download the installer of a release; the page stays. */
export function startDownload(releaseId: string): void {
  const link = document.createElement("a");
  link.href = downloadPath(releaseId);
  link.download = "";
  link.click();
}
