import { z } from "zod";

/**
 * A text without control characters (C0, C1), separators of lines, and characters that change the direction of the text after
 * them (UAX #9), which make one name look like another. Written without property escapes, which other dialects do not have.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses
const SHOWS_AS_WRITTEN = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;

/** A text of one line that people read, such as a name, in an input; for browser and server. May be empty. */
export const lineSchema = z.string().trim().regex(SHOWS_AS_WRITTEN, { error: "nameCharacters" });

/** The name of something, or of a person, in an input. */
export const nameSchema = lineSchema.min(1).max(100);

/** A name as a caller has read it. Names that were stored before the rule for them can have characters that it refuses. */
export const readNameSchema = z.string().trim().min(1).max(100);
