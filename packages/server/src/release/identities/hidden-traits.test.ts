// A viewer runs every query on two data sets that differ only in hidden values: the responses are identical.

import type { Call } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import { isProjectPermission, type ProjectRole } from '@telltale/core/permissions'
import { permissionsOf } from '@telltale/core/rights'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const here = '/api/v1/projects/shop/environments/development'

const worlds = [
  { email: 'ada@secret.example', company: { tax: 'DE-1', name: 'Open' }, score: 7, plan: 'team' },
  { email: 'zoe@hidden.example', company: { tax: 'FR-9', name: 'Open' }, score: 99, plan: 'team' },
] as const
const sensitiveTraits = ['email', 'score', 'company.tax']
/** Conditions on hidden traits, on a segment that uses one, and on a structure that contains one. */
const conditions = [
  { attribute: 'email', operator: 'starts-with', value: 'ada' },
  { attribute: 'email', operator: 'equals', value: 'ada@secret.example' },
  { attribute: 'email', operator: 'is-set' },
  { attribute: 'score', operator: 'less', value: 50 },
  { attribute: 'company.tax', operator: 'equals', value: 'DE-1' },
  { operator: 'in-segment', segment: 'secretive' },
]
const whenOf = (...of: object[]) => ({ match: 'all', of })
const configOf = (parts: object) => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'off' },
  ...parts,
})
const ruleOf = (condition: object) => ({ when: whenOf(condition), serve: { variation: 'on' } })

async function done(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, body })
  expect([200, 201], `${method} ${path} ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return answer.body
}

beforeAll(async () => {
  telltale = await startTelltale({
    telemetry: true,
    settings: { TELLTALE_MANAGEMENT_RATE: '100000' },
  })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  await done('PATCH', here, { sensitiveTraits })
  const secretive = { key: 'secretive', name: 'Secretive', when: whenOf(conditions[1] ?? {}) }
  await done('POST', '/api/v1/projects/shop/segments', secretive)
  await done('POST', '/api/v1/projects/shop/flags', {
    key: 'checkout',
    name: 'Checkout',
    valueType: 'boolean',
  })
  const { version } = await done('GET', `${here}/flags/checkout/config`)
  const rules = conditions.slice(0, 3).map(ruleOf)
  await done('PUT', `${here}/flags/checkout/config`, { ...configOf({ rules }), version })
  await telltale.running.services.db.execute(sql`
    INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT environments.id, subject, ${JSON.stringify(worlds[0])}::jsonb, now(), now()
    FROM environments, unnest(ARRAY['ada', 'bo', 'cy']) AS subject WHERE environments.key = 'development'`)
})
afterAll(() => telltale[Symbol.asyncDispose]())

const parameters: Record<string, string> = {
  project: 'shop',
  env: 'development',
  flag: 'checkout',
  segment: 'secretive',
  targetingKey: 'ada',
}

interface Question {
  name: string
  method: string
  path: string
  body?: object
}

/** All queries that the role may run, including evaluations of its own draft rules. */
function questionsOf(role: ProjectRole): Question[] {
  const calls: { name: string; call: Call }[] = callList.map(({ word, name, call }) => ({
    name: `${word}.${name}`,
    call,
  }))
  const readable = calls.filter(({ call }) => {
    const { permission, method, stream } = call
    if (method !== 'GET' || stream || !isProjectPermission(permission)) return false
    return permissionsOf(role).has(permission)
  })
  const reads = readable.map(({ name, call }) => ({
    name,
    method: 'GET',
    path: call.path.replace(/:([a-zA-Z]+)/g, (_all, each: string) => parameters[each] ?? 'unknown'),
  }))
  const radius = (change: object) => ({ method: 'POST', path: `${here}/blast-radius`, body: { change } })
  const evaluate = (body: object) => ({ method: 'POST', path: `${here}/evaluate`, body })
  return [
    ...reads,
    ...conditions.flatMap((condition, index) => [
      {
        name: `blast radius of a draft ${index}`,
        ...radius({ flag: 'checkout', draft: configOf({ rules: [ruleOf(condition)] }) }),
      },
      {
        name: `blast radius of a segment ${index}`,
        ...radius({ segment: 'secretive', when: whenOf(condition) }),
      },
      {
        name: `try it ${index}`,
        ...evaluate({
          context: { targetingKey: 'ada' },
          flags: ['checkout'],
          draft: configOf({ rules: [ruleOf(condition)] }),
        }),
      },
    ]),
    {
      name: 'blast radius of a split by a hidden trait',
      ...radius({
        flag: 'checkout',
        draft: configOf({
          fallthrough: {
            split: [
              { variation: 'on', weight: 50_000 },
              { variation: 'off', weight: 50_000 },
            ],
            by: 'score',
          },
        }),
      }),
    },
    { name: 'blast radius of no rules', ...radius({ flag: 'checkout', draft: configOf({}) }) },
    ...['email', 'score', 'company.tax', 'company', 'plan'].map((trait) => ({
      name: `identities by ${trait}`,
      method: 'GET',
      path: `${here}/identities?trait=${trait}&value=${trait === 'score' ? 7 : 'ada@secret.example'}`,
    })),
  ]
}

const enter = (world: object) =>
  telltale.running.services.db.execute(sql`UPDATE identities SET traits = ${JSON.stringify(world)}::jsonb`)

async function answersTo(questions: readonly Question[], as: SomePerson) {
  const answers: Record<string, string> = {}
  for (const { name, method, path, body } of questions) {
    const { status, body: answer } = await telltale.request(method, path, { as, ...(body && { body }) })
    const text = JSON.stringify(answer)
    // Instants, ids and the size of the store differ between requests.
    answers[name] =
      `${status} ${text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}-[\da-f-]{27}|"\w*[bB]ytes":\d+/g, '…')}`
  }
  return answers
}

describe.each(['viewer', 'editor'] as const)('a %s', (role) => {
  test('gets nothing about hidden traits from any call', async () => {
    const person = await telltale.person({ in: { shop: role } })
    const questions = questionsOf(role)
    expect(questions.length).toBeGreaterThan(40)

    await enter(worlds[0])
    const one = await answersTo(questions, person)
    await enter(worlds[1])
    const other = await answersTo(questions, person)
    expect(other).toEqual(one)

    const requested = Object.entries(one).filter(([name]) => name.startsWith('blast radius of a draft'))
    for (const [name, answer] of requested)
      expect(answer, name).toMatch(/^200 .*"masked":\["email","score","company\.tax"\]/)
    expect(one['identities by email']).toMatch(/^403/)
    expect(one['identities.getIdentity']).toContain('"plan":"team"')
  })
})

test('a maintainer gets the real numbers', async () => {
  const person = await telltale.person({ in: { shop: 'maintainer' } })
  const questions = questionsOf('viewer').filter(({ name }) =>
    /blast|getIdentity|evaluateIdentity/.test(name),
  )
  await enter(worlds[0])
  const one = await answersTo(questions, person)
  await enter(worlds[1])
  const other = await answersTo(questions, person)
  const differing = Object.keys(one).filter((name) => one[name] !== other[name])
  expect(differing).toEqual(
    expect.arrayContaining([
      'identities.getIdentity',
      'identities.evaluateIdentity',
      'blast radius of a draft 0',
      'blast radius of a draft 1',
      'blast radius of a draft 4',
    ]),
  )
})
