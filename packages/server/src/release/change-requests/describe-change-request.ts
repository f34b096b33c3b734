import { mergeConfigs } from '@telltale/core/changes/merge-config'
import type { DescribedChangeRequest } from '@telltale/core/contract/change-requests'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { diff } from '../../platform/engines/postgres/diff.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { draftOf } from '../flags/config-draft.ts'
import { getConfig, getVersion } from '../flags/queries.ts'
import { toChangeRequest } from './change-request.ts'
import { type ChangeRequestRow, findDecisions, type PlacedRequest } from './queries.ts'

/** A change request with all data for a decision. */
export async function describeChangeRequest(
  db: Queryable,
  placed: PlacedRequest,
): Promise<DescribedChangeRequest> {
  const { request } = placed
  const { base, current } = await readGround(db, request)
  const decisions = await findDecisions(db, request.id)
  const merged = mergeConfigs(base, { mine: request.proposed, theirs: current.config })
  return {
    ...toChangeRequest(placed),
    proposed: request.proposed,
    base,
    current,
    diff: diff(base, request.proposed),
    overlaps: request.state === 'conflicted' && 'overlaps' in merged ? merged.overlaps : [],
    owners: placed.owners,
    ownerTeams: placed.ownerTeams,
    needed: { approvals: placed.needed, owner: placed.byOwner },
    decisions: decisions.map(({ at, action, actor, comment, version }) => ({
      at: at.toISOString(),
      action,
      actor,
      comment,
      version,
    })),
  }
}

/** The base configuration of the request, and the saved one. */
export async function readGround(
  db: Queryable,
  { flagId, environmentId, baseVersion }: ChangeRequestRow,
): Promise<{ base: FlagConfigDraft; current: { version: number; config: FlagConfigDraft } }> {
  const ref = { flagId, environmentId }
  const base = await getVersion(db, ref, baseVersion)
  const current = await getConfig(db, ref)
  return {
    base: draftOf(base.config),
    current: { version: current.version, config: draftOf(current) },
  }
}
