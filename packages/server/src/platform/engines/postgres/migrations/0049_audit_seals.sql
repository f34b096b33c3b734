CREATE TABLE "audit_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"facts_hash" "bytea" NOT NULL,
	"details_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_seals_entry" ON "audit_seals" ("entry_id","position");
--> statement-breakpoint
CREATE FUNCTION refuse_seal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_seals is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON "audit_seals"
FOR EACH ROW EXECUTE FUNCTION refuse_seal_change();
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL
);
--> statement-breakpoint
-- In the database, so that a server of the previous version that still runs queues its entries, too.
CREATE FUNCTION queue_for_sealing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_unsealed" ("entry_id") SELECT "id" FROM written ORDER BY "id";
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_queued AFTER INSERT ON "audit_entries"
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();
--> statement-breakpoint
-- Entries of earlier versions are sealed as they are now, in the order in which they are listed. After the trigger,
-- which locks the table, so that no entry of another server is missed.
INSERT INTO "audit_unsealed" ("entry_id") SELECT "id" FROM "audit_entries" ORDER BY "id";
--> statement-breakpoint
-- An erasure changed the texts of an entry.
CREATE TRIGGER audit_entries_queued_again AFTER UPDATE ON "audit_entries"
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();
