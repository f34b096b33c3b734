// The users of the last days in byte order of their keys, by which both stores can be paged.

import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Question } from '../../monitoring/explore/question.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { identities, identityOverrides } from '../../platform/engines/postgres/schema.ts'

type Traits = Record<string, unknown>

/** Small enough not to delay other requests while a page is read. */
const pageSize = 1_000

export interface SeenIdentity {
  targetingKey: string
  traits: Traits
}

interface Range {
  environmentId: string
  /** Exclusive. */
  after: string
}

/** Identities seen since then, by targeting key. */
export async function findIdentities(
  db: Queryable,
  { environmentId, after, since, count }: Range & { since: Date; count: number },
): Promise<SeenIdentity[]> {
  const found: SeenIdentity[] = []
  for (let last = after; found.length < count; ) {
    const size = Math.min(pageSize, count - found.length)
    const rows = await db
      .select({ targetingKey: identities.targetingKey, traits: identities.traits })
      .from(identities)
      .where(
        and(
          eq(identities.environmentId, environmentId),
          sql`${identities.targetingKey} ~>~ ${last}`,
          gte(identities.lastSeenAt, since),
        ),
      )
      .orderBy(sql`${identities.targetingKey} USING ~<~`)
      .limit(size)
    found.push(...rows)
    const end = rows.at(-1)
    if (end === undefined || rows.length < size) break
    last = end.targetingKey
  }
  return found
}

/** Identities with these keys, whenever they were seen. */
export async function findTraits(
  db: Queryable,
  environmentId: string,
  keys: readonly string[],
): Promise<Map<string, Traits>> {
  const found = new Map<string, Traits>()
  for (let first = 0; first < keys.length; first += pageSize) {
    const rows = await db
      .select({ targetingKey: identities.targetingKey, traits: identities.traits })
      .from(identities)
      .where(
        and(
          eq(identities.environmentId, environmentId),
          inArray(identities.targetingKey, keys.slice(first, first + pageSize)),
        ),
      )
    for (const { targetingKey, traits } of rows) found.set(targetingKey, traits)
  }
  return found
}

export async function countIdentities(db: Queryable, environmentId: string, since: Date): Promise<number> {
  return db.$count(
    identities,
    and(eq(identities.environmentId, environmentId), gte(identities.lastSeenAt, since)),
  )
}

/** Variations by the id of the flag and targeting key. */
export async function findOverrides(
  db: Queryable,
  { environmentId, after, until, flagIds }: Range & { until: string | undefined; flagIds: readonly string[] },
): Promise<Map<string, Map<string, string>>> {
  const rows =
    flagIds.length === 0
      ? []
      : await db
          .select()
          .from(identityOverrides)
          .where(
            and(
              eq(identityOverrides.environmentId, environmentId),
              inArray(identityOverrides.flagId, [...flagIds]),
              sql`${identityOverrides.targetingKey} ~>~ ${after}`,
              until === undefined ? undefined : sql`${identityOverrides.targetingKey} ~<=~ ${until}`,
            ),
          )
  const found = new Map<string, Map<string, string>>()
  for (const { flagId, targetingKey, variation } of rows) {
    const of = found.get(flagId) ?? new Map<string, string>()
    found.set(flagId, of.set(targetingKey, variation))
  }
  return found
}

export interface SessionsOfOne {
  subject: string
  anonymous_id: string
  device: string
  sessions: number
  with_errors: number
  /** Keys of the flags that were evaluated. */
  reads: string[]
}

/** Users with sessions in the period: by user key, or by anonymous id if there is no user key. */
export async function findSubjects(
  question: Question,
  { after, count, flags }: { after: string; count: number; flags: readonly string[] },
): Promise<SessionsOfOne[]> {
  const { bind } = question
  return question.read<SessionsOfOne>(`
SELECT subject, max(anonymous) AS anonymous_id, max(device) AS device, toUInt32(count()) AS sessions,
  toUInt32(countIf(errors > 0)) AS with_errors, groupUniqArrayArray(found) AS reads
FROM (
  SELECT if(user_key != '', user_key, arrayElement(arraySort(anonymous_ids), 1)) AS subject,
    arrayElement(arraySort(anonymous_ids), 1) AS anonymous, device, errors,
    arrayIntersect(arrayMap(one -> splitByChar('=', one)[1], flags), ${bind(flags, 'Array(String)')}) AS found
  FROM ${question.sessions('bot = 0')}
)
WHERE subject > ${bind(after, 'String')} GROUP BY subject ORDER BY subject LIMIT ${bind(count, 'UInt32')}`)
}

/** An estimate from whole days of sessions, which need not be merged for it. */
export async function countSubjects(question: Question): Promise<number> {
  const { bind, from, to } = question
  const dayOf = (at: number) => bind(new Date(at).toISOString().slice(0, 10), 'Date')
  const [row] = await question.read<{ people: number }>(
    `SELECT toUInt32(uniq(user_hash)) AS people FROM ${question.rowsOf('sessions', 'bot = 0', `day >= ${dayOf(from)}`, `day <= ${dayOf(to)}`)}`,
  )
  return row?.people ?? 0
}
