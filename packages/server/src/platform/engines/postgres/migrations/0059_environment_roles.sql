CREATE TABLE "environment_roles" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE CASCADE,
	"role" text NOT NULL,
	CONSTRAINT "environment_roles_pk" PRIMARY KEY ("environment_id", "user_id"),
	CONSTRAINT "environment_roles_membership" FOREIGN KEY ("project_id", "user_id") REFERENCES "memberships"("project_id", "user_id") ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX "environment_roles_member" ON "environment_roles" ("project_id", "user_id");
