import { expect, test } from 'vitest'
import { findFailures } from './failures.ts'
import { findClick } from './find-click.ts'
import { findResponses, type RequestDetail } from './responses.ts'
import { origin, quietEvent, sourceWith } from './testing/sources.ts'
import { writeReplayTest } from './write-test.ts'

const none = { state: 'none', size: 0, mime: '', text: '' } as const
const whole = (text: string) =>
  ({ state: 'text', size: text.length, mime: 'application/json', text }) as const
const detail = (change: Partial<RequestDetail>): RequestDetail => ({
  method: 'GET',
  address: `${origin}/api/cart`,
  status: 200,
  startedAt: 0,
  sent: none,
  received: whole('{"total":1}'),
  ...change,
})

test('a response is served where it was kept whole', () => {
  const cut = { ...whole('{"total"'), state: 'cut', size: 90 } as const
  const some = { ...whole('{"total":1}'), size: 400 }
  const found = findResponses([
    detail({}),
    detail({ address: `${origin}/api/long`, received: cut }),
    detail({ address: `${origin}/api/some-fields`, received: some }),
    detail({ address: `${origin}/api/sent`, method: 'POST', sent: some }),
  ])
  expect(found.served.map(({ url }) => url)).toEqual([`${origin}/api/cart`])
  expect(found.notKept).toEqual(['GET /api/long', 'GET /api/some-fields', 'POST /api/sent'])
})

test('the size of a body is in bytes', () => {
  const received = { ...whole('{"price":"9 €"}'), size: 17 }
  expect(findResponses([detail({ received })]).served).toHaveLength(1)
})

test('a failed response is not served: it would fail with every variation', () => {
  const failed = detail({ status: 500, received: whole('{}') })
  expect(findResponses([failed, detail({})])).toEqual({ served: [], notKept: [], unclear: [] })
})

test('requests that differ only by what was not recorded go to the server', () => {
  const one = detail({ address: `${origin}/api/products?category` })
  const other = detail({ address: `${origin}/api/products?category`, received: whole('{"total":2}') })
  expect(findResponses([one, other])).toMatchObject({ served: [], unclear: ['GET /api/products'] })
  const sent = [
    detail({ method: 'POST', sent: whole('{"id":1}') }),
    detail({ method: 'POST', sent: whole('{"id":2}') }),
  ]
  expect(findResponses(sent).served).toHaveLength(2)
  const named = [one, detail({ address: `${origin}/api/products?category&mode`, received: whole('[]') })]
  expect(findResponses(named).served.map(({ parameters }) => parameters)).toEqual([
    ['category'],
    ['category', 'mode'],
  ])
})

test('what depends on the machine or is not seen in the page is not asserted, and that is said', () => {
  const { asserted, notAsserted } = findFailures(
    [
      { ...quietEvent, kind: 'error', errorMessage: 'caught', isHandled: true },
      { ...quietEvent, kind: 'resource', url: 'https://ads.example/x.js', isFailed: true },
      { ...quietEvent, kind: 'resource', url: `${origin}/gone`, isFailed: true },
      { ...quietEvent, kind: 'resource', url: 'https://cdn.example/a.png', isFailed: true, status: 404 },
      { ...quietEvent, kind: 'action', frustration: ['rage'] },
      { ...quietEvent, kind: 'long_frame', blocking: 900 },
      { ...quietEvent, kind: 'long_frame', blocking: 900 },
      { ...quietEvent, kind: 'vital', name: 'LCP', value: 9_000 },
      { ...quietEvent, kind: 'vital', name: 'LCP', value: 900 },
    ],
    { origin, seesReports: false },
  )
  expect(asserted.map((failure) => failure.kind === 'request' && failure.url)).toEqual([
    `${origin}/gone`,
    'https://cdn.example/a.png',
  ])
  expect(notAsserted).toEqual([
    'An error that the application caught and reported is not asserted, because the page does not show it.',
    'A request to another site without a response is not asserted, because extensions and networks block them.',
    'Rage clicks to which the page responded are not asserted, because only the user knows what was missing.',
    'Slow frames are not asserted, because their duration depends on the machine. (2 times)',
    'A poor LCP is not asserted, because it depends on the machine and the network.',
  ])
})

test('a failure that repeats is asserted once, a click each time', () => {
  const error = { ...quietEvent, kind: 'error', errorType: 'TypeError', errorMessage: 'x is not a function' }
  const dead = { ...quietEvent, kind: 'action', frustration: ['dead'] }
  const events = [error, { ...error, at: 5 }, dead, { ...dead, at: 9 }]
  expect(findFailures(events, { origin, seesReports: true }).asserted.map(({ kind }) => kind)).toEqual([
    'error',
    'click',
    'click',
  ])
})

/** The regular expression of the only assertion about errors. */
function patternOf(errorType: string, errorMessage: string): RegExp {
  const events = [{ ...quietEvent, kind: 'error', at: 8_000, errorType, errorMessage }]
  const text = writeReplayTest({ ...sourceWith('x'), events })
  const source = /filter\(\(error\) => \/(.*)\/\.test/.exec(text)?.[1]
  if (source === undefined) throw new Error('no error is asserted')
  return new RegExp(source)
}

test('a message matches with other numbers, addresses and minified names', () => {
  const minified = patternOf('TypeError', 'r.map is not a function')
  expect('TypeError: e.map is not a function').toMatch(minified)
  expect('TypeError: e.find is not a function').not.toMatch(minified)
  expect('Error: r.map is not a function').not.toMatch(minified)
  expect('Error: The shop does not answer (502).').toMatch(
    patternOf('Error', 'The shop does not answer (500).'),
  )
  expect('Error: No user ada@example.com at https://a.example/7?x=1').toMatch(
    patternOf('Error', 'No user [email] at https://b.example/9'),
  )
  expect('Error: a+b (c) [d]').toMatch(patternOf('Error', 'a+b (c) [d]'))
  expect('Error: first line\nof two').toMatch(patternOf('Error', 'first line\nof others'))
})

test('steps after the last failure are left out', () => {
  const source = sourceWith('x')
  const [first] = source.events
  expect(writeReplayTest(source)).toContain('waitForURL')
  const early = writeReplayTest({ ...source, events: first ? [{ ...first, at: 90 }] : [] })
  expect(early).toContain(`.fill('typed x')`)
  expect(early).not.toContain('click(')
})

test('a click is found by its element, although its event has another time', () => {
  const steps = sourceWith('x').recorded.steps
  const dead = { kind: 'click', isRage: false } as const
  const found = (at: number, selector: string) => {
    const step = findClick(steps, { ...dead, at, selector })
    return step && steps.indexOf(step)
  }
  const last = steps.length - 2
  expect(found(6_900, 'button#dead')).toBe(last)
  expect(found(5_100, 'button#dead')).toBe(last)
  expect(found(6_100, 'some other')).toBe(last)
  expect(found(6_900, 'some other')).toBeUndefined()
})

test('the script says what it does not reproduce, in its head and in the report', () => {
  const text = writeReplayTest(sourceWith('x'))
  for (const sentence of [
    'Cookies, storage and sign-in from before the session. If the site needs them, set storageState.',
    'What happened in another tab.',
    'What happened while the recording has gaps.',
    'Responses that are not recorded in full, so the server gets: GET /cut/x.',
    'Variations of flags that browsers no longer get: x.',
  ]) {
    expect(text).toContain(`// - ${sentence}`)
    expect(text).toContain(`  report('${sentence}')`)
  }
})
