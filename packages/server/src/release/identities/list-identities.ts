import type { QueryOf } from '@telltale/core/contract/call'
import type { listIdentities as Listing } from '@telltale/core/contract/identities'
import { problem } from '@telltale/core/errors'
import { isHiddenTrait } from '@telltale/core/evaluation/hide-traits'
import type { Grant } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readPage } from '../../platform/http/page.ts'
import { findByKey, findLastSeen, type IdentityFilter, type IdentityRow, type SeenCursor } from './queries.ts'
import { hiddenTraits, visibleTraits } from './visible-traits.ts'

type Query = QueryOf<typeof Listing>

/** One page of identities. Throws `forbidden` for a search by traits hidden from the role. */
export async function listIdentities(
  db: Queryable,
  { environment, grant }: { environment: EnvironmentRow; grant: Grant },
  query: Query,
) {
  const filter = { search: query.search, trait: readTrait(query, hiddenTraits(environment, grant)) }
  return readPage(query, {
    ...sourceOf(db, environment.id, filter),
    toItem: (row: IdentityRow) => ({
      targetingKey: row.targetingKey,
      ...visibleTraits(environment, row.traits, grant),
      firstSeenAt: row.firstSeenAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
    }),
  })
}

/** A prefix search reads in the order of the key's index. */
function sourceOf(db: Queryable, environmentId: string, filter: IdentityFilter) {
  if (filter.search !== undefined) {
    return {
      find: (after: string | undefined, count: number) =>
        findByKey(db, environmentId, { filter, after, count }),
      keyOf: ({ targetingKey }: IdentityRow) => targetingKey,
    }
  }
  return {
    find: (after: string | undefined, count: number) =>
      findLastSeen(db, environmentId, { filter, before: readCursor(after), count }),
    keyOf: ({ lastSeenAt, targetingKey }: IdentityRow) => `${lastSeenAt.toISOString()} ${targetingKey}`,
  }
}

function readCursor(text: string | undefined): SeenCursor | undefined {
  if (text === undefined) return undefined
  const gap = text.indexOf(' ')
  const lastSeenAt = new Date(text.slice(0, gap))
  if (gap !== -1 && /^\d{4}-/.test(text) && !Number.isNaN(lastSeenAt.getTime())) {
    return { lastSeenAt, targetingKey: text.slice(gap + 1) }
  }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}

function readTrait({ trait, value }: Query, hidden: ReadonlySet<string>): IdentityFilter['trait'] {
  if (trait === undefined && value === undefined) return undefined
  if (trait === undefined || value === undefined) {
    throw problem('invalid-request', {
      errors: [{ pointer: trait === undefined ? '?trait' : '?value', message: 'is required with the other' }],
    })
  }
  if (isHiddenTrait(trait, hidden)) {
    const permission = 'sensitive.view'
    throw problem('forbidden', { detail: `The trait is sensitive: this needs ${permission}.`, permission })
  }
  const scalar = readScalar(value)
  return { name: trait, values: scalar === undefined ? [value] : [value, scalar] }
}

/** Traits may be numbers or booleans, but a query only has text. */
function readScalar(text: string): number | boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}
