/** The cookie of an administrator who put the notice of a license that ends soon away. */
export const LICENSE_NOTICE_COOKIE = "license-notice";

export const LICENSE_NOTICE_SECONDS = 86_400;
