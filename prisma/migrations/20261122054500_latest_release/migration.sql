-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "mandatory" BOOLEAN NOT NULL DEFAULT false;

-- The parts of a version or build number as numbers, for comparison: the first number of each part between full stops,
-- 0 for a part without one. Zeros at the end are left out, so that 1.0 equals 1.
CREATE FUNCTION version_order(version text) RETURNS numeric[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  WITH parts AS (
    SELECT "position", coalesce(substring("part" FROM '[0-9]+'), '0')::numeric AS "number"
    FROM unnest(string_to_array(version, '.')) WITH ORDINALITY AS split("part", "position")
  )
  SELECT coalesce(array_agg("number" ORDER BY "position"), '{}') FROM parts
  WHERE "position" <= (SELECT max("position") FROM parts WHERE "number" <> 0)
$$;

CREATE INDEX "Release_latest_idx" ON "Release"
  ("environmentId", "platformId", version_order("version"), version_order("buildNumber"), "deployDate", "id");
CREATE INDEX "Release_mandatory_idx" ON "Release"
  ("environmentId", "platformId", version_order("version"), version_order("buildNumber")) WHERE "mandatory";
