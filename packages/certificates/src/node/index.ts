export { APPLE_DEVICE_AUTHORITIES } from "./apple";
export { issueSigner, signCms } from "./sign";
export { CmsError, isIssuedBy, MAX_CMS_BYTES, type VerifiedCms, verifyCms } from "./verify";
