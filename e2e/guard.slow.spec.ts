import { testLinksOf } from "./fixtures/dead-links";

testLinksOf("may download", ["release:download"]);
testLinksOf("may change environments", ["environment:write"]);
