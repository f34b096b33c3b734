CREATE TABLE "holdouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"share" integer NOT NULL,
	"flag_ids" jsonb,
	"days" integer,
	"state" text NOT NULL,
	"salt" text NOT NULL,
	"split" text NOT NULL,
	"judged" jsonb NOT NULL,
	"results" jsonb,
	"created_by" text NOT NULL,
	"ended_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE UNIQUE INDEX "holdouts_key" ON "holdouts" ("project_id","key");--> statement-breakpoint
CREATE INDEX "holdouts_environment" ON "holdouts" ("environment_id");
