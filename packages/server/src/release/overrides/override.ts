import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { FlagRow } from '../flags/queries.ts'
import type { OverrideRow } from './queries.ts'

/** An override as the API returns it. */
export function toOverride({ targetingKey, variation, createdAt }: OverrideRow) {
  return { targetingKey, variation, createdAt: createdAt.toISOString() }
}

function part(row: OverrideRow | undefined): { part?: string } {
  return row === undefined ? {} : { part: row.targetingKey }
}

/** Announced with the id of its flag, because an override has no id. */
export function overrideChange(
  action: 'override.put' | 'override.delete',
  place: { project: { id: string; key: string }; environment: EnvironmentRow; flag: FlagRow },
  { before, after }: { before?: OverrideRow | undefined; after?: OverrideRow },
): EntityChange {
  const { project, environment, flag } = place
  const audited = ({ targetingKey, variation }: OverrideRow) => ({ targetingKey, variation })
  return {
    action,
    entity: { kind: 'override', id: flag.id, name: flag.key },
    ...part(after ?? before),
    project,
    environment,
    ...(before === undefined ? {} : { before: audited(before) }),
    ...(after === undefined ? {} : { after: audited(after) }),
  }
}
