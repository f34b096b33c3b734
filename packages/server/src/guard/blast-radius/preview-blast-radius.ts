import { createBlastRadius } from '@telltale/core/changes/blast-radius'
import type { previewBlastRadius as Preview } from '@telltale/core/contract/blast-radius'
import type { ReplyOf } from '@telltale/core/contract/call'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import type { Grant } from '@telltale/core/rights'
import { periodOf } from '../../monitoring/explore/open-question.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { hiddenTraits } from '../../release/identities/visible-traits.ts'
import { type Change, compareRuleSets } from './compared-rule-sets.ts'
import { type Place, readCursor, writeCursor } from './cursor.ts'
import { forEachSubject, type People } from './for-each-subject.ts'
import {
  countIdentities,
  countSubjects,
  findIdentities,
  findOverrides,
  findSubjects,
  findTraits,
} from './queries.ts'

interface PreviewBlastRadiusOptions {
  environment: EnvironmentRow
  /** The caller's role: users are evaluated without the traits that it may not see. */
  grant: Grant
  change: Change
  cursor?: string
}

/** One page of the users of the last days, by key. Throws the same errors as saving the change. */
export async function previewBlastRadius(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { environment, grant, change, cursor }: PreviewBlastRadiusOptions,
): Promise<ReplyOf<typeof Preview>> {
  const compared = await compareRuleSets(db, environment, change)
  const begun = cursor === undefined ? undefined : readCursor(cursor)
  const to = begun?.to ?? clock().getTime()
  const period = { from: to - limits.blastRadiusPeriod, to }
  const question = ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    ...period,
    filter: emptyFilter,
  })
  const place = begun ?? { to, after: '', total: await countPeople(db, environment, question) }
  const count = begun === undefined ? limits.blastRadiusFirstPart : limits.blastRadiusPart
  const part = await readPart({ db, environment, question, flags: compared.flags }, { ...place, count })

  const overrides = await findOverrides(db, {
    environmentId: environment.id,
    after: place.after,
    until: part.until,
    flagIds: [...compared.ids.keys()],
  })
  const byFlag = new Map([...overrides].flatMap(([id, of]) => keyed(compared.ids.get(id), of)))
  const radius = createBlastRadius({ ...compared, ...compared.compile(byFlag) })
  let people = 0
  let sessions = 0
  await forEachSubject({ environment, grant }, part, (subject) => {
    radius.add(subject)
    people += 1
    sessions += subject.sessions
  })

  return {
    ...periodOf(period),
    next: part.until === undefined ? null : writeCursor({ ...place, after: part.until }),
    total: place.total,
    people,
    sessions: part.isWhole ? sessions : null,
    flags: radius.changes(),
    moreFlags: compared.moreFlags,
    masked: [...hiddenTraits(environment, grant)],
  }
}

const keyed = <Of>(key: string | undefined, of: Of): [string, Of][] => (key === undefined ? [] : [[key, of]])

interface Source {
  db: Services['db']
  environment: EnvironmentRow
  question: Question
  flags: readonly string[]
}

interface Part extends People {
  /** The last key of the page; undefined on the last page. */
  until: string | undefined
  /** Whether sessions are included. */
  isWhole: boolean
}

async function readPart(
  { db, environment, question, flags }: Source,
  { after, count }: Place & { count: number },
): Promise<Part> {
  const range = { environmentId: environment.id, after }
  const [seen, had] = await Promise.all([
    findIdentities(db, { ...range, since: new Date(question.from), count }),
    orNothing(findSubjects(question, { after, count, flags })),
  ])
  const lastOf = <Row>(rows: readonly Row[], keyOf: (row: Row) => string) => {
    const last = rows.length < count ? undefined : rows.at(-1)
    return last === undefined ? [] : [keyOf(last)]
  }
  // Rows of one store beyond the last row of the other belong to the next page.
  const ends = [...lastOf(seen, (one) => one.targetingKey), ...lastOf(had ?? [], (one) => one.subject)]
  const until = ends.sort(byBytes)[0]

  return {
    identities: cutAfter(seen, until, (one) => one.targetingKey),
    sessions: cutAfter(had ?? [], until, (one) => one.subject),
    findTraits: (keys) => findTraits(db, environment.id, keys),
    until,
    isWhole: had !== undefined,
  }
}

/** Rows in the order of their keys, up to and including a key. */
function cutAfter<Row>(
  rows: readonly Row[],
  until: string | undefined,
  keyOf: (row: Row) => string,
): readonly Row[] {
  if (until === undefined) return rows
  let [first, end] = [0, rows.length]
  while (first < end) {
    const middle = (first + end) >> 1
    const row = rows[middle]
    if (row !== undefined && byBytes(keyOf(row), until) <= 0) first = middle + 1
    else end = middle
  }
  return rows.slice(0, first)
}

/** The collation of text keys in both stores. */
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

async function countPeople(db: Services['db'], { id }: EnvironmentRow, question: Question): Promise<number> {
  const [identities, subjects] = await Promise.all([
    countIdentities(db, id, new Date(question.from)),
    orNothing(countSubjects(question)),
  ])
  return Math.max(identities, subjects ?? 0)
}

/** Identities can be counted without the telemetry store. */
async function orNothing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'engine-unavailable') return undefined
    throw error
  }
}
