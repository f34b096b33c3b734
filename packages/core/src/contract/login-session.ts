// A session of a member in the console, as listed for them and for owners.

import { Type } from 'typebox'
import { Id, Instant } from './parameters.ts'

export const LoginSession = Type.Object({
  id: Id,
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
  userAgent: Type.String(),
  device: Type.String({ description: 'Browser and system: `Firefox on Linux`.' }),
  address: Type.String({ description: 'The address of the last use; empty before the first.' }),
  current: Type.Boolean(),
})
