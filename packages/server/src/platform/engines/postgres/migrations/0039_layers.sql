CREATE TABLE "layers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"by" text NOT NULL,
	"salt" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX "layers_key" ON "layers" ("project_id","key");--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "layer_id" uuid REFERENCES "layers"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "layer_share" integer;--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "layer_ranges" jsonb;
