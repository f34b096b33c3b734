import type { SignedUsers, SigningSecret } from '@telltale/core/contract/signed-users'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { EnvironmentRow } from '../environments/queries.ts'
import { type CountRow, findCounts, findSigningSecrets, type SigningSecretRow } from './queries.ts'

/** The settings, secrets and counts of an environment, as the API returns them. */
export async function readSignedUsers(
  db: Queryable,
  environment: Pick<EnvironmentRow, 'id' | 'signedUsers'>,
): Promise<Static<typeof SignedUsers>> {
  const secrets = await findSigningSecrets(db, environment.id)
  const counts = await findCounts(db, environment.id)
  const days = [...new Set(counts.map(({ day }) => day))].slice(0, limits.signedUserDays)
  return {
    mode: environment.signedUsers,
    secrets: secrets.map(toSigningSecret),
    days: days.map((day) => ({
      day,
      flags: countsOf(counts, { day, source: 'flags' }),
      telemetry: countsOf(counts, { day, source: 'telemetry' }),
    })),
    latest: latestOf(counts),
  }
}

const hintLength = 4

/** Never with its value. */
export function toSigningSecret({ id, secret, createdAt }: SigningSecretRow): Static<typeof SigningSecret> {
  return { id, hint: secret.slice(-hintLength), createdAt: createdAt.toISOString() }
}

/** The name of a secret in the audit log. */
export function nameOfSecret({ secret }: Pick<SigningSecretRow, 'secret'>): string {
  return `…${secret.slice(-hintLength)}`
}

function countsOf(rows: readonly CountRow[], { day, source }: Pick<CountRow, 'day' | 'source'>) {
  const row = rows.find((one) => one.day === day && one.source === source)
  const { signed = 0, unsigned = 0, invalid = 0, expired = 0 } = row ?? {}
  return { signed, unsigned, invalid, expired }
}

function latestOf(rows: readonly CountRow[]): Static<typeof SignedUsers>['latest'] {
  let latest: { at: Date; source: CountRow['source']; verdict: 'unsigned' | 'invalid' | 'expired' } | null =
    null
  for (const { refusableAt: at, refusableVerdict: verdict, source } of rows) {
    if (at !== null && verdict !== null && (latest === null || at > latest.at))
      latest = { at, source, verdict }
  }
  return latest === null ? null : { ...latest, at: latest.at.toISOString() }
}
