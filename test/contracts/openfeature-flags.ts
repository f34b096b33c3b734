// The flags that OpenFeature's scenarios need, made over the management API, and what clients have to be expected of them: for
// the client in a server and the one in a page alike.

/** What an owner asks the management API. */
export type Ask = (method: string, path: string, body?: object) => Promise<unknown>

interface ScenarioFlag {
  valueType: 'boolean' | 'string' | 'number' | 'json'
  /** The first one is served to everyone; the last one when it is off. */
  values: Record<string, unknown>
  config?: object
  hidden?: boolean
}

const picture = { title: 'Look at these', perPage: 100, shown: true, sizes: [1, 2.5, { wide: null }] }
const rule = (when: object, variation: string) => ({ rules: [{ when, serve: { variation } }] })
const all = (...of: object[]) => ({ match: 'all', of })
const ballmer = rule(all({ attribute: 'email', operator: 'equals', value: 'ballmer@macrosoft.com' }), 'zero')
const halves = (by?: string) => ({
  fallthrough: {
    split: [
      { variation: 'left', weight: 50_000 },
      { variation: 'right', weight: 50_000 },
    ],
    ...(by && { by }),
  },
})

export const scenarioFlags: Record<string, ScenarioFlag> = {
  'boolean-flag': { valueType: 'boolean', values: { on: true, off: false } },
  'string-flag': { valueType: 'string', values: { greeting: 'hi', parting: 'bye' } },
  'integer-flag': { valueType: 'number', values: { ten: 10, one: 1 } },
  'float-flag': { valueType: 'number', values: { half: 0.5, tenth: 0.1 } },
  'object-flag': { valueType: 'json', values: { template: picture, empty: {} } },
  'list-flag': { valueType: 'json', values: { some: [1, 'two', { three: 3 }], none: [] } },
  'boolean-zero': { valueType: 'boolean', values: { off: false, on: true } },
  'string-zero': { valueType: 'string', values: { zero: '', some: 'text' } },
  'integer-zero': { valueType: 'number', values: { zero: 0, one: 1 } },
  'object-zero': { valueType: 'json', values: { zero: {}, some: { a: 1 } } },
  'boolean-targeted': {
    valueType: 'boolean',
    values: { on: true, off: false },
    config: rule(all({ attribute: 'email', operator: 'equals', value: 'ballmer@macrosoft.com' }), 'off'),
  },
  'string-targeted': { valueType: 'string', values: { some: 'text', zero: '' }, config: ballmer },
  'integer-targeted': { valueType: 'number', values: { one: 1, zero: 0 }, config: ballmer },
  'object-targeted': { valueType: 'json', values: { some: { a: 1 }, zero: {} }, config: ballmer },
  'context-aware': {
    valueType: 'string',
    values: { external: 'EXTERNAL', internal: 'INTERNAL' },
    config: rule(
      all(
        { attribute: 'customer', operator: 'equals', value: false },
        { attribute: 'age', operator: 'greater', value: 18 },
        { attribute: 'company.country', operator: 'in', values: ['PL', 'DE'] },
        { attribute: 'since', operator: 'less', value: '2026-01-01T00:00:00Z' },
      ),
      'internal',
    ),
  },
  'segment-aware': {
    valueType: 'string',
    values: { everyone: 'everyone', staff: 'staff' },
    config: rule(all({ operator: 'in-segment', segment: 'staff' }), 'staff'),
  },
  'boolean-disabled': {
    valueType: 'boolean',
    values: { on: true, off: false },
    config: { enabled: false },
  },
  'string-disabled': {
    valueType: 'string',
    values: { some: 'some', bye: 'bye' },
    config: { enabled: false },
  },
  'needs-another': {
    valueType: 'boolean',
    values: { on: true, off: false },
    config: { prerequisites: [{ flag: 'boolean-disabled', variation: 'on' }] },
  },
  'needs-a-hidden-one': {
    valueType: 'boolean',
    values: { on: true, off: false },
    config: { prerequisites: [{ flag: 'for-servers', variation: 'off' }] },
  },
  drawn: { valueType: 'string', values: { left: 'L', right: 'R' }, config: halves() },
  'drawn-by-company': {
    valueType: 'string',
    values: { left: 'L', right: 'R' },
    config: halves('company.id'),
  },
  'given-to-one': { valueType: 'string', values: { usual: 'usual', special: 'special' } },
  'for-servers': { valueType: 'boolean', values: { on: true, off: false }, hidden: true },
  'on-the-shelf': { valueType: 'boolean', values: { on: true, off: false } },
}

/** Makes them in an environment of a project that has none of them. */
export async function createScenarios(ask: Ask, project: string, env: string): Promise<void> {
  const base = `/api/v1/projects/${project}`
  await ask('POST', `${base}/segments`, {
    key: 'staff',
    name: 'Staff',
    when: all({ attribute: 'email', operator: 'ends-with', value: '@shop.example' }),
  })
  for (const [key, { valueType, values, hidden }] of Object.entries(scenarioFlags)) {
    const variations = Object.entries(values).map(([name, value]) => ({ key: name, name, value }))
    await ask('POST', `${base}/flags`, { key, name: key, valueType, variations, clientVisible: !hidden })
  }
  for (const [key, { values, config }] of Object.entries(scenarioFlags)) {
    const variations = Object.keys(values)
    await ask('PUT', `${base}/environments/${env}/flags/${key}/config`, {
      enabled: true,
      offVariation: variations.at(-1),
      prerequisites: [],
      rules: [],
      fallthrough: { variation: variations[0] },
      ...config,
      version: 1,
    })
  }
  const overrides = `${base}/environments/${env}/flags/given-to-one/overrides`
  await ask('PUT', `${overrides}/mallory%40example.com`, { variation: 'special' })
  await ask('POST', `${base}/flags/on-the-shelf/archive`)
}

export type ScenarioType = 'boolean' | 'string' | 'number' | 'object'

export interface Scenario {
  flag: string
  type: ScenarioType
  /** The default in the code. */
  fallback: boolean | string | number | object
  context?: Record<string, unknown>
  /** What the details have to hold. */
  expected: Record<string, unknown>
}

const steve = { email: 'ballmer@macrosoft.com' }
const somebody = { email: 'ballmer@none.example' }
const insider = {
  targetingKey: 'sulisław',
  customer: false,
  age: 29,
  company: { country: 'PL', id: 'c-7' },
  since: '2020-05-01T12:00:00+02:00',
}

const is = (value: unknown, variant: string, reason: string) => ({ value, variant, reason })
const fails = (value: unknown, errorCode: string) => ({ value, reason: 'ERROR', errorCode })

export const scenarios: Scenario[] = [
  // Values of every type, and the empty ones, which are values too.
  { flag: 'boolean-flag', type: 'boolean', fallback: false, expected: is(true, 'on', 'STATIC') },
  { flag: 'string-flag', type: 'string', fallback: 'bye', expected: is('hi', 'greeting', 'STATIC') },
  { flag: 'integer-flag', type: 'number', fallback: 1, expected: is(10, 'ten', 'STATIC') },
  { flag: 'float-flag', type: 'number', fallback: 0.1, expected: is(0.5, 'half', 'STATIC') },
  { flag: 'object-flag', type: 'object', fallback: {}, expected: is(picture, 'template', 'STATIC') },
  {
    flag: 'list-flag',
    type: 'object',
    fallback: [],
    expected: is([1, 'two', { three: 3 }], 'some', 'STATIC'),
  },
  { flag: 'boolean-zero', type: 'boolean', fallback: true, expected: is(false, 'off', 'STATIC') },
  { flag: 'string-zero', type: 'string', fallback: 'hi', expected: is('', 'zero', 'STATIC') },
  { flag: 'integer-zero', type: 'number', fallback: 1, expected: is(0, 'zero', 'STATIC') },
  { flag: 'object-zero', type: 'object', fallback: { a: 2 }, expected: is({}, 'zero', 'STATIC') },
  // By context: it matches, it does not, it is empty, it holds null.
  ...[steve, somebody, {}, { email: null }].flatMap((context): Scenario[] => {
    const isSteve = context === steve
    const reported = (value: unknown, variant: string) =>
      is(value, variant, isSteve ? 'TARGETING_MATCH' : 'DEFAULT')
    return [
      {
        flag: 'boolean-targeted',
        type: 'boolean',
        fallback: true,
        context,
        expected: isSteve ? reported(false, 'off') : reported(true, 'on'),
      },
      {
        flag: 'string-targeted',
        type: 'string',
        fallback: 'hi',
        context,
        expected: isSteve ? reported('', 'zero') : reported('text', 'some'),
      },
      {
        flag: 'integer-targeted',
        type: 'number',
        fallback: 5,
        context,
        expected: isSteve ? reported(0, 'zero') : reported(1, 'one'),
      },
      {
        flag: 'object-targeted',
        type: 'object',
        fallback: { b: 1 },
        context,
        expected: isSteve ? reported({}, 'zero') : reported({ a: 1 }, 'some'),
      },
    ]
  }),
  {
    flag: 'context-aware',
    type: 'string',
    fallback: 'EXTERNAL',
    context: insider,
    expected: is('INTERNAL', 'internal', 'TARGETING_MATCH'),
  },
  {
    flag: 'context-aware',
    type: 'string',
    fallback: 'none',
    context: { ...insider, customer: true },
    expected: is('EXTERNAL', 'external', 'DEFAULT'),
  },
  {
    flag: 'segment-aware',
    type: 'string',
    fallback: '',
    context: { email: 'ada@shop.example' },
    expected: {
      ...is('staff', 'staff', 'TARGETING_MATCH'),
      flagMetadata: { segment: 'staff', flagSetId: 'production', version: '2' },
    },
  },
  {
    flag: 'given-to-one',
    type: 'string',
    fallback: '',
    context: { targetingKey: 'mallory@example.com' },
    expected: {
      ...is('special', 'special', 'TARGETING_MATCH'),
      flagMetadata: { overridden: true, contextId: 'mallory@example.com' },
    },
  },
  // What is off, and what it needs.
  { flag: 'boolean-disabled', type: 'boolean', fallback: false, expected: is(false, 'off', 'DISABLED') },
  { flag: 'string-disabled', type: 'string', fallback: 'bye', expected: is('bye', 'bye', 'DISABLED') },
  {
    flag: 'needs-another',
    type: 'boolean',
    fallback: true,
    expected: { ...is(false, 'off', 'DISABLED'), flagMetadata: { prerequisite: 'boolean-disabled' } },
  },
  // What is drawn.
  {
    flag: 'drawn',
    type: 'string',
    fallback: '',
    context: { targetingKey: 'user-1' },
    expected: { reason: 'SPLIT', flagMetadata: { unit: 'targetingKey', contextId: 'user-1', epoch: 1 } },
  },
  { flag: 'drawn', type: 'string', fallback: 'code', expected: fails('code', 'TARGETING_KEY_MISSING') },
  {
    flag: 'drawn',
    type: 'string',
    fallback: 'code',
    context: { targetingKey: '' },
    expected: fails('code', 'TARGETING_KEY_MISSING'),
  },
  {
    flag: 'drawn-by-company',
    type: 'string',
    fallback: '',
    context: insider,
    expected: { reason: 'SPLIT', flagMetadata: { unit: 'company.id' } },
  },
  {
    flag: 'drawn-by-company',
    type: 'string',
    fallback: 'code',
    context: { targetingKey: 'u' },
    expected: fails('code', 'TARGETING_KEY_MISSING'),
  },
  // What is not there, of every type.
  ...(['missing', 'on-the-shelf'] as const).flatMap((flag): Scenario[] => [
    { flag, type: 'boolean', fallback: false, expected: fails(false, 'FLAG_NOT_FOUND') },
    { flag, type: 'string', fallback: 'bye', expected: fails('bye', 'FLAG_NOT_FOUND') },
    { flag, type: 'number', fallback: 0.1, expected: fails(0.1, 'FLAG_NOT_FOUND') },
    { flag, type: 'object', fallback: { a: 1 }, expected: fails({ a: 1 }, 'FLAG_NOT_FOUND') },
  ]),
  // What is of another type.
  { flag: 'boolean-flag', type: 'string', fallback: 'bye', expected: fails('bye', 'TYPE_MISMATCH') },
  { flag: 'boolean-flag', type: 'number', fallback: 0.1, expected: fails(0.1, 'TYPE_MISMATCH') },
  { flag: 'string-flag', type: 'boolean', fallback: false, expected: fails(false, 'TYPE_MISMATCH') },
  { flag: 'string-flag', type: 'number', fallback: 13, expected: fails(13, 'TYPE_MISMATCH') },
  { flag: 'string-flag', type: 'object', fallback: {}, expected: fails({}, 'TYPE_MISMATCH') },
  { flag: 'integer-flag', type: 'string', fallback: 'x', expected: fails('x', 'TYPE_MISMATCH') },
  { flag: 'object-flag', type: 'boolean', fallback: true, expected: fails(true, 'TYPE_MISMATCH') },
]
