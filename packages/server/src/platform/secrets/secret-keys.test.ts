import { afterEach, expect, test } from 'vitest'
import {
  isOutdated,
  isUnreadable,
  keyIdOf,
  newSecretKey,
  parseSecretKey,
  seal,
  unseal,
  useSecretKeys,
} from './secret-keys.ts'

afterEach(() => useSecretKeys([]))

const column = 'users.totp_secret'

test('a value is encrypted for its column, and reads the same', () => {
  const key = parseSecretKey(newSecretKey())
  useSecretKeys([key])
  const stored = seal('JBSWY3DPEHPK3PXP', column)
  expect(stored).not.toContain('JBSWY3DPEHPK3PXP')
  expect(seal('JBSWY3DPEHPK3PXP', column)).not.toBe(stored)
  expect(keyIdOf(stored)).toBe(key.id)
  expect(unseal(stored, column)).toBe('JBSWY3DPEHPK3PXP')
  for (const changed of [stored.slice(0, -5), stored.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
    expect(unseal(changed, column)).not.toContain('JBSW')
  expect(isUnreadable(stored, 'channels.secret')).toBe(true)
})

test('plain values are read, and written again once there is a key; so are those of an earlier key', () => {
  expect(seal('plain', column)).toBe('plain')
  const [first, second] = [parseSecretKey(newSecretKey()), parseSecretKey(newSecretKey())]
  useSecretKeys([first])
  expect(unseal('plain', column)).toBe('plain')
  expect(isOutdated('plain', column)).toBe(true)
  const stored = seal('plain', column)
  expect(isOutdated(stored, column)).toBe(false)
  useSecretKeys([second, first])
  expect(unseal(stored, column)).toBe('plain')
  expect(isOutdated(stored, column)).toBe(true)
})

test('without its key a value fits nothing, and saving it keeps what is stored', () => {
  const lost = `sealed:v1:000000000000:${Buffer.alloc(60).toString('base64')}`
  useSecretKeys([parseSecretKey(newSecretKey())])
  const read = unseal(lost, column)
  expect(read).toMatch(/^[A-Z2-7]{32}$/)
  expect(unseal(lost, column)).toBe(read)
  expect(seal(read, column)).toBe(lost)
  expect([isUnreadable(lost, column), isOutdated(lost, column)]).toEqual([true, false])
})

test.each(['', 'short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
  '%j is no key',
  (text) => expect(() => parseSecretKey(text)).toThrow('32 bytes in Base64'),
)
