export { APPLE_DEVICE_AUTHORITIES } from "./apple";
export { MAX_OCSP_BYTES, makeOcspRequest, type OcspAnswer, OcspError, ocspResponderOf, readOcspResponse } from "./ocsp";
export { issueSigner, signCms } from "./sign";
export { CmsError, isIssuedBy, MAX_CMS_BYTES, type VerifiedCms, verifyCms } from "./verify";
