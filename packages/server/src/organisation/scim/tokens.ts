// Tokens for SCIM: created and revoked by owners, kept as hashes.

import type { ScimToken } from '@telltale/core/contract/scim'
import { problem } from '@telltale/core/errors'
import { scimTokenPrefix } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  type ScimRequestRow,
  type ScimTokenRow,
  scimRequests,
  scimTokens,
  scimUsers,
} from '../../platform/engines/postgres/scim-schema.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'

const shownPrefixLength = scimTokenPrefix.length + 6

const tokenChange = (verb: 'create' | 'revoke', { id, name }: ScimTokenRow): EntityChange => ({
  action: `scim-token.${verb}`,
  entity: { kind: 'scim-token', id, name },
})

export const createScimToken = change(async ({ db, now, actor }, { name }: { name: string }) => {
  if ((await db.$count(scimTokens, isNull(scimTokens.revokedAt))) >= limits.scimTokens) {
    throw problem(
      'in-use',
      `An installation has at most ${limits.scimTokens} tokens for SCIM. Revoke one first.`,
    )
  }
  const value = newSecret(scimTokenPrefix)
  const row: ScimTokenRow = {
    ...{ id: newId(), name, prefix: value.slice(0, shownPrefixLength), hash: hashSecret(value) },
    ...{ createdBy: actor.name, createdAt: now, lastUsedAt: null, revokedAt: null },
  }
  await db.insert(scimTokens).values(row)
  return { reply: { token: toScimToken(row, []), value }, changes: [tokenChange('create', row)] }
})

/** Idempotent. */
export const revokeScimToken = change(async ({ db, now }, { id }: { id: string }) => {
  const [row] = await db.select().from(scimTokens).where(eq(scimTokens.id, id)).for('update')
  if (row === undefined) throw problem('not-found')
  if (row.revokedAt !== null) return { reply: null, changes: [] }
  await db.update(scimTokens).set({ revokedAt: now }).where(eq(scimTokens.id, id))
  return { reply: null, changes: [tokenChange('revoke', row)] }
})

function toScimToken(row: ScimTokenRow, requests: readonly ScimRequestRow[]): ScimToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    requests: requests.map(({ at, method, resource, status, detail }) => ({
      ...{ at: at.toISOString(), method, resource, status, detail },
    })),
  }
}

export async function listScimTokens(db: Queryable) {
  const rows = await db.select().from(scimTokens).orderBy(desc(scimTokens.id))
  const requests = await db.select().from(scimRequests).orderBy(desc(scimRequests.id))
  const users = await db.$count(scimUsers)
  const groups = await db.$count(teams, eq(teams.scim, true))
  const items = rows.map((row) =>
    toScimToken(row, requests.filter(({ tokenId }) => tokenId === row.id).slice(0, limits.scimRequestsKept)),
  )
  return { items, users, groups }
}

export async function findScimToken(db: Queryable, value: string): Promise<ScimTokenRow | undefined> {
  const [row] = await db
    .select()
    .from(scimTokens)
    .where(and(eq(scimTokens.hash, hashSecret(value)), isNull(scimTokens.revokedAt)))
  return row
}

type NotedRequest = Omit<ScimRequestRow, 'id'>

/** Keeps the last requests of each token. */
export async function noteRequest(db: Queryable, request: NotedRequest): Promise<void> {
  await db.insert(scimRequests).values({ id: newId(), ...request })
  await db.update(scimTokens).set({ lastUsedAt: request.at }).where(eq(scimTokens.id, request.tokenId))
  await db.execute(sql`
    DELETE FROM scim_requests WHERE token_id = ${request.tokenId} AND id NOT IN (
      SELECT id FROM scim_requests WHERE token_id = ${request.tokenId}
      ORDER BY id DESC LIMIT ${limits.scimRequestsKept}
    )`)
}
