import { createBlastRadius, type Subject } from '@telltale/core/changes/blast-radius'
import type { previewBlastRadius as Preview } from '@telltale/core/contract/blast-radius'
import type { ReplyOf } from '@telltale/core/contract/call'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/telemetry/filter'
import { createBreath } from '../delivery/breathe.ts'
import type { EnvironmentRow } from '../environments/queries.ts'
import { periodOf } from '../explore/open-question.ts'
import { ask, type Question } from '../explore/question.ts'
import { storedTraits } from '../identities/visible-traits.ts'
import type { Services } from '../services.ts'
import { type Change, compareRuleSets } from './compared-rule-sets.ts'
import { type Place, readCursor, writeCursor } from './cursor.ts'
import {
  countIdentities,
  countSubjects,
  findIdentities,
  findOverrides,
  findSubjects,
  findTraits,
  type SeenIdentity,
  type SessionsOfOne,
} from './queries.ts'

interface Asked {
  environment: EnvironmentRow
  change: Change
  cursor?: string
}

/** One part of the people of the last days, in the order of their keys. Throws what saving the change would. */
export async function previewBlastRadius(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { environment, change, cursor }: Asked,
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
  const part = await readPart({ db, environment, question, flags: compared.flags }, place)

  const overrides = await findOverrides(db, {
    environmentId: environment.id,
    after: place.after,
    until: part.until,
    flagIds: [...compared.ids.keys()],
  })
  const byFlag = new Map([...overrides].flatMap(([id, of]) => keyed(compared.ids.get(id), of)))
  const radius = createBlastRadius({ ...compared, ...compared.compile(byFlag) })
  const breathe = createBreath()
  for (const subject of part.subjects) {
    radius.add(subject)
    const pause = breathe()
    if (pause !== undefined) await pause
  }

  return {
    ...periodOf(period),
    next: part.until === undefined ? null : writeCursor({ ...place, after: part.until }),
    total: place.total,
    people: part.subjects.length,
    sessions: part.isWhole ? part.subjects.reduce((sum, { sessions }) => sum + sessions, 0) : null,
    flags: radius.changes(),
    moreFlags: compared.moreFlags,
  }
}

const keyed = <Of>(key: string | undefined, of: Of): [string, Of][] => (key === undefined ? [] : [[key, of]])

interface Source {
  db: Services['db']
  environment: EnvironmentRow
  question: Question
  flags: readonly string[]
}

interface Part {
  subjects: Subject[]
  /** The last key of it; nothing when no one comes after. */
  until: string | undefined
  /** Sessions are in it. */
  isWhole: boolean
}

async function readPart({ db, environment, question, flags }: Source, { after }: Place): Promise<Part> {
  const count = limits.blastRadiusPart
  const range = { environmentId: environment.id, after }
  const [seen, had] = await Promise.all([
    findIdentities(db, { ...range, since: new Date(question.from), count }),
    orNothing(findSubjects(question, { after, count, flags })),
  ])
  const lastOf = <Row>(rows: readonly Row[], keyOf: (row: Row) => string) => {
    const last = rows.length < count ? undefined : rows.at(-1)
    return last === undefined ? [] : [keyOf(last)]
  }
  // Whatever one store has beyond the last of the other belongs to the next part.
  const ends = [...lastOf(seen, (one) => one.targetingKey), ...lastOf(had ?? [], (one) => one.subject)]
  const until = ends.sort(byBytes)[0]
  const isIn = (key: string) => until === undefined || byBytes(key, until) <= 0

  const identities = seen.filter((one) => isIn(one.targetingKey))
  const sessions = (had ?? []).filter((one) => isIn(one.subject))
  const known = new Set(identities.map((one) => one.targetingKey))
  const others = sessions.map((one) => one.subject).filter((key) => !known.has(key))
  const traits = await findTraits(db, environment.id, others)
  return { subjects: join(environment, { identities, sessions, traits }), until, isWhole: had !== undefined }
}

function join(
  environment: EnvironmentRow,
  {
    identities,
    sessions,
    traits,
  }: {
    identities: readonly SeenIdentity[]
    sessions: readonly SessionsOfOne[]
    traits: ReadonlyMap<string, Record<string, unknown>>
  },
): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const one of identities) {
    const context = { ...storedTraits(environment, one.traits), targetingKey: one.targetingKey }
    subjects.set(one.targetingKey, { ...unheard, targetingKey: one.targetingKey, context })
  }
  for (const row of sessions) {
    const { subject: targetingKey, anonymous_id: anonymousId } = row
    const context = subjects.get(targetingKey)?.context ?? {
      ...storedTraits(environment, traits.get(targetingKey) ?? {}),
      targetingKey,
    }
    subjects.set(targetingKey, {
      targetingKey,
      context: 'anonymousId' in context || anonymousId === '' ? context : { ...context, anonymousId },
      sessions: row.sessions,
      sessionsWithErrors: row.with_errors,
      device: row.device,
      read: new Set(row.reads),
    })
  }
  return [...subjects.values()]
}

const unheard = { sessions: 0, sessionsWithErrors: 0, device: '', read: new Set<string>() }

/** The order in which both stores keep text. */
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
