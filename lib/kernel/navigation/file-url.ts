/** Returns the URL of a stored image, relative to the console's address. */
export function fileUrl(fileId: string): string {
  return `/api/files/download-file?id=${fileId}`;
}
