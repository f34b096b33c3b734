// Signs what is sent, as Standard Webhooks has it: whoever has the secret can tell that it came from here, when, and whole.

import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
/** No padding at the end, of which the hint would consist. */
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
