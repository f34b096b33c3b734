// The flags of the evaluation benchmark, in a neutral form that is converted to the format of every peer.

export interface BenchFlag {
  key: string
  variations: { key: string; value: boolean | string }[]
  /** In order; the first rule whose conditions all match is served. */
  rules: { conditions: BenchCondition[]; serve: BenchServe }[]
  fallthrough: BenchServe
}

export type BenchCondition =
  | { attribute: string; operator: 'in'; values: string[] }
  | { attribute: string; operator: 'ends-with'; value: string }
  | { attribute: string; operator: 'greater'; value: number }

/** A variation key, or weights of 100,000 by variation. */
export type BenchServe = string | Record<string, number>

export type BenchContext = { targetingKey: string } & Record<string, string | number | boolean>

export interface Scenario {
  name: string
  flags: BenchFlag[]
  /** Whether all flags are evaluated at once, or one by one by key. */
  all: boolean
}

const onOff = [
  { key: 'on', value: true },
  { key: 'off', value: false },
]
const colours = ['red', 'green', 'blue'].map((key) => ({ key, value: `#${key}` }))
const half = { on: 50_000, off: 50_000 }

const is = (attribute: string, ...values: string[]): BenchCondition => ({ attribute, operator: 'in', values })

function plain(key: string): BenchFlag {
  return { key, variations: onOff, rules: [], fallthrough: 'on' }
}

/** Five rules, of which the last matches, then a 50% split. */
function fiveRules(key: string): BenchFlag {
  const misses = [is('country', 'FR'), is('plan', 'free'), is('role', 'admin'), is('device', 'tablet')]
  return {
    key,
    variations: onOff,
    rules: [
      ...misses.map((condition) => ({ conditions: [condition], serve: 'off' })),
      { conditions: [is('beta', 'yes')], serve: half },
    ],
    fallthrough: 'off',
  }
}

const kinds: ((key: string) => BenchFlag)[] = [
  plain,
  plain,
  plain,
  (key) => ({ key, variations: colours, rules: [], fallthrough: 'green' }),
  (key) => ({ ...plain(key), fallthrough: half }),
  (key) => ({ ...plain(key), rules: [{ conditions: [is('plan', 'free')], serve: 'off' }] }),
  (key) => ({
    key,
    variations: colours,
    rules: [{ conditions: [is('country', 'AT', 'BE', 'CH', 'DE', 'ES', 'FI', 'FR', 'IT')], serve: 'blue' }],
    fallthrough: { red: 20_000, green: 30_000, blue: 50_000 },
  }),
  (key) => ({
    ...plain(key),
    rules: [
      { conditions: [{ attribute: 'email', operator: 'ends-with', value: '@example.org' }], serve: 'on' },
      { conditions: [{ attribute: 'age', operator: 'greater', value: 60 }], serve: 'on' },
    ],
    fallthrough: 'off',
  }),
  fiveRules,
  (key) => ({
    ...plain(key),
    rules: [
      { conditions: [is('device', 'phone'), is('plan', 'pro')], serve: 'on' },
      { conditions: [is('role', 'admin')], serve: 'off' },
    ],
    fallthrough: 'off',
  }),
]

const hundred = Array.from({ length: 100 }, (_, index) =>
  kinds[index % kinds.length]?.(`flag-${index}`),
).filter((flag) => flag !== undefined)

export const scenarios: Scenario[] = [
  { name: '(a) a flag without rules', flags: [plain('plain')], all: false },
  {
    name: '(b) five rules, the last one matching, and a 50 % split',
    flags: [fiveRules('five-rules')],
    all: false,
  },
  { name: '(c) all of 100 mixed flags for one user', flags: hundred, all: true },
]

export const contexts: BenchContext[] = Array.from({ length: 500 }, (_, index) => ({
  targetingKey: `user-${10_000 + index * 7}`,
  country: ['DE', 'US', 'JP', 'BR'][index % 4] ?? '',
  plan: index % 3 === 0 ? 'team' : 'pro',
  role: 'user',
  device: index % 2 === 0 ? 'phone' : 'desktop',
  beta: 'yes',
  email: `user-${index}@example.${index % 10 === 0 ? 'org' : 'com'}`,
  age: 18 + (index % 60),
}))
