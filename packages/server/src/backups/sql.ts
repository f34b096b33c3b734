// The raw connection that COPY needs, by the names that the files here use for it.
import type { ControlPlane } from '../engines/postgres/open.ts'

export type Sql = ControlPlane['sql']
export type SqlTransaction = Parameters<Parameters<Sql['begin']>[1]>[0]
/** What reads run on: the pool, or the transaction they are part of. */
export type SqlQueryable = Sql | SqlTransaction

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quotedTable = (name: string) => `public.${quoted(name)}`
