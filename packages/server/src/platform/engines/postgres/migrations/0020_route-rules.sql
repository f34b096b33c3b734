CREATE TABLE "route_rules" (
	"environment_id" uuid NOT NULL,
	"under" text NOT NULL,
	"is_merged" boolean NOT NULL,
	"except" text[] NOT NULL,
	"is_learned" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "route_rules_pk" PRIMARY KEY("environment_id","under")
);
--> statement-breakpoint
ALTER TABLE "route_rules" ADD CONSTRAINT "route_rules_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;