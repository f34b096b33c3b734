CREATE TABLE "comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"environment_id" uuid REFERENCES "environments"("id") ON DELETE cascade,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"subject_key" text NOT NULL,
	"subject_name" text NOT NULL,
	"text" text NOT NULL,
	"author_id" uuid REFERENCES "users"("id") ON DELETE set null,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE INDEX "comments_subject" ON "comments" ("project_id","subject_kind","subject_id","id");--> statement-breakpoint
CREATE TABLE "comment_mentions" (
	"comment_id" uuid NOT NULL REFERENCES "comments"("id") ON DELETE cascade,
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"read_at" timestamp (3) with time zone,
	PRIMARY KEY ("comment_id","user_id")
);--> statement-breakpoint
CREATE INDEX "comment_mentions_unread" ON "comment_mentions" ("user_id") WHERE "read_at" IS NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mention_mail" boolean DEFAULT true NOT NULL;
