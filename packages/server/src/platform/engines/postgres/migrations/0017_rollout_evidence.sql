CREATE TABLE "rollout_evidence" (
	"rollout_id" uuid NOT NULL,
	"metric" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"found" jsonb NOT NULL,
	CONSTRAINT "rollout_evidence_pk" PRIMARY KEY("rollout_id","metric")
);
--> statement-breakpoint
ALTER TABLE "rollout_evidence" ADD CONSTRAINT "rollout_evidence_rollout_id_rollouts_id_fk" FOREIGN KEY ("rollout_id") REFERENCES "public"."rollouts"("id") ON DELETE cascade ON UPDATE no action;