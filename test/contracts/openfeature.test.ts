// OpenFeature's scenarios with its own client for servers: values, defaults, targeting, failures, contexts and hooks.

import { OFREPProvider } from '@openfeature/ofrep-provider'
import {
  AsyncLocalStorageTransactionContextPropagator,
  type Client,
  ErrorCode,
  type EvaluationDetails,
  type FlagValue,
  type Hook,
  type JsonValue,
  OpenFeature,
} from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { createKey } from './flags.ts'
import { apiKey, flagsmithDocument } from './flagsmith-document.ts'
import { createScenarios, type Scenario, scenarios } from './openfeature-flags.ts'

let telltale: Telltale
let serverKey: string
let clientKey: string
let client: Client

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  const as = await telltale.person({ role: 'owner' })
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await telltale.request(method, path, { as, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  }
  await createScenarios(ask, 'shop', 'production')
  await ask('POST', '/api/v1/import/flagsmith-environment', flagsmithDocument)
  serverKey = (await createKey(telltale, 'server')).value
  clientKey = (await createKey(telltale, 'client')).value
  client = await clientFor(serverKey, 'server')
})

afterAll(async () => {
  await OpenFeature.close()
  await telltale?.[Symbol.asyncDispose]()
})

async function clientFor(key: string, domain: string, more: { fetchImplementation?: typeof fetch } = {}) {
  const provider = new OFREPProvider({ baseUrl: telltale.url, headers: [['X-API-Key', key]], ...more })
  await OpenFeature.setProviderAndWait(domain, provider)
  return OpenFeature.getClient(domain)
}

function detailsOf(
  asked: Client,
  { flag, type, fallback, context = {} }: Omit<Scenario, 'expected'>,
): Promise<EvaluationDetails<FlagValue>> {
  const given = context as Record<string, string>
  switch (type) {
    case 'boolean':
      return asked.getBooleanDetails(flag, fallback === true, given)
    case 'string':
      return asked.getStringDetails(flag, String(fallback), given)
    case 'number':
      return asked.getNumberDetails(flag, Number(fallback), given)
    case 'object':
      return asked.getObjectDetails(flag, fallback as JsonValue, given)
  }
}

test.each(scenarios)('$flag as $type in $context: $expected', async (scenario) => {
  const details = await detailsOf(client, scenario)
  expect(details).toMatchObject({ flagKey: scenario.flag, ...scenario.expected })
  expect(details.value).toEqual('value' in scenario.expected ? scenario.expected.value : details.value)
  if (details.errorCode !== undefined) expect(details.errorMessage).toBeTruthy()
})

test('keys that no flag can have are not found either, however they are pasted into the path', async () => {
  for (const flag of ['a/b', 'a b', 'Ümlaut', '100%', 'x'.repeat(300), '%2F']) {
    expect(await client.getBooleanDetails(flag, true), flag).toMatchObject({
      value: true,
      errorCode: ErrorCode.FLAG_NOT_FOUND,
    })
  }
})

describe('contexts', () => {
  test('of every level are merged, and the nearer one wins', async () => {
    OpenFeature.setTransactionContextPropagator(new AsyncLocalStorageTransactionContextPropagator())
    const levels = ['api', 'transaction', 'client', 'invocation', 'hook']
    const sent: Record<string, unknown>[] = []
    const asked = await clientFor(serverKey, 'levels', {
      fetchImplementation: async (input, init) => {
        const request = new Request(input, init)
        sent.push((await request.clone().json()).context)
        return fetch(request)
      },
    })
    const at = (level: string) =>
      Object.fromEntries([
        [level, level],
        ...levels.slice(levels.indexOf(level)).map((each) => [`until-${each}`, level]),
      ])
    OpenFeature.setContext(at('api'))
    asked.setContext(at('client'))
    const hook: Hook = { before: () => at('hook') }
    let answered: Promise<boolean> | undefined
    OpenFeature.setTransactionContext(at('transaction'), () => {
      answered = asked.getBooleanValue('boolean-flag', false, at('invocation'), { hooks: [hook] })
    })
    expect(await answered).toBe(true)
    OpenFeature.setContext({})
    expect(sent).toEqual([
      Object.fromEntries(
        levels.flatMap((level) => [
          [level, level],
          [`until-${level}`, level],
        ]),
      ),
    ])
  })

  test('target by dates, lists and structures as they are', async () => {
    const inside = {
      targetingKey: '7',
      customer: false,
      age: 19.5,
      company: { country: 'DE' },
      since: new Date('2025-12-31T23:59:59Z'),
    }
    expect(await client.getStringValue('context-aware', '', inside)).toBe('INTERNAL')
    const outside = { ...inside, since: new Date('2026-01-01T00:00:00Z') }
    expect(await client.getStringValue('context-aware', '', outside)).toBe('EXTERNAL')
  })
})

describe('hooks', () => {
  async function hooked(scenario: Omit<Scenario, 'expected'>) {
    const calls: [stage: string, expected: unknown][] = []
    const hook: Hook = {
      before: () => void calls.push(['before', undefined]),
      after: (_context, details) => void calls.push(['after', details]),
      error: (_context, error) => void calls.push(['error', error]),
      finally: (_context, details) => void calls.push(['finally', details]),
    }
    const asked = OpenFeature.getClient('server')
    asked.addHooks(hook)
    try {
      await detailsOf(asked, scenario)
    } finally {
      asked.clearHooks()
    }
    return calls
  }

  test('see the details of the served value', async () => {
    const calls = await hooked({ flag: 'boolean-flag', type: 'boolean', fallback: false })
    const served = {
      flagKey: 'boolean-flag',
      value: true,
      variant: 'on',
      reason: 'STATIC',
      flagMetadata: { flagSetId: 'production', version: '2' },
    }
    expect(calls).toMatchObject([
      ['before', undefined],
      ['after', served],
      ['finally', served],
    ])
    expect(calls[1]?.[1]).not.toHaveProperty('errorCode')
  })

  test.each([
    ['missing', 'uh-oh', ErrorCode.FLAG_NOT_FOUND],
    ['integer-flag', '13', ErrorCode.TYPE_MISMATCH],
    ['drawn', 'none', ErrorCode.TARGETING_KEY_MISSING],
  ])('learn why %s could not be served', async (flag, fallback, errorCode) => {
    const calls = await hooked({ flag, type: 'string', fallback })
    expect(calls.map(([stage]) => stage)).toEqual(['before', 'error', 'finally'])
    expect(calls[2]?.[1]).toMatchObject({ flagKey: flag, value: fallback, reason: 'ERROR', errorCode })
  })
})

describe('unusual conditions', () => {
  test('after a 429 with Retry-After the client sends no request until then', async () => {
    let asked = 0
    const limited = await clientFor(serverKey, 'limited', {
      fetchImplementation: async () => {
        asked += 1
        return new Response(null, { status: 429, headers: { 'retry-after': '60' } })
      },
    })
    for (let time = 0; time < 3; time++) {
      expect(await limited.getBooleanDetails('boolean-flag', false)).toMatchObject({
        value: false,
        errorCode: ErrorCode.GENERAL,
      })
    }
    expect(asked).toBe(1)
  })

  test('a wrong key and a context that is too large give the default, and harm no other request', async () => {
    const stranger = await clientFor('ser.nobody', 'stranger')
    expect(await stranger.getNumberDetails('integer-flag', 3)).toMatchObject({ value: 3, reason: 'ERROR' })
    const large = { targetingKey: 'u', text: 'x'.repeat(2_000_000) }
    expect(await client.getNumberDetails('integer-flag', 3, large)).toMatchObject({
      value: 3,
      reason: 'ERROR',
    })
    expect(await client.getNumberValue('integer-flag', 3, { targetingKey: 'u' })).toBe(10)
  })
})

test('a browser key gets nothing of server-only flags, neither by name nor as prerequisites', async () => {
  const page = await clientFor(clientKey, 'page')
  expect(await page.getBooleanDetails('for-servers', false)).toMatchObject({
    errorCode: ErrorCode.FLAG_NOT_FOUND,
  })
  const needing = await page.getBooleanDetails('needs-a-hidden-one', true)
  expect(needing).toMatchObject({ value: false, reason: 'DISABLED' })
  expect(JSON.stringify(needing)).not.toContain('for-servers')
})

describe('flags that came from Flagsmith', () => {
  let imported: Client
  beforeAll(async () => {
    imported = await clientFor(apiKey, 'imported')
  })

  test.each([
    { flag: 'dark_mode', fallback: false, context: {}, expected: is(false, 'off', 'DEFAULT') },
    {
      flag: 'dark_mode',
      fallback: false,
      context: { targetingKey: 'u', age: 30 },
      expected: is(true, 'on', 'TARGETING_MATCH'),
    },
    {
      flag: 'dark_mode',
      fallback: false,
      context: { targetingKey: 'vip' },
      expected: is(true, 'on', 'TARGETING_MATCH'),
    },
    {
      flag: 'max-items',
      fallback: 3,
      context: { targetingKey: 'alice' },
      expected: is(10, 'default', 'DEFAULT'),
    },
    {
      flag: 'max-items',
      fallback: 3,
      context: { targetingKey: 'bucket-3' },
      expected: is(25, 'default', 'TARGETING_MATCH'),
    },
    {
      flag: 'max-items',
      fallback: 3,
      context: { targetingKey: 'alice', age: 30 },
      expected: is(3, 'default', 'DISABLED'),
    },
    {
      flag: 'button_colour',
      fallback: '',
      context: { targetingKey: 'alice' },
      expected: is('blue', 'blue', 'SPLIT'),
    },
    {
      flag: 'button_colour',
      fallback: '',
      context: { targetingKey: 'carol' },
      expected: is('red', 'red', 'SPLIT'),
    },
    {
      flag: 'button_colour',
      fallback: '',
      context: { targetingKey: 'user@example.com' },
      expected: is('grey', 'control', 'SPLIT'),
    },
    {
      flag: 'button_colour',
      fallback: '',
      context: { targetingKey: 'vip' },
      expected: is('gold', 'default', 'TARGETING_MATCH'),
    },
    {
      flag: 'button_colour',
      fallback: 'x',
      context: {},
      expected: { value: 'x', errorCode: 'TARGETING_KEY_MISSING' },
    },
    { flag: 'switched_off', fallback: 'code', context: {}, expected: is('code', 'default', 'DISABLED') },
    {
      flag: 'thirds',
      fallback: 'code',
      context: { targetingKey: 'alice' },
      expected: { value: 'code', reason: 'DISABLED' },
    },
  ])('$flag with default $fallback for $context', async ({ flag, fallback, context, expected }) => {
    const type = typeof fallback as 'boolean' | 'string' | 'number'
    const details = await detailsOf(imported, { flag, type, fallback, context })
    // Without a value, the client for servers of this version says that something failed, and gives the default.
    const isLeft = 'reason' in expected && expected.reason === 'DISABLED'
    expect(details).toMatchObject(isLeft ? { value: fallback } : expected)
    const answer = await telltale.request('POST', `/ofrep/v1/evaluate/flags/${flag}`, {
      headers: { 'x-api-key': apiKey },
      body: { context },
    })
    const { value: _, ...rest } = expected
    expect(answer.body).toMatchObject(isLeft || 'errorCode' in expected ? rest : expected)
    expect('value' in answer.body).toBe(!isLeft && answer.status === 200)
  })

  test('name the variation beside the variant, so that what they do is joined with what they did', async () => {
    const details = await imported.getStringDetails('button_colour', '', { targetingKey: 'user@example.com' })
    expect(details.flagMetadata).toMatchObject({ variation: 'grey', unit: 'targetingKey', epoch: 1 })
  })
})

function is(value: unknown, variant: string, reason: string) {
  return { value, variant, reason }
}
