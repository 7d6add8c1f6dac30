-- What a person installed last.
CREATE INDEX "ReleaseDownload_userId_at_idx" ON "ReleaseDownload"("userId", "at" DESC);
