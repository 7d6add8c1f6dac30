/**
 * The user agent of the install check: that of iOS, so that it is answered as a phone is, and a name by which its requests are not
 * counted as downloads.
 */
export const INSTALL_CHECK_AGENT = "com.apple.appstored/1.0 iOS/18.5 model/iPhone17,3 SlipwayInstallCheck/1";

/** Whether a request comes from the install check. Who pretends so is not counted either. */
export function isInstallCheck(userAgent: string | null | undefined): boolean {
  return userAgent?.includes("SlipwayInstallCheck/") ?? false;
}
