import { testLinksOf } from "./fixtures/dead-links";

testLinksOf("may only look", ["release:read"]);
testLinksOf("may download", ["release:download"]);
testLinksOf("may change environments", ["environment:write"]);
testLinksOf("may do everything with releases", [
  "release:create",
  "release:update",
  "release:delete",
  "release:download",
]);
