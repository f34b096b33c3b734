// Invalid requests are rejected with a code of the catalogue and a location, and change nothing.

import { request as httpRequest } from 'node:http'
import { parameterNames } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import { isErrorCode } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../../../../test/contracts/flags.ts'
import { type Answer, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { auditEntries } from '../engines/postgres/audit-schema.ts'
import { projects } from '../engines/postgres/schema.ts'

let telltale: Telltale
let owner: SomePerson
let key: string

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('web')
  key = (await createKey(telltale, 'server', { project: 'web' })).value
})

afterAll(() => telltale[Symbol.asyncDispose]())

const create = (body: unknown, headers: Record<string, string> = {}) =>
  telltale.request('POST', '/api/v1/projects', { as: owner, body, headers })

async function countState(): Promise<number[]> {
  const { db } = telltale.running.services
  return [await db.$count(projects), await db.$count(auditEntries)]
}

async function expectRefused(code: string, answering: Promise<Answer>): Promise<Answer> {
  const before = await countState()
  const answer = await answering
  expect(answer.body).toMatchObject({ type: `/errors/${code}`, status: answer.status })
  expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(await countState()).toEqual(before)
  return answer
}

const places = (answer: Answer) => answer.body.errors.map((fault: { pointer: string }) => fault.pointer)

describe('a body', () => {
  test('with unknown members is rejected, each with its position', async () => {
    const answer = await expectRefused(
      'invalid-request',
      create({ key: 'a', name: 'A', colour: 'red', size: 1 }),
    )
    expect(answer.status).toBe(400)
    expect(places(answer)).toEqual(['/colour', '/size'])
  })

  test('with wrong types and missing members lists every fault', async () => {
    const answer = await expectRefused('invalid-request', create({ key: 7 }))
    expect(places(answer).sort()).toEqual(['/key', '/name'])
  })

  test('with a key that is not one is refused', async () => {
    for (const key of ['', 'Web', '-web', 'a'.repeat(65), 'wéb', 'a b', '__proto__']) {
      const answer = await expectRefused('invalid-request', create({ key, name: 'x' }))
      expect(new Set(places(answer))).toEqual(new Set(['/key']))
    }
  })

  test('with invalid text is rejected with its position', async () => {
    for (const name of ['a\0b', '\ud800', 'x\udc00y']) {
      expect(places(await expectRefused('invalid-request', create({ key: 'a', name })))).toEqual(['/name'])
    }
    await expectRefused('invalid-request', telltale.request('GET', '/api/v1/users?search=%00', { as: owner }))
  })

  test('of broken JSON is refused', async () => {
    for (const body of ['{', '{"key":}', 'nonsense', '{"key":"a"}}', "{'key':'a'}", '[1,]', '{"a":1/*c*/}']) {
      expect((await expectRefused('malformed-body', create(body))).status).toBe(400)
    }
  })

  test('that names a member twice is refused with the place of the second', async () => {
    const answer = await expectRefused('malformed-body', create('{"key":"a","name":"A","key":"b"}'))
    expect(places(answer)).toEqual(['/key'])
  })

  test('with `__proto__` is rejected or harmless', async () => {
    await expectRefused('invalid-request', create('{"key":"a","name":"A","__proto__":{"admin":true}}'))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('nested too deeply is rejected before it is parsed', async () => {
    await expectRefused('malformed-body', create('['.repeat(100_000)))
  })

  test('of invalid UTF-8 is refused', async () => {
    const response = await fetch(`${telltale.url}/api/v1/projects`, {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    })
    expect(await response.json()).toMatchObject({ type: '/errors/malformed-body' })
  })

  test('above the limit is refused with the limit', async () => {
    const answer = await expectRefused(
      'payload-too-large',
      create({ key: 'a', name: 'x'.repeat(limits.bodySize) }),
    )
    expect(answer.status).toBe(413)
  })

  test('of another content type or coding is refused', async () => {
    const text = await expectRefused(
      'unsupported-encoding',
      create('key=a', { 'content-type': 'text/plain' }),
    )
    expect(text.status).toBe(415)
    await expectRefused(
      'unsupported-encoding',
      create({ key: 'a', name: 'A' }, { 'content-encoding': 'gzip' }),
    )
  })

  test.each([
    '/ofrep/v1/evaluate/flags',
    '/ofrep/v1/evaluate/flags/checkout',
    '/flagsmith/api/v1/identities/',
    '/flagsmith/api/v1/traits/',
    '/flagsmith/v1/events',
    '/intake/v1/events',
  ])('in an unknown coding is rejected by %s', async (path) => {
    for (const coding of ['zstd', 'gzip, gzip', 'gzip,br']) {
      const answer = await telltale.request('POST', path, {
        body: {},
        headers: { authorization: `Bearer ${key}`, 'x-environment-key': key, 'content-encoding': coding },
      })
      expect([coding, answer.status]).toEqual([coding, 415])
    }
  })

  test('is required where expected, and rejected elsewhere', async () => {
    await expectRefused('invalid-request', telltale.request('POST', '/api/v1/projects', { as: owner }))
    const person = await telltale.person()
    const answer = await telltale.request('POST', '/api/v1/sign-out', { as: person, body: { now: true } })
    expect(answer.body.type).toBe('/errors/invalid-request')
  })
})

describe('a URL', () => {
  test('with an unsupported method lists the supported ones', async () => {
    const answer = await expectRefused(
      'method-not-allowed',
      telltale.request('DELETE', '/api/v1/projects', { as: owner }),
    )
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
  })

  test('that is unknown is not found, with a text and a code', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v1/users/7',
      '/api/v1/projects/%00',
      '/api/v2/projects',
      '/errors/none',
    ]) {
      const answer = await expectRefused('not-found', telltale.request('GET', path, { as: owner }))
      expect(answer.status).toBe(404)
    }
  })

  test('with an unknown or invalid query lists every fault', async () => {
    const answer = await expectRefused(
      'invalid-request',
      telltale.request('GET', '/api/v1/projects?limit=0&page=2', { as: owner }),
    )
    expect(places(answer).sort()).toEqual(['?limit', '?page'])
    await expectRefused(
      'invalid-request',
      telltale.request('GET', '/api/v1/projects?limit=1&limit=2', { as: owner }),
    )
    await expectRefused(
      'invalid-request',
      telltale.request('GET', '/api/v1/projects?cursor=abc', { as: owner }),
    )
  })

  test("of any call with a period outside of the engines' range is rejected", async () => {
    const asked = callList.flatMap(({ call }) =>
      call.query !== undefined && 'to' in call.query.properties ? [call] : [],
    )
    let refused = 0
    for (const { method, path } of asked) {
      for (const to of ['9999-12-31T23:59:59-23:00', '0001-01-01T00:00:00Z']) {
        const address = path.replace(/:[a-zA-Z]+/g, 'web')
        const answer = await telltale.request(method, `${address}?to=${encodeURIComponent(to)}`, {
          as: owner,
        })
        // Unknown ids in the path return 404.
        expect([path, [400, 404].includes(answer.status)]).toEqual([path, true])
        if (answer.status === 400) refused += 1
      }
    }
    expect(refused).toBeGreaterThan(20)
  })
})

test('a broken request line gets an answer, and the server keeps running', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(telltale.url)
    const sent = httpRequest(
      { hostname, port, path: '/api/v1/projects/%zz', headers: owner.headers },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject).end()
  })
  expect(status).toBe(404)
  expect((await telltale.request('GET', '/health/live')).status).toBe(200)
})

test('any JSON sent to any call gets a declared answer, never an internal error', async () => {
  const writes = callList.filter(({ call }) => call.method !== 'GET')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writes), fc.jsonValue({ maxDepth: 3 }), async ({ call }, value) => {
      const body = typeof value === 'string' ? JSON.stringify(value) : value
      const answer = await telltale.request(call.method, pathOf(call.path), { as: owner, body })
      if (answer.status < 400) return
      expect(answer.status).toBeLessThan(500)
      expect(isErrorCode(String(answer.body.type).replace('/errors/', ''))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

function pathOf(path: string): string {
  const values: Record<string, string> = { project: 'web', env: 'staging' }
  const id = '01900000-0000-7000-8000-000000000000'
  return parameterNames(path).reduce<string>(
    (filled, name) => filled.replace(`:${name}`, values[name] ?? id),
    path,
  )
}
