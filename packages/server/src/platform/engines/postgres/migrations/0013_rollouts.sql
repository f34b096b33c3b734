CREATE TABLE "rollout_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rollout_id" uuid NOT NULL,
	"turn" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stage" integer NOT NULL,
	"evidence" integer NOT NULL,
	"action" text NOT NULL,
	"reason" text NOT NULL,
	"metric" text,
	"state" text NOT NULL,
	"by_id" uuid,
	"by_name" text,
	"comment" text,
	"refused" text,
	"findings" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollout_history" (
	"rollout_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stage" integer NOT NULL,
	"evidence" integer NOT NULL,
	"units" jsonb NOT NULL,
	"findings" jsonb NOT NULL,
	CONSTRAINT "rollout_history_pk" PRIMARY KEY("rollout_id","at")
);
--> statement-breakpoint
CREATE TABLE "rollouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"flag_id" uuid NOT NULL,
	"place" text NOT NULL,
	"control" text NOT NULL,
	"treatment" text NOT NULL,
	"by" text NOT NULL,
	"reason" text,
	"draft" jsonb NOT NULL,
	"judged" jsonb,
	"state" text NOT NULL,
	"turn" integer NOT NULL,
	"rollout" jsonb NOT NULL,
	"overlay" jsonb,
	"split" text,
	"first_epoch" integer,
	"last_epoch" integer,
	"seen" jsonb,
	"drafted_by" uuid,
	"started_by" uuid,
	"started_by_name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"lease_holder" text,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "rollout_decisions" ADD CONSTRAINT "rollout_decisions_rollout_id_rollouts_id_fk" FOREIGN KEY ("rollout_id") REFERENCES "public"."rollouts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollout_decisions" ADD CONSTRAINT "rollout_decisions_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollout_history" ADD CONSTRAINT "rollout_history_rollout_id_rollouts_id_fk" FOREIGN KEY ("rollout_id") REFERENCES "public"."rollouts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollouts" ADD CONSTRAINT "rollouts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollouts" ADD CONSTRAINT "rollouts_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollouts" ADD CONSTRAINT "rollouts_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollouts" ADD CONSTRAINT "rollouts_drafted_by_users_id_fk" FOREIGN KEY ("drafted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollouts" ADD CONSTRAINT "rollouts_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rollout_decisions_rollout" ON "rollout_decisions" USING btree ("rollout_id","id");--> statement-breakpoint
CREATE INDEX "rollouts_project" ON "rollouts" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "rollouts_flag" ON "rollouts" USING btree ("flag_id","environment_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "rollouts_running" ON "rollouts" USING btree ("environment_id","flag_id","place") WHERE "rollouts"."overlay" IS NOT NULL;