CREATE TABLE "dashboards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"tiles" jsonb NOT NULL,
	"defaults" jsonb NOT NULL,
	"owner_id" uuid REFERENCES "users"("id") ON DELETE set null,
	"owner_name" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE INDEX "dashboards_project" ON "dashboards" ("project_id","id");
