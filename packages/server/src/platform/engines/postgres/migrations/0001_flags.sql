CREATE TABLE "flag_config_versions" (
	"flag_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"config" jsonb NOT NULL,
	"actor" jsonb NOT NULL,
	"reason" text,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "flag_config_versions_pk" PRIMARY KEY("flag_id","environment_id","version")
);
--> statement-breakpoint
CREATE TABLE "flag_configs" (
	"flag_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"off_variation" text NOT NULL,
	"prerequisites" jsonb NOT NULL,
	"rules" jsonb NOT NULL,
	"fallthrough" jsonb NOT NULL,
	"salt" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "flag_configs_pk" PRIMARY KEY("flag_id","environment_id")
);
--> statement-breakpoint
CREATE TABLE "flags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"value_type" text NOT NULL,
	"variations" jsonb NOT NULL,
	"value_schema" jsonb,
	"tags" text[] NOT NULL,
	"owner_id" uuid,
	"permanent" boolean NOT NULL,
	"remove_by" date,
	"client_visible" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"managed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"environment_id" uuid NOT NULL,
	"targeting_key" text NOT NULL,
	"traits" jsonb NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identities_pk" PRIMARY KEY("environment_id","targeting_key")
);
--> statement-breakpoint
CREATE TABLE "identity_overrides" (
	"environment_id" uuid NOT NULL,
	"flag_id" uuid NOT NULL,
	"targeting_key" text NOT NULL,
	"variation" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_overrides_pk" PRIMARY KEY("environment_id","flag_id","targeting_key")
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"conditions" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"managed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "split_epochs" (
	"split_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"by" text NOT NULL,
	"arms" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "split_epochs_pk" PRIMARY KEY("split_id","epoch")
);
--> statement-breakpoint
CREATE TABLE "splits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "splits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"flag_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"place" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "flag_config_versions" ADD CONSTRAINT "flag_config_versions_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flag_config_versions" ADD CONSTRAINT "flag_config_versions_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flag_configs" ADD CONSTRAINT "flag_configs_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flag_configs" ADD CONSTRAINT "flag_configs_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_overrides" ADD CONSTRAINT "identity_overrides_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_overrides" ADD CONSTRAINT "identity_overrides_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "split_epochs" ADD CONSTRAINT "split_epochs_split_id_splits_id_fk" FOREIGN KEY ("split_id") REFERENCES "public"."splits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "splits" ADD CONSTRAINT "splits_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "splits" ADD CONSTRAINT "splits_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flag_configs_environment" ON "flag_configs" USING btree ("environment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "flags_key" ON "flags" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "identities_last_seen" ON "identities" USING btree ("environment_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "identity_overrides_subject" ON "identity_overrides" USING btree ("environment_id","targeting_key");--> statement-breakpoint
CREATE UNIQUE INDEX "segments_key" ON "segments" USING btree ("project_id","key");--> statement-breakpoint
CREATE UNIQUE INDEX "splits_place" ON "splits" USING btree ("environment_id","flag_id","place");