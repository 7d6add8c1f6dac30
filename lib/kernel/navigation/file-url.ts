/** Where the browser finds a stored image; relative, so that it holds under every address of the console. */
export function fileUrl(fileId: string): string {
  return `/api/files/download-file?id=${fileId}`;
}
