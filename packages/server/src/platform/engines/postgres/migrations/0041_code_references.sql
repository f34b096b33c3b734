CREATE TABLE "code_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"repository" text NOT NULL,
	"branch" text NOT NULL,
	"is_default" boolean NOT NULL,
	"commit" text NOT NULL,
	"link" text,
	"files" integer NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	"uploaded_by" text NOT NULL
);
CREATE UNIQUE INDEX "code_uploads_branch" ON "code_uploads" ("project_id", "repository", "branch");
CREATE TABLE "code_references" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"upload_id" uuid NOT NULL REFERENCES "code_uploads"("id") ON DELETE cascade,
	"flag_key" text NOT NULL,
	"file" text NOT NULL,
	"line" integer NOT NULL,
	"kind" text NOT NULL,
	"context" text NOT NULL
);
CREATE INDEX "code_references_flag" ON "code_references" ("upload_id", "flag_key", "file", "line");
CREATE TABLE "code_flags" (
	"upload_id" uuid NOT NULL REFERENCES "code_uploads"("id") ON DELETE cascade,
	"flag_key" text NOT NULL,
	"gone_at" timestamp (3) with time zone NOT NULL,
	PRIMARY KEY ("upload_id", "flag_key")
);
