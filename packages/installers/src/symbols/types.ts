import { z } from "zod";

/** The UUID of a Mach-O image, in upper case with hyphens. */
const uuid = z.string().regex(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);

/** What crash reports identify by its UUID: a slice of an executable or library, or the symbols of one. */
export const symbolImageSchema = z.object({
  uuid,
  /** Such as `arm64`. */
  architecture: z.string(),
  /** Of an app, the path in its folder; of symbols, the name of the file. */
  name: z.string(),
});
export type SymbolImage = z.output<typeof symbolImageSchema>;

/** What the header of a mapping file of R8 or ProGuard says. */
export const mappingFactsSchema = z.object({
  /** Such as `R8`; null for ProGuard, which does not say. */
  compiler: z.string().nullable(),
  compilerVersion: z.string().nullable(),
  /** The ID by which the app names its mapping file (`pg_map_id`). */
  mapId: z.string().nullable(),
  minApi: z.string().nullable(),
});
export type MappingFacts = z.output<typeof mappingFactsSchema>;
