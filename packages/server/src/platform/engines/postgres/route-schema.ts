// Which positions of paths contain ids: rules learned by the intake, and rules set by members.

import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments } from './schema.ts'

export const routeRules = pgTable(
  'route_rules',
  {
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** The route before the position; empty for the first segment. */
    under: text('under').notNull(),
    isMerged: boolean('is_merged').notNull(),
    except: text('except').array().notNull(),
    isLearned: boolean('is_learned').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ name: 'route_rules_pk', columns: [table.environmentId, table.under] })],
)
