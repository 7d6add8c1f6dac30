-- Permissions for the releases that were distributed to a group. The older version reads no such table, and gives these permissions
-- nothing.
-- CreateTable
CREATE TABLE "RolePermissionGroup" (
    "permissionId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "RolePermissionGroup_pkey" PRIMARY KEY ("permissionId","groupId")
);

-- CreateIndex
CREATE INDEX "RolePermissionGroup_groupId_idx" ON "RolePermissionGroup"("groupId");

-- AddForeignKey
ALTER TABLE "RolePermissionGroup" ADD CONSTRAINT "RolePermissionGroup_permissionId_fkey" FOREIGN KEY ("permissionId") REFERENCES "RolePermission"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolePermissionGroup" ADD CONSTRAINT "RolePermissionGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "TesterGroup"("id") ON DELETE CASCADE ON UPDATE CASCADE;
