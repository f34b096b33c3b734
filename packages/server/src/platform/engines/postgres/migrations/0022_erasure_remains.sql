ALTER TABLE "erasures" ADD COLUMN "cleared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "spool_cleared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "named_in" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An erasure replaces what names a person; who did what, and when, stays as it is.
  IF TG_OP = 'UPDATE' AND current_setting('telltale.erasing', true) = 'on'
    AND (to_jsonb(NEW) - 'changes' - 'entity_name' - 'reason') = (to_jsonb(OLD) - 'changes' - 'entity_name' - 'reason')
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_entries is append-only';
END
$$;
