// Repeated requests get the first response. Responses may contain secrets that are shown once, so they are encrypted
// with a key that only the client has: the idempotency key, of which we store a hash.

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eq, lt, sql } from 'drizzle-orm'
import { idempotentReplies } from './idempotency-schema.ts'
import type { Transaction } from './open.ts'

export interface IdempotentRequest {
  /** As sent by the client. */
  key: string
  /** The sender and the call: the same key of another sender is a different one. */
  scope: string
  /** The request, to detect a key that is reused for another one. */
  request: unknown
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export async function repeatedReply<Reply>(
  db: Transaction,
  request: IdempotentRequest,
  now: Date,
): Promise<{ reply: Reply } | undefined> {
  const hash = keyHash(request)
  // For two concurrent requests, the second waits here for the response of the first.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${hash}, 0))`)
  await db
    .delete(idempotentReplies)
    .where(lt(idempotentReplies.createdAt, new Date(now.getTime() - limits.idempotencyWindow)))

  const [kept] = await db.select().from(idempotentReplies).where(eq(idempotentReplies.keyHash, hash))
  if (!kept) return undefined
  if (kept.requestHash !== requestHash(request)) throw problem('idempotency-key-reused')

  return { reply: unseal(request, kept.sealedReply) as Reply }
}

export async function rememberReply(
  db: Transaction,
  request: IdempotentRequest,
  { reply, now }: { reply: unknown; now: Date },
): Promise<void> {
  await db.insert(idempotentReplies).values({
    keyHash: keyHash(request),
    requestHash: requestHash(request),
    sealedReply: seal(request, reply),
    createdAt: now,
  })
}

function keyHash({ key, scope }: IdempotentRequest): string {
  return createHash('sha256').update(scope).update('\0').update(key).digest('base64url')
}

function requestHash({ request }: IdempotentRequest): string {
  return createHash('sha256')
    .update(JSON.stringify(request) ?? '')
    .digest('base64url')
}

function sealingKey({ key, scope }: IdempotentRequest): Buffer {
  return Buffer.from(hkdfSync('sha256', key, scope, 'telltale idempotent reply', 32))
}

function seal(request: IdempotentRequest, reply: unknown): Uint8Array {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, sealingKey(request), nonce)
  const text = Buffer.concat([sealing.update(JSON.stringify(reply), 'utf8'), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), text])
}

function unseal(request: IdempotentRequest, sealed: Uint8Array): unknown {
  const bytes = Buffer.from(sealed)
  const opening = createDecipheriv(cipher, sealingKey(request), bytes.subarray(0, nonceBytes))
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()])
  return JSON.parse(text.toString('utf8'))
}
