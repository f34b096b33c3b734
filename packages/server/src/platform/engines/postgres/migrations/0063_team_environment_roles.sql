CREATE TABLE "team_environment_roles" (
	"project_id" uuid NOT NULL,
	"team_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE CASCADE,
	"role" text NOT NULL,
	CONSTRAINT "team_environment_roles_pk" PRIMARY KEY ("environment_id", "team_id"),
	CONSTRAINT "team_environment_roles_role" FOREIGN KEY ("project_id", "team_id") REFERENCES "team_roles"("project_id", "team_id") ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX "team_environment_roles_team" ON "team_environment_roles" ("project_id", "team_id");
