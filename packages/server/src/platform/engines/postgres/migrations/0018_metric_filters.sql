CREATE TABLE "metric_limits" (
	"project_id" uuid NOT NULL,
	"key" text NOT NULL,
	"default_limit" double precision NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "metric_limits_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
ALTER TABLE "metrics" ADD COLUMN "filter" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "metrics" ADD COLUMN "quantile" double precision;--> statement-breakpoint
ALTER TABLE "metric_limits" ADD CONSTRAINT "metric_limits_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;