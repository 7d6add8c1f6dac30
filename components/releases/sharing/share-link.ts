import { isLoopback } from "@/lib/kernel/navigation/loopback";

/**
 * The URL of a release's page for other people. It uses the console's public address or, if the settings only contain a
 * loopback address, the address at which this page was opened.
 *
 * @param installUrl the URL according to the console's settings
 * @param origin of the current page, e.g. `https://console.example.com`
 */
export function shareLink(installUrl: string, origin: string): string {
  const url = new URL(installUrl);
  return isLoopback(installUrl) ? `${origin}${url.pathname}${url.search}` : installUrl;
}
