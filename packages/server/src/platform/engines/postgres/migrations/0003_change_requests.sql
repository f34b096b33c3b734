CREATE TABLE "change_request_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"change_request_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"action" text NOT NULL,
	"actor" jsonb NOT NULL,
	"comment" text
);
--> statement-breakpoint
CREATE TABLE "change_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"flag_id" uuid NOT NULL,
	"state" text NOT NULL,
	"base_version" integer NOT NULL,
	"proposed" jsonb NOT NULL,
	"reason" text,
	"scheduled_for" timestamp (3) with time zone,
	"author_id" uuid,
	"author_name" text NOT NULL,
	"reviewers" uuid[] NOT NULL,
	"approved_by_id" uuid,
	"approved_by_name" text,
	"applied_version" integer,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scheduled_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"flag_id" uuid NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"patch" jsonb NOT NULL,
	"reason" text,
	"author_id" uuid,
	"token_id" uuid,
	"author" jsonb NOT NULL,
	"failure" text,
	"applied_version" integer,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "flag_config_versions" ADD COLUMN "change_request" jsonb;--> statement-breakpoint
ALTER TABLE "change_request_decisions" ADD CONSTRAINT "change_request_decisions_change_request_id_change_requests_id_fk" FOREIGN KEY ("change_request_id") REFERENCES "public"."change_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_approved_by_id_users_id_fk" FOREIGN KEY ("approved_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_changes" ADD CONSTRAINT "scheduled_changes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_changes" ADD CONSTRAINT "scheduled_changes_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_changes" ADD CONSTRAINT "scheduled_changes_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_changes" ADD CONSTRAINT "scheduled_changes_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_changes" ADD CONSTRAINT "scheduled_changes_token_id_api_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "change_request_decisions_request" ON "change_request_decisions" USING btree ("change_request_id","id");--> statement-breakpoint
CREATE INDEX "change_requests_project" ON "change_requests" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "change_requests_undecided" ON "change_requests" USING btree ("flag_id","environment_id") WHERE "change_requests"."state" IN ('open', 'approved', 'conflicted');--> statement-breakpoint
CREATE INDEX "change_requests_due" ON "change_requests" USING btree ("scheduled_for") WHERE "change_requests"."state" = 'approved';--> statement-breakpoint
CREATE INDEX "scheduled_changes_project" ON "scheduled_changes" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "scheduled_changes_flag" ON "scheduled_changes" USING btree ("flag_id","environment_id") WHERE "scheduled_changes"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "scheduled_changes_due" ON "scheduled_changes" USING btree ("at") WHERE "scheduled_changes"."state" = 'pending';