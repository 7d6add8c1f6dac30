-- The order of an application's environments, from 1 on.
ALTER TABLE "Environment" ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;

-- The environments that exist are put in the order in which a build passes them, as far as their names tell it.
UPDATE "Environment" e SET "position" = ordered."position" FROM (
  SELECT "id", row_number() OVER (PARTITION BY "appId" ORDER BY CASE
      WHEN "name" ~* '^(local|dev|develop|entwick|desarroll|d[ée]v|svilupp|desenvolv)' THEN 1
      WHEN "name" ~* '^(test|qa|q\.a|quality|integration|prueba|prova|essai)' THEN 2
      WHEN "name" ~* '(stag|uat|acceptance|abnahme|pre.?prod|beta|demo|preview|recette|homolog)' THEN 3
      WHEN "name" ~* '^(prod|live|main)' THEN 5
      ELSE 4
    END, lower("name"), "id") AS "position"
  FROM "Environment"
) ordered WHERE ordered."id" = e."id";

-- A new environment is the last one, also if the previous release adds it.
CREATE FUNCTION place_environment_last() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."position" = 0 THEN
    NEW."position" := (SELECT coalesce(max("position"), 0) + 1 FROM "Environment" WHERE "appId" = NEW."appId");
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "Environment_position" BEFORE INSERT ON "Environment"
  FOR EACH ROW EXECUTE FUNCTION place_environment_last();
