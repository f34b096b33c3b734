import { expect, test } from 'vitest'
import { hash64, unitHash } from './unit-hash.ts'

const environment = '0198a2c4-0000-7000-8000-000000000001'

/** From `printf '<environment>\0<attribute>\0<value>' | sha256sum`, because other systems compute these hashes too. */
const vectors: [attribute: string, value: string, hash: string][] = [
  ['targetingKey', 'mara', '14094232646282064628'],
  ['anonymousId', 'mara', '10527228894737056599'],
  ['company', 'Räder & Söhne', '6877947639600165278'],
  ['targetingKey', '', '1983518231386718652'],
]

test.each(vectors)('%s %s', (attribute, value, hash) => {
  expect(unitHash({ environment, attribute, value })).toBe(hash)
})

test('parts are delimited, and environments are independent', () => {
  const hashes = [
    unitHash({ environment, attribute: 'a', value: 'bc' }),
    unitHash({ environment, attribute: 'ab', value: 'c' }),
    unitHash({ environment: '0198a2c4-0000-7000-8000-000000000002', attribute: 'a', value: 'bc' }),
  ]
  expect(new Set(hashes).size).toBe(3)
  for (const hash of hashes) expect(BigInt(hash)).toBeLessThan(2n ** 64n)
})

test('the hash of empty text is the start of the known digest', () => {
  expect(hash64('')).toBe(String(0xe3b0c44298fc1c14n))
})
