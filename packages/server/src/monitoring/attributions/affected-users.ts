// Who had an issue with a flag variation: to write to them, or to give a credit. Users whose data is being erased are
// left out at once.

import type { Attribution, listAffectedUsers as Listing } from '@telltale/core/contract/attributions'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { ErasedPeople } from '../../intake/events/erased-people.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import type { Question } from '../explore/question.ts'
import { askAboutFailures, attributeIssues } from '../issues/attribute-issues.ts'
import type { FoundIssue } from '../issues/queries.ts'
import { inGroups, isError } from '../issues/seen-errors.ts'

export type AffectedServices = Pick<Services, 'db' | 'clock'> & { erasedPeople: ErasedPeople }
export type AffectedUser = ReplyOf<typeof Listing>['items'][number]

interface UserRow {
  hash: string
  user: string
  anonymous: string
  failures: number
  sessions: number
  first: string
  last: string
}

export interface AffectedSource {
  /** Of this variation; several if its split was compared in several periods. */
  attributions: readonly Attribution[]
  /** In the order of their hashes, after the given one. */
  find(after: string | undefined, count: number): Promise<UserRow[]>
  isErased(row: UserRow): boolean
}

export async function listAffectedUsers(
  source: AffectedSource,
  query: QueryOf<typeof Listing>,
): Promise<ReplyOf<typeof Listing>> {
  const page = await readPage(query, {
    find: source.find,
    keyOf: ({ hash }) => hash,
    toItem: (row) => row,
  })
  const items = page.items.filter((row) => !source.isErased(row)).map(toAffected)
  return { items, next: page.next, attributions: [...source.attributions] }
}

export const toAffected = (row: UserRow): AffectedUser => ({
  user: row.user,
  anonymousId: row.anonymous,
  failures: row.failures,
  sessions: row.sessions,
  firstAt: new Date(Number(row.first)).toISOString(),
  lastAt: new Date(Number(row.last)).toISOString(),
})

/** With a bound, the users of the compared split and period; without one, all who had the variation. */
export async function openAffected(
  { db, clock, erasedPeople }: AffectedServices,
  { question, issue }: { question: Question; issue: FoundIssue },
  { flag, variation }: { flag: string; variation: string },
): Promise<AffectedSource> {
  const now = clock()
  const shares = await attributeIssues(db, { question, now }, [issue])
  const attributions = (shares.get(issue.id) ?? []).filter(
    (one) => one.flag === flag && one.variation === variation,
  )
  return {
    attributions,
    isErased: ({ hash, user, anonymous }) =>
      erasedPeople.hasHash(question.environmentId, hash) ||
      erasedPeople.has(question.environmentId, { userKey: user, anonymousId: anonymous }),
    find: (after, count) => {
      const asked = askAboutFailures(question, now)
      const hadIt =
        attributions.length === 0
          ? `has(flags, ${asked.bind(`${flag}=${variation}`, 'String')})`
          : `(${attributions.map((one) => isInRun(asked, one)).join(' OR ')})`
      return findUsers(asked, [inGroups(issue.groups), hadIt], { after, count })
    },
  }
}

function isInRun({ bind }: Question, { split, variation, epochs }: Attribution): string {
  const [id, arm] = [bind(split, 'UInt64'), bind(variation, 'String')]
  const [first, last] = [bind(epochs.first, 'UInt32'), bind(epochs.last, 'UInt32')]
  return `arrayExists(a -> a.1 = ${id} AND a.3 = ${arm} AND a.2 >= ${first} AND a.2 <= ${last}, arms)`
}

async function findUsers(
  question: Question,
  conditions: readonly string[],
  { after, count }: { after: string | undefined; count: number },
): Promise<UserRow[]> {
  const { bind } = question
  const later = after === undefined ? 'user_hash != 0' : `user_hash > ${bind(after, 'UInt64')}`
  return question.read<UserRow>(
    `SELECT toString(user_hash) AS hash, argMaxIf(user_key, ts, user_key != '') AS user,
      argMaxIf(anonymous_id, ts, anonymous_id != '') AS anonymous, toFloat64(count()) AS failures,
      toFloat64(uniqExactIf(session_id, notEmpty(session_id))) AS sessions,
      toString(toUnixTimestamp64Milli(min(ts))) AS first, toString(toUnixTimestamp64Milli(max(ts))) AS last
    FROM ${question.events(isError, ...conditions, later)}
    GROUP BY user_hash ORDER BY user_hash LIMIT ${bind(count, 'UInt32')}`,
  )
}
