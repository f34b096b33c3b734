// Tables of `bench:guard` about realistic data: rounded values, unequal use, users without events, different
// denominators, returning users, and delayed harm. Each looks at a simulated site as the guard looks at a real one.
import { eventsForVerdict } from '@telltale/core/guard/judge-events'
import { watchRequests } from '@telltale/core/guard/testing/request-site'
import { type SilentSite, watchSilentSite } from '@telltale/core/guard/testing/silent-site'
import { type WorldQuestion, watchWorld } from '@telltale/core/guard/testing/watch-world'
import { isEnough } from '@telltale/core/statistics/boundary'
import { logShareEvidence } from '@telltale/core/statistics/event-share'
import { beginningsOf, strongestBeginning } from '@telltale/core/statistics/late-harm'
import { type LateSite, looksAtDays } from '@telltale/core/statistics/testing/late-site'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { calm, type Design } from '@telltale/core/statistics/testing/simulated-world'
import { returning, rounded, stepped, unequal } from '@telltale/core/statistics/testing/uneven-designs'

export interface Asked {
  runs: number
  /** Only rows whose name contains it. */
  design: string
}

const percent = (share: number) => (100 * share).toFixed(1)
const seeds = ({ runs }: Asked) => Array.from({ length: runs }, (_, index) => index + 1)
const row = (name: string, cells: readonly (string | number)[]) => `| ${name} | ${cells.join(' | ')} |`
const shareOf = (requested: Asked, isSo: (seed: number) => boolean) =>
  percent(seeds(requested).filter(isSo).length / requested.runs)

/** The share of 5% for each of nine metrics. */
const usualAlpha = 0.05 / 9
const limitOfValues = 0.1

export function* uneven(requested: Asked): Generator<string> {
  yield* [
    `### Rounded values, unequal use and users who return, one metric, in % of ${requested.runs}`,
    '',
    'Wrong: *regressed* with limit 0 and nothing changed (at 5 % and at 0.56 %), *healthy* with a limit of 10 % and exactly that',
    'harm. Wanted: at most 5, 0.56 and 5. Right: *healthy* with a limit of 10 % and nothing changed, *regressed* at 5 % with limit 0 and 20 % harm.',
    '',
    '| design | p75: wrongly regressed | at 0.56 % | wrongly healthy | rightly healthy | rightly regressed | mean: wrongly regressed | wrongly healthy | rightly healthy | rightly regressed |',
    `|---|${'--:|'.repeat(9)}`,
  ]
  const continuous = { ...calm, name: 'continuous values, for comparison' }
  for (const design of [continuous, ...rounded, ...stepped, ...unequal, ...returning])
    if (design.name.includes(requested.design)) yield unevenRow(design, requested)
}

function unevenRow(design: Design, requested: Asked): string {
  const rates = (slower: number, questions: readonly WorldQuestion[]) => {
    const counts = questions.map(() => ({ regressed: 0, healthy: 0 }))
    const harmed = { ...design, harm: { ...calm.harm, slower: Math.log1p(slower) } }
    for (const seed of seeds(requested)) {
      const found = watchWorld(harmed, seededRandom(seed), questions)
      for (const [index, { regressed, healthy }] of found.entries()) {
        const count = counts[index]
        if (count === undefined) continue
        count.regressed += Number(regressed !== undefined)
        count.healthy += Number(healthy !== undefined)
      }
    }
    return (index: number, state: 'regressed' | 'healthy') =>
      percent((counts[index]?.[state] ?? 0) / requested.runs)
  }
  const [p75, mean] = (['p75', 'mean'] as const).map((metric) => ({ metric, alpha: 0.05 }))
  if (p75 === undefined || mean === undefined) return ''
  const [strict, atLimit] = [{ limit: 0 }, { limit: limitOfValues }]
  const none = rates(0, [
    { ...p75, ...strict },
    { ...p75, ...strict, alpha: usualAlpha },
    { ...p75, ...atLimit },
    { ...mean, ...strict },
    { ...mean, ...atLimit },
  ])
  const harmed = rates(limitOfValues, [
    { ...p75, ...atLimit },
    { ...mean, ...atLimit },
  ])
  const slower = rates(0.2, [
    { ...p75, ...strict },
    { ...mean, ...strict },
  ])
  return row(design.name, [
    ...[none(0, 'regressed'), none(1, 'regressed'), harmed(0, 'healthy')],
    ...[none(2, 'healthy'), slower(0, 'regressed')],
    ...[none(3, 'regressed'), harmed(1, 'healthy'), none(4, 'healthy'), slower(1, 'regressed')],
  ])
}

export function* silent(requested: Asked): Generator<string> {
  yield* [
    `### Users of one arm who are never heard from, one metric at 5 %, in % of ${requested.runs}`,
    '',
    'Users who met an error: 8 % (by first events) and 40 % (as a share), 8,000 users. Wrong: *regressed* at limit 0 with nothing changed, *healthy* at a',
    'limit of 25 % with exactly that harm. Right: *regressed* at a limit of 25 % with 1.9 times as many, 12,000 users; *healthy* there with',
    'nothing changed, 20,000 users.',
    '',
    '| silent | 8 %: wrongly regressed | wrongly healthy | rightly regressed | rightly healthy | 40 %: wrongly regressed | wrongly healthy | rightly regressed | rightly healthy |',
    `|---|${'--:|'.repeat(8)}`,
  ]
  const quiet: [name: string, silent: SilentSite['silent']][] = [
    ['nobody, for comparison', {}],
    ...[0.05, 0.1, 0.2].map((share): [string, SilentSite['silent']] => [
      `${100 * share} % of the control`,
      { control: share },
    ]),
    ...[0.05, 0.2].map((share): [string, SilentSite['silent']] => [
      `${100 * share} % of the treatment`,
      { treatment: share },
    ]),
  ]
  for (const [name, of] of quiet) {
    if (!name.includes(requested.design)) continue
    const cells = (['rare-share', 'share'] as const).flatMap((kind) => {
      const rate = kind === 'share' ? 0.4 : 0.08
      const site: SilentSite = { users: 8_000, rate, times: 1, silent: of, kind }
      const ever = (state: string, more: Partial<SilentSite>) =>
        shareOf(requested, (seed) => watchSilentSite({ ...site, ...more }, seed).has(state))
      return [
        ever('regressed', { limit: 0 }),
        ever('healthy', { times: 1.25 }),
        ever('regressed', { times: 1.9, users: 12_000 }),
        ever('healthy', { users: 20_000 }),
      ]
    })
    yield row(name, cells)
  }
  yield* [
    '',
    'Silent users of the control who met twice as many errors as the others, limit 25 % and nothing changed, wrongly regressed (8 %, 40 %):',
  ]
  for (const share of [0.05, 0.1, 0.2]) {
    const rates = (['rare-share', 'share'] as const).map((kind) => {
      const rate = kind === 'share' ? 0.4 : 0.08
      const site: SilentSite = {
        users: 8_000,
        rate,
        times: 1,
        silent: { control: share },
        silentTimes: 2,
        kind,
      }
      return shareOf(requested, (seed) => watchSilentSite(site, seed).has('regressed'))
    })
    yield `${100 * share} % silent: ${rates.join(' and ')}.`
  }
}

export function* denominators(requested: Asked): Generator<string> {
  yield* [
    `### Failed requests of all requests where the treatment changes how many there are, one metric at 5 %, in % of ${requested.runs}`,
    '',
    'The limit is 25 % but where another is named; 2,400 users in each arm, 30 looks. A regression is wrong where a user meets no more failures than the limit allows, safety where a user meets as many.',
    '',
    '| requests and failures of a user, times | verdict asked about | 5 % of requests fail | 50 % | wanted |',
    '|---|---|--:|--:|---|',
  ]
  const rows: [times: [requests: number, failed: number], state: string, wanted: string, limit?: number][] = [
    [[1, 1], 'regressed', 'at most 5', 0],
    ...[0.95, 0.9, 0.8, 0.5].map((times): (typeof rows)[number] => [[times, 1], 'regressed', 'at most 5', 0]),
    [[0.9, 1.25], 'regressed', 'at most 5'],
    [[1.2, 1.2], 'regressed', 'at most 5', 0],
    ...[1, 1.1, 1.25].map((times): (typeof rows)[number] => [[times, 1.25], 'healthy', 'at most 5']),
    [[2, 2], 'healthy', 'at most 5'],
    [[1, 1], 'healthy', 'power'],
    [[1, 1.5], 'regressed', 'power'],
    [[0.7, 1.8], 'regressed', 'power'],
    [[1, 1], 'differs', 'at most 5'],
    [[0.9, 1], 'differs', 'power'],
    [[2, 2], 'differs', 'power'],
  ]
  for (const [[requests, failed], state, wanted, limit = 0.25] of rows) {
    const name = `${requests} and ${failed}${limit === 0 ? ', limit 0' : ''}`
    if (!name.includes(requested.design)) continue
    const found = [0.05, 0.5].map((base) =>
      shareOf(requested, (seed) => watchRequests({ requests, failed, base }, seed, limit).has(state)),
    )
    yield row(name, [state === 'differs' ? 'denominator differs' : state, ...found, wanted])
  }
}

const calmDays: LateSite = { days: 40, perDay: 20, harmFrom: 99, times: 1 }

export function* late(requested: Asked): Generator<string> {
  yield* [
    `### Harm that begins late: users with an error, eight looks a day, of ${requested.runs} runs`,
    '',
    '| site | asked about | anew each day | once |',
    '|---|---|--:|--:|',
  ]
  const first = (site: LateSite, state: string, { anew, limit, alpha }: LateQuestion) =>
    seeds(requested).map((seed) => {
      for (const { after, whole, byDay } of looksAtDays(site, seed)) {
        if (whole.treatment + whole.control < eventsForVerdict) continue
        // The state of the verdict without its interval, which takes a hundred times as long.
        const days = anew ? byDay : undefined
        const harm = strongestBeginning(beginningsOf([whole], days), 1 + limit).evidence
        const isRegressed = isEnough(harm, alpha)
        if (state === 'regressed' && isRegressed) return after
        if (
          state === 'healthy' &&
          !isRegressed &&
          isEnough(logShareEvidence([whole], 1 + limit, 'less'), 0.05)
        )
          return after
      }
      return Number.POSITIVE_INFINITY
    })
  const both = (cell: (anew: boolean) => string) => [cell(true), cell(false)]
  const rate = (site: LateSite, state: string, limit: number) =>
    both((anew) => {
      const days = first(site, state, { anew, limit, alpha: 0.05 })
      return `${percent(days.filter(Number.isFinite).length / requested.runs)} %`
    })
  const span = (site: LateSite) =>
    both((anew) => {
      const days = first(site, 'regressed', { anew, limit: 0.25, alpha: usualAlpha })
        .map((day) => day - site.harmFrom)
        .toSorted((one, other) => one - other)
      const at = (share: number) => days[Math.floor(share * (days.length - 1))]
      return `${at(0.5)} / ${at(0.9)} days`
    })
  const harmed: LateSite = { days: 20, perDay: 40, harmFrom: 7, times: 3 }
  yield row('no harm in 40 days, limit 0', ['wrongly regressed at 5 %', ...rate(calmDays, 'regressed', 0)])
  yield row('25 % more errors from the start, limit 25 %', [
    'wrongly healthy in 20 days',
    ...rate({ ...harmed, harmFrom: 0, times: 1.25 }, 'healthy', 0.25),
  ])
  yield row('errors tripled from day 7, limit 25 %', [
    'found after, median / 90th percentile, at 0.56 %',
    ...span(harmed),
  ])
  yield row('errors doubled from day 7, limit 25 %', ['the same', ...span({ ...harmed, times: 2 })])
  yield row('errors tripled at once, limit 25 %', ['the same', ...span({ ...harmed, harmFrom: 0 })])
}

interface LateQuestion {
  anew: boolean
  limit: number
  alpha: number
}
