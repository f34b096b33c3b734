// Generated flags and segments for property tests: everything that a document can say about them.

import type { CodeRolloutTemplate } from '@telltale/core/contract/code-document'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { FlagContent, SegmentContent } from '@telltale/core/flags-as-code/content'
import { booleanVariations } from '@telltale/core/flags-as-code/first-config'
import fc from 'fast-check'

export const environmentKeys = ['production', 'staging', 'development']

/** Text with everything that YAML could misread, without what PostgreSQL cannot store. */
const text = fc.oneof(
  fc.constantFrom(
    'on',
    'off',
    'yes',
    'null',
    '~',
    '1_000',
    '0x1f',
    '1e3',
    '- a',
    '# no',
    'a: b',
    '"',
    "'",
    '|',
    '\n',
    ' a ',
    '@',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !one.includes('\u0000')),
)
const name = text.filter((one) => /\S/.test(one))

const scalar = fc.oneof(text, fc.integer(), fc.boolean())
const condition = fc.oneof(
  fc.record({
    attribute: fc.constantFrom('plan', 'a.b', 'on'),
    operator: fc.constant('equals' as const),
    value: scalar,
  }),
  fc.record({
    attribute: fc.constantFrom('country', 'no'),
    operator: fc.constantFrom('in' as const, 'not-in' as const),
    values: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    attribute: fc.constant('age'),
    operator: fc.constant('greater' as const),
    value: fc.integer(),
  }),
  fc.record({ attribute: fc.constant('beta'), operator: fc.constant('is-set' as const) }),
)

const group = (segments: readonly string[]): fc.Arbitrary<ConditionGroup> => {
  const inSegment = segments.map((segment) => fc.constant({ operator: 'in-segment' as const, segment }))
  return fc.record({
    match: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
    of: fc.array(fc.oneof(condition, ...inSegment), { maxLength: 3 }),
  })
}

/** Whole numbers that JSON cannot keep are refused; in powers of ten, as from 1e21 on, they are no ids. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

const values = {
  boolean: fc.boolean(),
  string: text,
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((one) => one + 0)
    .filter(isExact),
  json: fc
    .jsonValue({ maxDepth: 2 })
    .filter((one) => isExact(one) && !JSON.stringify(one).includes('\\u0000')),
}

const variationsOf = (type: FlagContent['valueType']) =>
  type === 'boolean'
    ? fc.constant(booleanVariations)
    : fc.uniqueArray(
        fc.record({ key: fc.constantFrom('a', 'b', 'on', 'off', '1'), name, value: values[type] }),
        {
          minLength: 1,
          maxLength: 4,
          selector: ({ key }) => key,
        },
      )

interface Known {
  variations: readonly string[]
  segments: readonly string[]
  /** Flags that can be required: those before it, so that there is no cycle. */
  above: readonly { key: string; variations: readonly string[] }[]
}

function serve(variations: readonly string[]): fc.Arbitrary<FlagConfigDraft['fallthrough']> {
  const one = fc.constantFrom(...variations).map((variation) => ({ variation }))
  const [first, second] = variations
  if (first === undefined || second === undefined) return one
  const split = fc.record({
    weight: fc.integer({ min: 0, max: 100_000 }),
    by: fc.constantFrom('targetingKey', 'company'),
  })
  return fc.oneof(
    one,
    split.map(({ weight, by }) => ({
      split: [
        { variation: first, weight },
        { variation: second, weight: 100_000 - weight },
      ],
      by,
    })),
  )
}

function config({ variations, segments, above }: Known): fc.Arbitrary<FlagConfigDraft> {
  const required = above.map(({ key, variations: theirs }) =>
    fc.constantFrom(...theirs).map((variation) => ({ flag: key, variation })),
  )
  return fc.record({
    enabled: fc.boolean(),
    offVariation: fc.constantFrom(...variations),
    prerequisites:
      required.length === 0
        ? fc.constant([])
        : fc.uniqueArray(fc.oneof(...required), { maxLength: 2, selector: ({ flag }) => flag }),
    rules: fc.array(fc.record({ description: text, when: group(segments), serve: serve(variations) }), {
      maxLength: 3,
    }),
    fallthrough: serve(variations),
  })
}

function flag(
  key: string,
  { segments, above }: Omit<Known, 'variations'>,
): fc.Arbitrary<[string, FlagContent]> {
  const types = fc.constantFrom('boolean' as const, 'string' as const, 'number' as const, 'json' as const)
  return types
    .chain((valueType) =>
      variationsOf(valueType).chain((variations) => {
        const keys = variations.map((one) => one.key)
        const known = { variations: keys, segments, above }
        return fc.record({
          name,
          description: text,
          valueType: fc.constant(valueType),
          variations: fc.constant(variations),
          valueSchema: fc.constant(null),
          tags: fc.uniqueArray(name, { maxLength: 2 }),
          owners: fc.constant<string[]>([]),
          ownerTeams: fc.constant<string[]>([]),
          permanent: fc.boolean(),
          removeBy: fc.constantFrom(null, '2027-03-01'),
          clientVisible: fc.boolean(),
          environments: fc.record(Object.fromEntries(environmentKeys.map((env) => [env, config(known)]))),
        })
      }),
    )
    .map((content): [string, FlagContent] => [key, content])
}

const metric = fc.record({
  name,
  event: fc.constantFrom('order paid', 'on', 'yes', '- a', '1e3'),
  aggregation: fc.constantFrom('proportion' as const, 'count' as const, 'sum' as const),
  better: fc.constantFrom('lower' as const, 'higher' as const),
})

const share = fc.integer({ min: 1, max: 100_000 })

function template(metrics: readonly string[]): fc.Arbitrary<CodeRolloutTemplate> {
  return fc.record(
    {
      name,
      description: text,
      stages: fc.uniqueArray(share, { minLength: 1, maxLength: 4 }).chain((weights) =>
        fc.tuple(
          ...weights
            .sort((one, other) => one - other)
            .map((weight) =>
              fc.record({
                weight: fc.constant(weight),
                minDuration: fc.integer({ min: 0, max: 1_000_000 }),
                minUnits: fc.integer({ min: 0, max: 1_000 }),
                needsApproval: fc.boolean(),
              }),
            ),
        ),
      ),
      metrics: fc.uniqueArray(
        fc.record({
          metric: fc.constantFrom(...metrics),
          limit: fc.integer({ min: 1, max: 99 }).map((one) => one / 100),
          role: fc.constantFrom('required' as const, 'watched' as const),
          onRegression: fc.constantFrom('roll-back' as const, 'hold' as const, 'notify' as const),
        }),
        { minLength: 1, maxLength: 3, selector: (one) => one.metric },
      ),
      alpha: fc.constantFrom(0.05, 0.01),
      timeBox: fc.integer({ min: 60_000, max: 1_000_000_000 }),
      whenUndecided: fc.constantFrom('hold' as const, 'revert' as const, 'ship' as const),
      freshDraw: fc.boolean(),
    },
    { requiredKeys: ['name', 'stages', 'metrics'] },
  )
}

/** Rollout templates, and the custom metrics that some of them use. */
export function generatedTemplates() {
  return fc.record({
    metrics: fc.record({ orders: metric, on: metric }),
    rolloutTemplates: fc.dictionary(
      fc.constantFrom('careful', 'fast', 'on', '1'),
      template(['orders', 'on', 'lcp', 'inp']),
      { maxKeys: 3 },
    ),
  })
}

export interface GeneratedProject {
  flags: Map<string, FlagContent>
  segments: Map<string, SegmentContent>
}

/** Flags may require those before them and use all segments. */
export function generatedProject(count: number): fc.Arbitrary<GeneratedProject> {
  const segmentKeys = ['paying', 'on']
  const segments = fc.tuple(
    ...segmentKeys.map((key) =>
      fc
        .record({ name, description: text, when: group([]) })
        .map((content): [string, SegmentContent] => [key, content]),
    ),
  )
  let flags: fc.Arbitrary<[string, FlagContent][]> = fc.constant([])
  for (let index = 0; index < count; index += 1) {
    flags = flags.chain((above) => {
      const known = above
        .slice(-3)
        .map(([key, { variations }]) => ({ key, variations: variations.map((one) => one.key) }))
      return flag(`flag-${index}`, { segments: segmentKeys, above: known }).map((one) => [...above, one])
    })
  }
  return fc.record({ flags: flags.map((all) => new Map(all)), segments: segments.map((all) => new Map(all)) })
}
