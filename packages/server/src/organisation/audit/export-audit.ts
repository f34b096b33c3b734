// Exports the audit log line by line: a page is in memory at a time, and each is read when the client has taken the
// one before.

import { Readable } from 'node:stream'
import type { exportInstallationAudit } from '@telltale/core/contract/audit'
import type { QueryOf } from '@telltale/core/contract/call'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { Download } from '../../platform/http/download.ts'
import { csvHead, csvLine } from './csv.ts'
import { toAuditEntry } from './entry.ts'
import { readFilter } from './list-audit.ts'
import { noteInAudit } from './note-refusal.ts'
import { type AuditFilter, findOlderFirst } from './queries.ts'

type ExportQuery = QueryOf<typeof exportInstallationAudit>

export async function exportAudit(
  db: Db,
  origin: ChangeOrigin,
  { query, project }: { query: ExportQuery; project?: { id: string; key: string } },
): Promise<Download> {
  const { format = 'ndjson', ...given } = query
  const filter = readFilter(given)
  const entity = project
    ? { kind: 'audit', id: project.id, name: project.key }
    : { kind: 'audit', id: 'installation', name: 'installation' }
  await noteInAudit(db, origin, [
    { action: 'audit.export', entity, ...(project && { project }), after: { format, ...given } },
  ])
  const lines = readLines(db, project ? { ...filter, projectId: project.id } : filter, format)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return new Download(type, Readable.from(lines))
}

/** Strings of a page each. Entries that are written meanwhile are not in it, so that it ends. */
async function* readLines(db: Db, filter: AuditFilter, format: 'ndjson' | 'csv'): AsyncGenerator<string> {
  const before = newId()
  let after: string | undefined
  if (format === 'csv') yield csvHead
  for (;;) {
    const rows = await findOlderFirst(db, filter, { after, before, count: limits.auditPage })
    const entries = rows.map(toAuditEntry)
    if (entries.length > 0) {
      yield entries
        .map((entry) => (format === 'csv' ? csvLine(entry) : `${JSON.stringify(entry)}\n`))
        .join('')
    }
    after = rows.at(-1)?.id
    if (rows.length < limits.auditPage) return
  }
}
