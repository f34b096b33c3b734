// The difference of two entities, as stored in the audit log.

import type { AuditChange } from './audit-schema.ts'

/** Every changed member by JSON pointer (RFC 6901). Recurses into objects; arrays are compared as a whole. */
export function diff(before: object | undefined, after: object | undefined): AuditChange[] {
  return compare(before ?? {}, after ?? {}, '')
}

function compare(before: object, after: object, path: string): AuditChange[] {
  const old = new Map<string, unknown>(Object.entries(before))
  const next = new Map<string, unknown>(Object.entries(after))
  const names = [...new Set([...old.keys(), ...next.keys()])]

  return names.flatMap((name) => {
    const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [from, to] = [old.get(name), next.get(name)]
    if (isRecord(from) && isRecord(to)) return compare(from, to, pointer)
    if (isSame(from, to)) return []

    return [
      {
        pointer,
        ...(from === undefined ? {} : { before: from }),
        ...(to === undefined ? {} : { after: to }),
      },
    ]
  })
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
