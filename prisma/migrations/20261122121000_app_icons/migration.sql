-- The newest installer with an icon of each environment, for the picture of its app.
CREATE INDEX "Release_icon_idx" ON "Release" ("environmentId", "deployDate" DESC, "id" DESC) INCLUDE ("iconFileId")
  WHERE "iconFileId" IS NOT NULL;
