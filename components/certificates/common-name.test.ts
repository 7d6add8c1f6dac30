import { expect, it } from "vitest";
import { commonName } from "./common-name";

it.each([
  ["CN=client.example,O=Acme\\, Inc.,C=DE", "client.example"],
  ["C=DE,O=Orbit,CN=Apple Push Services: com.example", "Apple Push Services: com.example"],
  ["C=DE,CN=Acme\\, Inc.", "Acme, Inc."],
  ["O=CNN,OU=A+CN=b", "b"],
  ["O=Orbit", undefined],
])("the common name of %s is %s", (subject, expected) => {
  expect(commonName(subject)).toBe(expected);
});
