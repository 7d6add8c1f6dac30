/** The names under which a machine knows itself alone. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a release's page for other people: under the console's public name, or under the one by which this
 * page was opened where the console was only told a name that leads nowhere else.
 *
 * @param installUrl the address by the console's settings
 * @param origin of the page that is open, e.g. `https://console.example.com`
 */
export function shareLink(installUrl: string, origin: string): string {
  const url = new URL(installUrl);
  return LOOPBACK.test(url.hostname) ? `${origin}${url.pathname}${url.search}` : installUrl;
}
