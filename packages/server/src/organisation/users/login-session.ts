import { deviceText } from '@telltale/core/browser-text'
import type { LoginSession } from '@telltale/core/contract/login-session'
import type { Static } from 'typebox'
import type { SessionRow } from '../../access/sessions.ts'

export function toLoginSession(session: SessionRow, currentId?: string): Static<typeof LoginSession> {
  return {
    id: session.id,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    userAgent: session.userAgent,
    device: deviceText(session.userAgent),
    address: session.address,
    current: session.id === currentId,
  }
}
