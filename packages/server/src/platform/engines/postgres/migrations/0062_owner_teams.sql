ALTER TABLE "flags" ADD COLUMN "owner_teams" uuid[] DEFAULT '{}' NOT NULL;
