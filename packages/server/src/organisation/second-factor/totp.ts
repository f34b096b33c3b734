// Codes of an authenticator app: TOTP (RFC 6238) with the parameters that every app supports.

import { Secret, TOTP } from 'otpauth'

const period = 30
/** Steps before and after the current one, for clocks that differ and codes typed late. */
const tolerance = 1

const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Telltale',
    label,
    secret: Secret.fromBase32(secret),
    period,
    digits: 6,
    algorithm: 'SHA1',
  })

/** In Base32. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32

/** The content of the QR code. */
export const totpUrl = (secret: string, email: string) => totpOf(secret, email).toString()

/** The time step of a valid code that is later than `lastStep`, so that no code works twice; otherwise undefined. */
export function stepOfCode(
  secret: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number | null },
): number | undefined {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: tolerance })
  if (delta === null) return undefined
  const step = Math.floor(timestamp / 1_000 / period) + delta
  return lastStep !== null && step <= lastStep ? undefined : step
}
