CREATE TABLE "evaluation_counts" (
	"series_id" bigint NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "evaluation_counts_pk" PRIMARY KEY("series_id","grain","at")
);
--> statement-breakpoint
CREATE TABLE "evaluation_series" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "evaluation_series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"flag_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"variation" text,
	"reason" text NOT NULL,
	"split_id" bigint,
	"epoch" integer,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "evaluation_series_outcome" UNIQUE NULLS NOT DISTINCT("flag_id","environment_id","variation","reason","split_id","epoch")
);
--> statement-breakpoint
DROP INDEX "identities_last_seen";--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "private_traits" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "sensitive_traits" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "flag_configs" ADD COLUMN "one_variation_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "evaluation_series" ADD CONSTRAINT "evaluation_series_flag_id_flags_id_fk" FOREIGN KEY ("flag_id") REFERENCES "public"."flags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_series" ADD CONSTRAINT "evaluation_series_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluation_counts_age" ON "evaluation_counts" USING btree ("grain","at");--> statement-breakpoint
CREATE INDEX "evaluation_series_arm" ON "evaluation_series" USING btree ("split_id","epoch");--> statement-breakpoint
CREATE INDEX "identities_prefix" ON "identities" USING btree ("environment_id","targeting_key" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "identities_traits" ON "identities" USING gin ("traits" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "identities_last_seen" ON "identities" USING btree ("environment_id","last_seen_at","targeting_key");