import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../statistics/testing/seeded-random.ts'
import { type ReadersOf, suspectsAmong } from './rank-suspects.ts'

const rank = (groups: readonly ReadersOf[], outcomes = 1) =>
  suspectsAmong(groups)(new Map(groups.map(({ hits }, place) => [place, hits])), outcomes)
const rankSuspects = (groups: readonly ReadersOf[]) => rank(groups).suspects

const flags = 8
const worlds = 100

/** People of a site with eight flags, half of them split in halves, half in a fifth and the rest; what harms is given. */
function plant(random: Random, harm: (isOn: (flag: number) => boolean) => number): ReadersOf[] {
  const groups = Array.from({ length: 2 ** flags }, (_, key) => ({
    read: Array.from({ length: flags }, (_, flag) => `flag-${flag}=${key & (1 << flag) ? 'on' : 'off'}`),
    people: 0,
    hits: 0,
  }))
  for (let person = 0; person < 12_000; person += 1) {
    let key = 0
    for (let flag = 0; flag < flags; flag += 1)
      if (random.uniform() < (flag % 2 ? 0.5 : 0.2)) key |= 1 << flag
    const group = groups[key]
    if (group === undefined) continue
    group.people += 1
    if (random.uniform() < 0.03 * harm((flag) => (key & (1 << flag)) !== 0)) group.hits += 1
  }
  return groups.filter(({ people }) => people > 0)
}

const isFirst = (found: ReturnType<typeof rankSuspects>, ...reads: string[]) =>
  JSON.stringify(found[0]?.reads.toSorted()) === JSON.stringify(reads)

test.each([
  { name: 'one flag', harm: (isOn: (flag: number) => boolean) => (isOn(3) ? 2 : 1), reads: ['flag-3=on'] },
  {
    name: 'two flags that only hurt together',
    harm: (isOn: (flag: number) => boolean) => (isOn(1) && isOn(5) ? 3 : 1),
    reads: ['flag-1=on', 'flag-5=on'],
  },
])('in a hundred worlds with $name, it is named first in ninety at least', ({ name, harm, reads }) => {
  const right = Array.from({ length: worlds }, (_, seed) =>
    isFirst(rankSuspects(plant(seededRandom(100 + seed), harm)), ...reads),
  ).filter(Boolean).length
  // biome-ignore lint/suspicious/noConsole: the counts are what these tests are about.
  console.info(`${name}: named first in ${right} of ${worlds}`)
  expect(right).toBeGreaterThanOrEqual(90)
})

test('of a hundred simulations without harm, at least 95 have no suspects', () => {
  const silent = Array.from({ length: worlds }, (_, seed) =>
    rankSuspects(plant(seededRandom(700 + seed), () => 1)),
  ).filter((found) => found.length === 0).length
  // biome-ignore lint/suspicious/noConsole: the counts are what these tests are about.
  console.info(`nothing planted: nobody suspected in ${silent} of ${worlds}`)
  expect(silent).toBeGreaterThanOrEqual(95)
})

const group = (read: string[], people: number, hits: number): ReadersOf => ({ read, people, hits })

test('users who each read different flags are ranked quickly', () => {
  const random = seededRandom(17)
  const crowd = Array.from({ length: 20_000 }, (_, person) => {
    const read = Array.from(
      { length: 30 },
      (_, flag) => `flag-${flag}=${random.uniform() < 0.5 ? 'on' : 'off'}`,
    )
    const isHarmed = read.includes('flag-7=on') && read.includes('flag-11=off')
    return {
      read: [...read, `own=${person}`],
      people: 1,
      hits: random.uniform() < (isHarmed ? 0.2 : 0.04) ? 1 : 0,
    }
  })
  const [first, ...others] = rankSuspects(crowd)
  expect(first?.reads.toSorted()).toEqual(['flag-11=off', 'flag-7=on'])
  expect(others).toEqual([])
})

test('users who read two variations of a flag, or never read it, are not counted for it', () => {
  const found = rankSuspects([
    group(['a=on'], 1_000, 100),
    group(['a=off'], 1_000, 20),
    group(['a=on', 'a=off'], 1_000, 900),
    group([], 1_000, 0),
  ])
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    reads: ['a=on'],
    inside: { hits: 100, total: 1_000 },
    outside: { hits: 20, total: 1_000 },
  })
  expect(found[0]?.share).toBeCloseTo(80 / 1_020)
  expect(found[0]?.times.lower).toBeGreaterThan(1)
})

test('a suspect explained by a stronger one says so, and is ranked below it', () => {
  // Only a=on hurts; who has it mostly has b=on as well. Of c that is another harm.
  const people = (read: string, count: number) => {
    const share = read.includes('a=on') ? 0.3 : read.includes('c=on') ? 0.1 : 0.01
    return group(read.split(' '), count, Math.round(count * share))
  }
  const found = rankSuspects(
    ['on', 'off'].flatMap((c) => [
      people(`a=on b=on c=${c}`, 900),
      people(`a=on b=off c=${c}`, 100),
      people(`a=off b=on c=${c}`, 500),
      people(`a=off b=off c=${c}`, 1_500),
    ]),
  )
  expect(found.map(({ reads, apart }) => [reads.join(), apart])).toEqual([
    ['a=on', true],
    ['c=on', true],
    ['b=on', false],
  ])
})

test('few users, no affected users and no flags give no suspects', () => {
  expect(rankSuspects([])).toEqual([])
  expect(rankSuspects([group(['a=on'], 40, 40), group(['a=off'], 4_000, 4)])).toEqual([])
  expect(rankSuspects([group(['a=on'], 4_000, 0), group(['a=off'], 4_000, 0)])).toEqual([])
})

/** Sessions of one user: everybody has some, a few have hundreds. */
const sessionsOf = {
  geometric: (random: Random) => 1 + random.geometric(0.2),
  pareto: (random: Random) => Math.min(400, Math.ceil((1 - random.uniform()) ** (-1 / 1.2))),
}

/**
 * Users with ten flags in halves, and issues that each session may meet, whatever the flags: a user who is prone to one meets it
 * often, so sessions of one user are anything but independent.
 */
function harmlessSite(random: Random, sessions: (random: Random) => number, issues: number) {
  const groups = new Map<string, { read: string[]; people: number; hits: number[] }>()
  for (let user = 0; user < 1_500; user += 1) {
    const key = Math.floor(random.uniform() * 1_024)
    const own = groups.get(`${key}`) ?? {
      read: Array.from({ length: 10 }, (_, flag) => `flag-${flag}=${key & (1 << flag) ? 'on' : 'off'}`),
      people: 0,
      hits: Array.from({ length: issues }, () => 0),
    }
    groups.set(`${key}`, own)
    own.people += 1
    const visits = sessions(random)
    for (let issue = 0; issue < issues; issue += 1) {
      const proneness = 0.01 * Math.exp(1.5 * random.normal())
      if (random.uniform() < 1 - (1 - Math.min(0.9, proneness)) ** visits) {
        own.hits[issue] = (own.hits[issue] ?? 0) + 1
      }
    }
  }
  return [...groups.values()]
}

test.each(['geometric', 'pareto'] as const)(
  'of sites with heavy users (%s), ten flags and six harmless issues, one in twenty at most has a flag named',
  (kind) => {
    const sites = 60
    const issues = 6
    let wrong = 0
    for (let site = 0; site < sites; site += 1) {
      const found = harmlessSite(seededRandom(5_000 + site), sessionsOf[kind], issues)
      const rankOf = suspectsAmong(found)
      const named = Array.from({ length: issues }, (_, issue) =>
        rankOf(new Map(found.map(({ hits }, place) => [place, hits[issue] ?? 0])), issues),
      )
      if (named.some(({ suspects }) => suspects.length > 0)) wrong += 1
    }
    // biome-ignore lint/suspicious/noConsole: the counts are what these tests are about.
    console.info(`${kind}: a flag falsely named in ${wrong} of ${sites} sites`)
    expect(wrong / sites).toBeLessThanOrEqual(0.05)
  },
)

test('the more issues are compared, the stronger each suspect must be; a single issue has the numbers of the list', () => {
  const people = [group(['a=on'], 1_000, 44), group(['a=off'], 1_000, 20)]
  const [alone] = rank(people).suspects
  expect(alone?.times.lower).toBeGreaterThan(1)
  expect(rank(people, 500).suspects).toEqual([])
  const hits = new Map(people.map(({ hits: own }, place) => [place, own]))
  expect(suspectsAmong(people)(hits, 2)).toEqual(rank(people, 2))
})

test('fewer than five affected users name no flag', () => {
  const few = (hits: number) => [group(['a=on'], 60, hits), group(['a=off'], 60_000, 0)]
  expect(rankSuspects(few(4))).toEqual([])
  expect(rankSuspects(few(5))).toHaveLength(1)
})
