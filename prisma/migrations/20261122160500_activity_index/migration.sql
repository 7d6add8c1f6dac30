-- With the change, the index alone answers how much happened: the rows of a month are scattered over the table.

-- DropIndex
DROP INDEX "DailyActivity_environmentId_day_kind_idx";

-- CreateIndex
CREATE INDEX "DailyActivity_environmentId_day_kind_change_idx" ON "DailyActivity"("environmentId", "day", "kind", "change");
