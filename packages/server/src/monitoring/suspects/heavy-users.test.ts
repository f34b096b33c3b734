// Suspects of issues, from the intake to the API: users differ in how often they visit and how prone they are
// to errors, so sessions of one user are not independent. Without harm, no flag becomes a suspect.

import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'

const users = 400
const flags = 6
const harmless = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const usersInBatch = 25
const headers = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}
let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** All events of the users, through the intake into the tables. */
async function visit() {
  const random = seededRandom(20)
  let sent = 0
  for (let first = 0; first < users; first += usersInBatch) {
    const lines = Array.from({ length: usersInBatch }, (_, offset) => sessionsOf(first + offset, random))
      .flat()
      .flatMap((session, index) =>
        session.map(
          (line): Line => ({ ...line, ...(line.kind === 'context' ? { index } : { context: index }) }),
        ),
      )
    expect(await stage.post(toLines(lines), { headers })).toMatchObject({ status: 202 })
    sent += lines.filter(({ kind }) => kind !== 'context').length
  }
  const stored = async () => (await stage.read<{ n: string }>('SELECT count() AS n FROM events'))[0]?.n
  await expect.poll(stored, { timeout: 60_000, interval: 200 }).toBe(`${sent}`)
  await untilWritten(stage.telltale)
}

/** All events of one user: some visit once, a few visit thirty times and get most of the errors. */
function sessionsOf(user: number, random: ReturnType<typeof seededRandom>): Line[][] {
  const sessions = Math.min(30, Math.ceil((1 - random.uniform()) ** (-1 / 1.2)))
  const isOn = Array.from({ length: flags }, () => random.uniform() < 0.5)
  const reads = isOn.map((on, flag) => ({ flag: `flag-${flag}`, variation: on ? 'on' : 'off' }))
  const proneness = harmless.map(() => (random.uniform() < 0.15 ? 0.6 : 0.01))
  return Array.from({ length: sessions }, (_, index) => {
    const met = harmless.filter((_, issue) => random.uniform() < (proneness[issue] ?? 0))
    if (index === 0 && random.uniform() < (isOn[2] ? 0.5 : 0.04)) met.push('planted')
    return [
      context({ session: newId(), anonymousId: `user-${user}`, reads }),
      event('view'),
      ...met.map((name) => event('error', errorIn(name))),
    ]
  })
}

const errorIn = (name: string) => ({
  source: 'uncaught',
  type: 'TypeError',
  message: `${name} is not a function`,
  handled: false,
  stack: `TypeError: no\n    at ${name} (https://shop.example/app-a1b2c3d4.js:1:200)`,
})

const ask = async (path: string) => {
  const { status, body } = await stage.telltale.request('GET', `${environments}/development/${path}`, {
    as: stage.owner,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

test('of eight harmless issues none names a flag, and the one caused by a flag names it with the same numbers everywhere', async () => {
  await visit()
  const { items } = await ask('issues')
  expect(items).toHaveLength(harmless.length + 1)
  for (const issue of items) {
    const opened = await ask(`issues/${issue.id}`)
    const suspects = await ask(`suspects?of=${encodeURIComponent(`issue:${issue.group}`)}`)
    expect(suspects.outcomes, 'all issues of the period').toBe(harmless.length + 1)
    expect(opened.users, 'many users meet it').toBeGreaterThan(20)
    if (!issue.culprit.includes('planted')) {
      expect([issue.lift, opened.lifts, suspects.items], issue.culprit).toEqual([null, [], []])
      continue
    }
    expect(opened.lifts).toMatchObject([{ flag: 'flag-2', variation: 'on', and: null }])
    const [lift] = opened.lifts
    expect(issue.lift).toEqual(lift)
    expect(suspects.items).toMatchObject([
      {
        reads: [{ flag: 'flag-2', variation: 'on' }],
        people: { inside: lift.users, outside: lift.otherUsers },
        hits: { inside: lift.hits, outside: lift.otherHits },
        times: { ratio: lift.ratio, lower: lift.lower, upper: lift.upper },
      },
    ])
    expect(lift.users + lift.otherUsers, 'each user counts once').toBe(users)
  }
})
