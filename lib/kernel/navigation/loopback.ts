/** Host names that only work on the machine itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL works only on the machine where the console runs. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}
