CREATE TABLE "share_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"kind" text NOT NULL,
	"target" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_opened_at" timestamp (3) with time zone,
	"opened" integer DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX "share_links_token" ON "share_links" ("token_hash");--> statement-breakpoint
CREATE INDEX "share_links_project" ON "share_links" ("project_id","id");
