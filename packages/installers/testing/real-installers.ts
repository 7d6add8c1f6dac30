import { existsSync } from "node:fs";

/** The folder with real and hostile installers: `../shared/fixtures`, relative to the root of the repository. */
export const FIXTURES = new URL("../../../../shared/fixtures/", import.meta.url);

/** The list of the fixtures, with the properties that other tools report. */
export const FIXTURE_MANIFEST = new URL("MANIFEST.json", FIXTURES);

/** The list of installers that people reported, with what is right for each. They are beside the list. */
export const FIELD_MANIFEST = new URL("field/MANIFEST.json", FIXTURES);

/** Whether the fixtures are present; the tests that need them are skipped otherwise. */
export const hasFixtures = existsSync(FIXTURE_MANIFEST);
