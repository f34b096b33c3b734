import { expect, test } from 'vitest'
import { identityKeyOf, percentageOf } from './flagsmith-bucket.ts'

// Computed with the engine of flagsmith-nodejs 8.1.2.
const environmentKey = 'tTseedClientKey0000001'
const vectors: [id: string, identifier: string, percentage: number][] = [
  ['8107', 'alice', 32.7365473094619],
  ['8107', 'bob', 35.7871574314863],
  ['8107', 'carol', 0.4200840168033607],
  ['8107', 'bucket-7', 28.675735147029407],
  ['8107', 'user@example.com', 50.94018803760753],
  ['503', 'alice', 65.84316863372675],
  ['503', 'bob', 75.60512102420483],
  ['503', 'bucket-3', 13.492698539707943],
  ['503', 'ünïcode-Ω', 92.81856371274256],
]

test.each(vectors)('%s for %s', (id, identifier, percentage) => {
  expect(percentageOf(id, identityKeyOf(environmentKey, identifier))).toBe(percentage)
})

test('ids that hash to exactly 100 are hashed again', () => {
  expect(percentageOf('t', '2310')).toBe(98.89977995599119)
})
