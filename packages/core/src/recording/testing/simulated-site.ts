// A shop with rollouts, splits without a guard and new issues, whose sessions are recorded twice: by chance, and by
// orders within the same bytes. Counts for how many verdicts each way has replays to show.

import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import { closenessOf, isCloseMatch, type Walk } from '../../telemetry/similar-sessions.ts'
import { type RecordingRates, ratesOf } from '../chance.ts'
import { type OpenQuestion, type PlannedOrder, planOrders } from '../plan-orders.ts'
import { type CountedPart, partsOfArms } from '../question-parts.ts'

export interface SimulatedSite {
  seed: number
  days: number
  sessionsPerDay: number
  /** Percent of sessions. */
  replayRate: number
  /** Questions that are open at the same time. */
  openAtOnce: number
}

interface Way {
  /** Verdicts with three replays of the harm. */
  withReplays: number
  /** Of these, verdicts that also have a similar session of the control. */
  withBoth: number
  recordings: number
  bytes: number
}

export interface SiteCounts {
  sessions: number
  verdicts: number
  byChance: Way
  byOrders: Way
}

interface SimulatedSession extends Walk {
  at: number
  position: number
  bytes: number
  read: { flag: string; variation: string }[]
  isRecorded: { byChance: boolean; byOrders: boolean }
}

interface Question {
  id: string
  kind: 'rollout' | 'suspect'
  /** The flag is read there. */
  page: string
  /** Shares of the treatment, each for some hours. */
  stages: readonly number[]
  hoursPerStage: number
  openedAt: number
  /** The treatment harms this share of the sessions on these devices. */
  harm: { share: number; device: string | undefined }
  /** Harmed sessions that a verdict needs. */
  evidence: number
  sessions: (SimulatedSession & { variation: string; isHarmed: boolean })[]
  harmed: number
}

const hour = 3_600_000
const day = 24 * hour
/** Between two plans, and until browsers have one. */
const step = 900_000
const similarSpan = 3 * day
const replaysWanted = 3
const firstDay = Date.UTC(2026, 0, 5)

export function simulateSite(site: SimulatedSite): SiteCounts {
  const random = seededRandom(site.seed)
  const counts: SiteCounts = { sessions: 0, verdicts: 0, byChance: nothing(), byOrders: nothing() }
  const base = { replay: site.replayRate, profile: 0 }
  let open: Question[] = []
  let opened = 0
  let plan: { base: RecordingRates; orders: PlannedOrder[] } = { base, orders: [] }
  const perStep = (site.sessionsPerDay * step) / day
  let [today, spent] = [0, 0]
  for (let at = firstDay; at < firstDay + site.days * day; at += step) {
    if ((at - firstDay) % day === 0) [today, spent] = [0, 0]
    while (open.length < site.openAtOnce) open.push(openQuestion(random, { at, id: `flag-${opened++}` }))
    for (let number = 0; number < perStep; number++) {
      const session = visit(random, { at: at + random.uniform() * step, open })
      const { replay } = rateOfVisit(plan, session)
      const isByOrders = session.position * 100 < replay
      session.isRecorded = { byChance: session.position * 100 < base.replay, byOrders: isByOrders }
      counts.sessions += 1
      today += 1
      if (isByOrders) spent += session.bytes / usualBytes
      for (const way of ways) if (session.isRecorded[way]) add(counts[way], session)
      for (const question of open) note(random, question, session)
    }
    const isOver = (question: Question) => hasVerdict(question) || at >= endOf(question)
    for (const question of open.filter(hasVerdict)) judge(counts, question)
    open = open.filter((question) => !isOver(question))
    const left = site.sessionsPerDay - today
    plan = planOrders(
      {
        ...{ sessionsToday: today, sessionsLeft: Math.max(0, left) },
        replay: { rate: base.replay, spent },
        profile: { rate: 0, spent: 0 },
      },
      open.map((question) => describe(question, at, site)),
    )
  }
  return counts
}

const ways = ['byChance', 'byOrders'] as const

const nothing = (): Way => ({ withReplays: 0, withBoth: 0, recordings: 0, bytes: 0 })

function add(way: Way, { bytes }: SimulatedSession): void {
  way.recordings += 1
  way.bytes += bytes
}

/** The highest rate of the visit: it is recorded from the page on that an order names. */
function rateOfVisit(
  { base, orders }: { base: RecordingRates; orders: readonly PlannedOrder[] },
  { device, pages, read }: SimulatedSession,
): RecordingRates {
  return pages.reduce((rates, page) => ratesOf(orders, rates, { reads: read, page, device }), base)
}

const devices: readonly [string, number][] = [
  ['desktop', 0.6],
  ['mobile', 0.35],
  ['tablet', 0.05],
]
const countries: readonly [string, number][] = [
  ['DE', 0.5],
  ['FR', 0.3],
  ['SE', 0.2],
]
const browsers: readonly [string, number][] = [
  ['Chrome', 0.65],
  ['Safari', 0.25],
  ['Firefox', 0.1],
]
/** From each page to the next; without an entry the visit ends. */
const next: Record<string, readonly [string, number][]> = {
  '/': [
    ['/bikes', 0.5],
    ['/search', 0.2],
    ['/account', 0.1],
    ['', 0.2],
  ],
  '/bikes': [
    ['/bikes/:id', 0.7],
    ['/search', 0.1],
    ['', 0.2],
  ],
  '/search': [
    ['/bikes/:id', 0.6],
    ['/help', 0.1],
    ['', 0.3],
  ],
  '/bikes/:id': [
    ['/cart', 0.35],
    ['/bikes', 0.25],
    ['', 0.4],
  ],
  '/cart': [
    ['/checkout', 0.6],
    ['', 0.4],
  ],
  '/checkout': [
    ['/thanks', 0.7],
    ['', 0.3],
  ],
  '/account': [
    ['/orders', 0.5],
    ['', 0.5],
  ],
}
const entries: readonly [string, number][] = [
  ['/', 0.5],
  ['/bikes/:id', 0.3],
  ['/search', 0.15],
  ['/account', 0.05],
]
const readOn = ['/', '/bikes', '/bikes/:id', '/cart', '/checkout', '/search']
const longestVisit = 12
const usualBytes = 250_000

function pick<Name>({ uniform }: Random, of: readonly [Name, number][]): Name {
  let left = uniform()
  for (const [name, share] of of) {
    left -= share
    if (left < 0) return name
  }
  const [last] = of
  if (last === undefined) throw new Error('nothing to choose from')
  return last[0]
}

function visit(random: Random, { at, open }: { at: number; open: readonly Question[] }): SimulatedSession {
  const pages = [pick(random, entries)]
  while (pages.length < longestVisit) {
    const to = pick(random, next[pages.at(-1) ?? ''] ?? [['', 1]])
    if (to === '') break
    pages.push(to)
  }
  const device = pick(random, devices)
  const read = open
    .filter(({ page }) => pages.includes(page))
    .map((question) => ({
      flag: question.id,
      variation: random.uniform() < stageAt(question, at) ? 'treatment' : 'control',
    }))
  return {
    ...{ at, pages, device, read },
    ...{ country: pick(random, countries), browser: pick(random, browsers), hour: (at / hour) % 24 },
    position: random.uniform(),
    // The mean is the usual size.
    bytes: (usualBytes * pages.length * -Math.log(1 - random.uniform())) / meanPages,
    isRecorded: { byChance: false, byOrders: false },
  }
}

/** Of the visits above, measured. */
const meanPages = 2.6

function openQuestion(random: Random, { at, id }: { at: number; id: string }): Question {
  const { uniform } = random
  const isRollout = uniform() < 0.7
  return {
    ...{ id, openedAt: at, sessions: [], harmed: 0 },
    kind: isRollout ? 'rollout' : 'suspect',
    page: readOn[Math.floor(uniform() * readOn.length)] ?? '/',
    stages: isRollout ? [0.01, 0.05, 0.25, 0.5] : [0.1 + 0.4 * uniform()],
    hoursPerStage: isRollout ? 4 : 48,
    harm: {
      share: 0.05 + 0.45 * uniform(),
      device: uniform() < 0.3 ? pick(random, devices) : undefined,
    },
    evidence: 8 + Math.floor(16 * uniform()),
  }
}

const stageAt = ({ stages, openedAt, hoursPerStage }: Question, at: number) =>
  stages[Math.min(stages.length - 1, Math.floor((at - openedAt) / (hoursPerStage * hour)))] ?? 0

const endOf = ({ openedAt, stages, hoursPerStage }: Question) =>
  openedAt + (stages.length * hoursPerStage + 24) * hour

function note({ uniform }: Random, question: Question, session: SimulatedSession): void {
  const read = session.read.find(({ flag }) => flag === question.id)
  if (read === undefined) return
  const { share, device } = question.harm
  const isHarmed =
    read.variation === 'treatment' && (device ?? session.device) === session.device && uniform() < share
  if (isHarmed) question.harmed += 1
  question.sessions.push({ ...session, variation: read.variation, isHarmed })
}

const hasVerdict = ({ harmed, evidence }: Question) => harmed >= evidence

function judge(counts: SiteCounts, { sessions }: Question): void {
  counts.verdicts += 1
  for (const way of ways) {
    const recorded = sessions.filter(({ isRecorded }) => isRecorded[way])
    const shown = recorded.filter(({ isHarmed }) => isHarmed)
    const [typical] = shown
    if (typical === undefined || shown.length < replaysWanted) continue
    counts[way].withReplays += 1
    const isSimilar = recorded.some(
      (other) =>
        other.variation === 'control' &&
        Math.abs(other.at - typical.at) <= similarSpan &&
        isCloseMatch(closenessOf(typical, other)),
    )
    if (isSimilar) counts[way].withBoth += 1
  }
}

/** As the server counts it. */
function describe(question: Question, at: number, { sessionsPerDay }: SimulatedSite): OpenQuestion {
  const { kind, id, sessions } = question
  const share = stageAt(question, at)
  const arms = [
    { variation: 'treatment', share },
    { variation: 'control', share: 1 - share },
  ]
  const recent = sessions.filter((session) => session.at > at - day)
  const count = (of: Partial<CountedPart>, found: readonly Question['sessions'][number][]): CountedPart => ({
    ...of,
    sessions: found.length,
    replays: found.filter(({ isRecorded }) => isRecorded.byOrders).length,
    profiles: 0,
  })
  const counted = arms.flatMap(({ variation }) => {
    const own = recent.filter((session) => session.variation === variation)
    return [
      count({ variation }, own),
      ...devices.map(([device]) =>
        count(
          { variation, device },
          own.filter((session) => session.device === device),
        ),
      ),
    ]
  })
  const hours = Math.max(step / hour, Math.min(24, (at - question.openedAt) / hour))
  const expected = recent.length === 0 ? sessionsPerDay : (recent.length * 24) / hours
  const parts = partsOfArms({ kind, id, flag: id, arms, sessionsPerDay: expected, counted })
  return { kind, id, parts }
}
