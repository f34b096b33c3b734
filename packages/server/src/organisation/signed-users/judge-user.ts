import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Claim, judgeSignature, type SignatureVerdict } from '@telltale/core/signed-user'

/** Whether one of the secrets signed this user. Every secret is tried, so that the time says nothing about them. */
export function judgeUser(claim: Claim, secrets: readonly string[], now: number): SignatureVerdict {
  return judgeSignature(
    claim,
    (text, code) => {
      const given = Buffer.from(code)
      return secrets.reduce((isFound, secret) => isSameCode(given, codeOf(secret, text)) || isFound, false)
    },
    now,
  )
}

const codeOf = (secret: string, text: string) =>
  Buffer.from(createHmac('sha256', secret).update(text).digest('base64url'))

const isSameCode = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
