import { expect, test } from 'vitest'
import { signUser } from './sign-user.ts'

const secret = 'tsk_3Xq9ZyB7sV1mK5tW8uR2pL4nD6hJ0cFa'

// The vectors of `core/src/signed-user.test.ts`, made with OpenSSL.
test('signatures without and with an expiry', () => {
  expect(signUser(secret, 'ada')).toBe('v1..kqleIP6dm1hlvNLqNZCt8oYupcrniaLOjhljUDwg2IQ')
  expect(signUser(secret, 'ada', { expiresIn: 3_600, now: 1_799_996_400_000 })).toBe(
    'v1.1800000000.aCDw_JJpIY44uMKaMt_waEw-nKAKoVGI0IWGuD7dZ6w',
  )
})

test('a missing user or secret, and an expiry that is no time, throw', () => {
  expect(() => signUser(secret, '')).toThrow('targeting key')
  expect(() => signUser('', 'ada')).toThrow('secret')
  for (const expiresIn of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e12])
    expect(() => signUser(secret, 'ada', { expiresIn })).toThrow('expiresIn')
})
