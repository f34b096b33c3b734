CREATE TABLE "source_maps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version" text NOT NULL,
	"file" text NOT NULL,
	"name" text NOT NULL,
	"debug_id" text,
	"hash" text NOT NULL,
	"size" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	"uploaded_by" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "source_maps" ADD CONSTRAINT "source_maps_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "source_maps_file" ON "source_maps" USING btree ("project_id","version","file");--> statement-breakpoint
CREATE INDEX "source_maps_name" ON "source_maps" USING btree ("project_id","name");