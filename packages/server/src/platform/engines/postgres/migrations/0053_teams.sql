CREATE TABLE "teams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"managed" boolean DEFAULT false NOT NULL
);
CREATE UNIQUE INDEX "teams_key" ON "teams" ("key");
CREATE TABLE "team_members" (
	"team_id" uuid NOT NULL REFERENCES "teams"("id") ON DELETE cascade,
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_members_pk" PRIMARY KEY("team_id","user_id")
);
CREATE INDEX "team_members_user" ON "team_members" ("user_id");
CREATE TABLE "team_roles" (
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"team_id" uuid NOT NULL REFERENCES "teams"("id") ON DELETE cascade,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"managed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "team_roles_pk" PRIMARY KEY("project_id","team_id")
);
CREATE INDEX "team_roles_team" ON "team_roles" ("team_id");
