// Recovery codes: each signs in once instead of a lost second factor.

import { randomInt } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { recoveryCodes } from '../../platform/engines/postgres/second-factor-schema.ts'
import { hashSecret } from '../../platform/http/secret.ts'

/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** 79 bits: random and long enough for a plain hash. */
function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Replaces all codes of the user. */
export async function issueRecoveryCodes(db: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  await removeRecoveryCodes(db, userId)
  await db.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: hashSecret(code) })))
  return codes
}

/** Whether the code existed. It does not any more. */
export async function useRecoveryCode(db: Queryable, userId: string, given: string): Promise<boolean> {
  const hash = hashSecret(given.trim().toLowerCase())
  const deleted = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)))
    .returning()
  return deleted.length > 0
}

export function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
}

export async function removeRecoveryCodes(db: Queryable, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}
