// Signs requests as specified by Standard Webhooks: with the secret, a receiver can verify origin, time and
// integrity.

import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
/** A multiple of three, so that the hint, the end of the secret, contains no base64 padding. */
const secretBytes = 33

export const newWebhookSecret = () => prefix + randomBytes(secretBytes).toString('base64')

interface Signed {
  id: string
  at: Date
  body: string
}

export function sign(secret: string, { id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
