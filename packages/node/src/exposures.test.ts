import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { expect, test } from 'vitest'
import { createExposures } from './exposures.ts'

const ruleSet = compileRuleSet({
  segments: [],
  flags: [
    {
      key: 'plain',
      valueType: 'boolean',
      clientVisible: true,
      variations: [{ key: 'on', value: true }],
      config: {
        enabled: true,
        offVariation: 'on',
        prerequisites: [],
        rules: [],
        fallthrough: { variation: 'on' },
        salt: '',
      },
    },
  ],
})

test('a read is reported again the next day, or after it was evicted', () => {
  let now = 0
  const reported: (string | undefined)[] = []
  const exposures = createExposures({ now: () => now, onFault: () => undefined, memory: 2 })
  exposures.listen(({ targetingKey }) => reported.push(targetingKey))
  const read = (targetingKey: string) => {
    const context = { targetingKey }
    const evaluation = evaluate(ruleSet, 'plain', context)
    exposures.record({ flag: 'plain', evaluation, context, environment: 'production' })
  }

  for (const name of ['ann', 'bob', 'ann', 'eve', 'ann', 'bob']) read(name)
  expect(reported).toEqual(['ann', 'bob', 'eve', 'bob'])
  now = 24 * 60 * 60 * 1_000
  read('bob')
  expect(reported.at(-1)).toBe('bob')
  expect(reported).toHaveLength(5)
})
