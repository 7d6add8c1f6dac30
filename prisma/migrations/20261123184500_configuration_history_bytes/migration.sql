-- The bytes of the history of each environment's configuration, for its limit. Triggers count them, so the changes that the
-- previous release makes count too.
ALTER TABLE "Environment" ADD COLUMN     "configurationHistoryBytes" BIGINT NOT NULL DEFAULT 0;

-- Counts the rows of one statement. The arguments: 1 for added rows or -1 for removed ones, and the bytes of a row.
CREATE FUNCTION count_configuration_history() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE "Environment" e
      SET "configurationHistoryBytes" = e."configurationHistoryBytes" + (%1$s) * counted."bytes"
      FROM (SELECT "environmentId", sum(%2$s)::bigint AS "bytes" FROM changed GROUP BY "environmentId") counted
      WHERE e."id" = counted."environmentId"', TG_ARGV[0], TG_ARGV[1]);
  RETURN NULL;
END
$$;

-- A row and its indexes take about as many bytes as are added to its columns here.
CREATE TRIGGER "ConfigurationVersion_bytes_inserted" AFTER INSERT ON "ConfigurationVersion" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('1', '200');
CREATE TRIGGER "ConfigurationVersion_bytes_deleted" AFTER DELETE ON "ConfigurationVersion" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('-1', '200');
CREATE TRIGGER "ConfigurationChange_bytes_inserted" AFTER INSERT ON "ConfigurationChange" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('1',
    '400 + coalesce(octet_length("value"), 0) + coalesce(octet_length("details"::text), 0)');
CREATE TRIGGER "ConfigurationChange_bytes_deleted" AFTER DELETE ON "ConfigurationChange" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('-1',
    '400 + coalesce(octet_length("value"), 0) + coalesce(octet_length("details"::text), 0)');
CREATE TRIGGER "ConfigurationSecret_bytes_inserted" AFTER INSERT ON "ConfigurationSecret" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('1',
    '300 + octet_length("value") + coalesce(octet_length("password"), 0)');
CREATE TRIGGER "ConfigurationSecret_bytes_deleted" AFTER DELETE ON "ConfigurationSecret" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_configuration_history('-1',
    '300 + octet_length("value") + coalesce(octet_length("password"), 0)');

-- The triggers keep writers away until this transaction ends, so that nothing is counted twice or not at all.
UPDATE "Environment" e SET "configurationHistoryBytes" = (
  SELECT coalesce(sum("bytes"), 0) FROM (
    SELECT 200::bigint AS "bytes" FROM "ConfigurationVersion" WHERE "environmentId" = e."id"
    UNION ALL
    SELECT 400 + coalesce(octet_length("value"), 0) + coalesce(octet_length("details"::text), 0)
      FROM "ConfigurationChange" WHERE "environmentId" = e."id"
    UNION ALL
    SELECT 300 + octet_length("value") + coalesce(octet_length("password"), 0)
      FROM "ConfigurationSecret" WHERE "environmentId" = e."id"
  ) counted
) WHERE e."configurationVersion" > 0;
