import type { SdkKey } from '../../api/keys.ts'

type KeyState = 'active' | 'ending' | 'revoked'

/** A key rotated with an overlap works until its expiry. */
export function keyStateOf({ revokedAt }: Pick<SdkKey, 'revokedAt'>, now: number): KeyState {
  if (revokedAt === null) return 'active'
  return Date.parse(revokedAt) > now ? 'ending' : 'revoked'
}
