CREATE TABLE "issue_groups" (
	"environment_id" uuid NOT NULL,
	"group" text NOT NULL,
	"issue_id" uuid NOT NULL,
	CONSTRAINT "issue_groups_pk" PRIMARY KEY("environment_id","group")
);
--> statement-breakpoint
CREATE TABLE "issues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"culprit" text NOT NULL,
	"state" text NOT NULL,
	"assignee_id" uuid,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"first_seen_version" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_version" text NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_in" text,
	"tolerated_versions" text[] DEFAULT '{}' NOT NULL,
	"ignored_until" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "issue_groups" ADD CONSTRAINT "issue_groups_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_groups" ADD CONSTRAINT "issue_groups_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "issue_groups_issue" ON "issue_groups" USING btree ("issue_id");--> statement-breakpoint
CREATE INDEX "issues_environment" ON "issues" USING btree ("environment_id","state");