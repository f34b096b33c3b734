CREATE TABLE "code_sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"repository" text NOT NULL,
	"path" text NOT NULL,
	"branch" text NOT NULL,
	"commit" text NOT NULL,
	"link" text,
	"applied_at" timestamp (3) with time zone NOT NULL,
	"applied_by" text NOT NULL
);
CREATE UNIQUE INDEX "code_sources_folder" ON "code_sources" ("project_id", "repository", "path");
CREATE TABLE "code_entries" (
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"source_id" uuid NOT NULL REFERENCES "code_sources"("id") ON DELETE cascade,
	"file" text NOT NULL,
	"content" jsonb NOT NULL,
	"in_folder" boolean NOT NULL,
	CONSTRAINT "code_entries_pk" PRIMARY KEY ("project_id", "kind", "key")
);
CREATE INDEX "code_entries_source" ON "code_entries" ("source_id");
ALTER TABLE "change_requests" ADD COLUMN "from_code" boolean DEFAULT false NOT NULL;
