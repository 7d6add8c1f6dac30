-- CreateTable
CREATE TABLE "Tester" (
    "id" UUID NOT NULL,
    "userId" UUID,
    "email" VARCHAR(254),
    "locale" VARCHAR(5) NOT NULL,
    "mail" BOOLEAN NOT NULL DEFAULT true,
    "confirmedAt" TIMESTAMPTZ(3),
    "bouncedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tester_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TesterGroup" (
    "id" UUID NOT NULL,
    "appId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "allEnvironments" BOOLEAN NOT NULL,
    "environmentIds" UUID[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TesterGroup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TesterGroupMember" (
    "id" UUID NOT NULL,
    "groupId" UUID NOT NULL,
    "testerId" UUID NOT NULL,
    "notify" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TesterGroupMember_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Tester_userId_key" ON "Tester"("userId");

-- CreateIndex
CREATE INDEX "TesterGroup_appId_name_id_idx" ON "TesterGroup"("appId", "name", "id");

-- CreateIndex
CREATE INDEX "TesterGroupMember_groupId_createdAt_id_idx" ON "TesterGroupMember"("groupId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "TesterGroupMember_testerId_idx" ON "TesterGroupMember"("testerId");

-- CreateIndex
CREATE UNIQUE INDEX "TesterGroupMember_groupId_testerId_key" ON "TesterGroupMember"("groupId", "testerId");

-- AddForeignKey
ALTER TABLE "Tester" ADD CONSTRAINT "Tester_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TesterGroup" ADD CONSTRAINT "TesterGroup_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TesterGroupMember" ADD CONSTRAINT "TesterGroupMember_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "TesterGroup"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TesterGroupMember" ADD CONSTRAINT "TesterGroupMember_testerId_fkey" FOREIGN KEY ("testerId") REFERENCES "Tester"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Names of groups and e-mails are unique without regard to case.
CREATE UNIQUE INDEX "TesterGroup_appId_name_key" ON "TesterGroup" ("appId", lower("name"));
CREATE UNIQUE INDEX "Tester_email_key" ON "Tester" (lower("email"));
ALTER TABLE "Tester" ADD CONSTRAINT "Tester_user_or_email" CHECK (("userId" IS NULL) <> ("email" IS NULL));
