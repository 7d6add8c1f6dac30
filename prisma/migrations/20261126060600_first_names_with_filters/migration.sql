-- A search for a first name with a filter reads the users with the name from the index that orders them: it has what is filtered.
DROP INDEX "User_firstNames_id_idx";
CREATE INDEX "User_firstNames_id_idx" ON "User" ("firstNames" COLLATE "names", "id", "status", "roleId", "provider");
