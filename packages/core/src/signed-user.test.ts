import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { claimIn, judgeSignature, withoutSignature } from './signed-user.ts'

const secret = 'tsk_3Xq9ZyB7sV1mK5tW8uR2pL4nD6hJ0cFa'
const hasCode = (text: string, code: string) =>
  createHmac('sha256', secret).update(text).digest('base64url') === code

/** Computed with OpenSSL: printf 'v1.1800000000.ada' | openssl dgst -sha256 -hmac SECRET -binary | basenc --base64url */
const forever = 'v1..kqleIP6dm1hlvNLqNZCt8oYupcrniaLOjhljUDwg2IQ'
const expiring = 'v1.1800000000.aCDw_JJpIY44uMKaMt_waEw-nKAKoVGI0IWGuD7dZ6w'
const unicode = 'v1..1knVUOjKSoT6DP3KHd9DMVMdTPwuDyFwwn_wBluDGQA'
const before = 1_799_999_999_999
const after = 1_800_000_000_000

type Row = [name: string, targetingKey: string, signature: unknown, now: number, expected: string]

test.each<Row>([
  ['without an expiry', 'ada', forever, after, 'signed'],
  ['before the expiry', 'ada', expiring, before, 'signed'],
  ['from the expiry on', 'ada', expiring, after, 'expired'],
  ['characters beyond ASCII', 'Zoë@例え.jp', unicode, after, 'signed'],
  ['of another user', 'bob', forever, after, 'invalid'],
  ['with a longer expiry', 'ada', expiring.replace('18', '19'), before, 'invalid'],
  ['without its expiry', 'ada', expiring.replace('1800000000', ''), before, 'invalid'],
  ['of another version', 'ada', forever.replace('v1', 'v2'), after, 'invalid'],
  ['cut off', 'ada', forever.slice(0, -1), after, 'invalid'],
  ['padded', 'ada', `${forever}=`, after, 'invalid'],
  ['no text', 'ada', { signature: forever }, after, 'invalid'],
  ['none', 'ada', undefined, after, 'unsigned'],
  ['null', 'ada', null, after, 'unsigned'],
  ['empty', 'ada', '', after, 'unsigned'],
])('a signature %s', (_name, ...row) => {
  const [targetingKey, signature, now, expected] = row
  expect(judgeSignature({ targetingKey, signature }, hasCode, now)).toBe(expected)
})

test('the point between expiry and targeting key cannot be moved', () => {
  const text = 'v1..7.ada'
  const code = createHmac('sha256', secret).update(text).digest('base64url')
  expect(judgeSignature({ targetingKey: '7.ada', signature: `v1..${code}` }, hasCode, before)).toBe('signed')
  // `v1.` + `.7` is no expiry, and `v1.7.ada` another text.
  expect(judgeSignature({ targetingKey: 'ada', signature: `v1.7.${code}` }, hasCode, before)).toBe('invalid')
})

test.each([
  ['no targeting key', {}, undefined],
  ['an empty one', { targetingKey: '' }, undefined],
  ['the id of the browser client', { targetingKey: '4294967295-0-17-123456789' }, undefined],
  ['another form of random ids', { targetingKey: '0b5f7f4e-6a53-4ff1-9a0f-2f0c2f3c8a11' }, true],
  ['a number', { targetingKey: 17 }, true],
])('%s', (_name, context, isUser) => {
  expect(claimIn(context) !== undefined).toBe(isUser ?? false)
})

test('a signature is taken out of a context; an attribute with its name stays', () => {
  expect(withoutSignature({ targetingKey: 'ada', signature: forever })).toEqual({ targetingKey: 'ada' })
  expect(withoutSignature({ signature: 'Ada L.' })).toEqual({ signature: 'Ada L.' })
})
