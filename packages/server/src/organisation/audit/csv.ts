// Audit entries as CSV (RFC 4180), one line each.

import type { AuditEntry } from '@telltale/core/contract/audit'

type Value = string | number | null

const columns: Readonly<Record<string, (entry: AuditEntry) => Value>> = {
  position: ({ seal }) => seal?.position ?? null,
  id: ({ id }) => id,
  at: ({ at }) => at,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  action: ({ action }) => action,
  entityKind: ({ entity }) => entity.kind,
  entityId: ({ entity }) => entity.id,
  entityName: ({ entity }) => entity.name,
  project: ({ project }) => project,
  environment: ({ environment }) => environment,
  reason: ({ reason }) => reason,
  changes: ({ changes }) => JSON.stringify(changes),
  requestId: ({ requestId }) => requestId,
  previousHash: ({ seal }) => seal?.previousHash ?? null,
  hash: ({ seal }) => seal?.hash ?? null,
}

export const csvHead = toCsvLine(Object.keys(columns))

export const csvLine = (entry: AuditEntry): string =>
  toCsvLine(Object.values(columns).map((read) => read(entry)))

export function toCsvLine(values: readonly Value[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

function toCell(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Spreadsheets would run a text like this as a formula, some of them also with full-width characters.
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
