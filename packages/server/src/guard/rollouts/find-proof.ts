// The proof that a new rollout owes after a rollback of the same flag in the same environment.

import { problem } from '@telltale/core/errors'
import { freezeHarms, type RolloutProof } from '@telltale/core/guard/rollout-proof'
import { findIssuesOf } from '../../monitoring/issues/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import type { WatchedHarm } from '../evidence/count-harmed.ts'
import { findEvidence, getRollout, type RolloutRow } from './queries.ts'

interface Proving {
  projectId: string
  ref: ConfigRef
  treatment: string
  /** The rollout that was rolled back. */
  proves: string
}

/** Throws `invalid-rollout` unless something of that rollback can be proven to be gone. */
export async function findProof(
  db: Queryable,
  { projectId, ref, treatment, proves }: Proving,
): Promise<RolloutProof> {
  const refuse = (message: string) =>
    problem('invalid-rollout', { errors: [{ pointer: '/proves', message }] })
  const { row } = await getRollout(db, projectId, proves)
  if (row.flagId !== ref.flagId || row.environmentId !== ref.environmentId)
    throw refuse('It is a rollout of another flag or environment.')
  if (row.treatment !== treatment) throw refuse('It was a rollout of another variation.')
  if (row.state !== 'rolled-back') throw refuse('It was not rolled back.')
  const proof = await freezeProof(db, row)
  if (proof === undefined) throw refuse('Its rollback has no explanation yet. It takes about a minute.')
  if (proof.harms.length === 0)
    throw refuse('Its explanation has no error and no failed request with a harm above zero.')
  return proof
}

/** From the explanation of a rollback; undefined before there is one. */
export async function freezeProof(
  db: Queryable,
  { id, seen }: RolloutRow,
): Promise<RolloutProof | undefined> {
  const evidence = await findEvidence(db, id)
  if (evidence.length === 0) return undefined
  const units = seen?.units ?? { treatment: 0, control: 0 }
  return freezeHarms(
    id,
    evidence.map(({ found }) => found),
    units,
  )
}

/** With the groups that belong to each issue now. */
export async function findHarms(
  db: Queryable,
  { proof, environmentId }: Pick<RolloutRow, 'proof' | 'environmentId'>,
): Promise<WatchedHarm[]> {
  const harms = proof?.harms ?? []
  const groups = harms.flatMap(({ issue }) => (issue === null ? [] : [issue.group]))
  const issues = await findIssuesOf(db, environmentId, groups)
  return harms.map((harm) => {
    const group = harm.issue?.group
    if (group === undefined) return { ...harm, groups: [] }
    return { ...harm, groups: issues.find((issue) => issue.groups.includes(group))?.groups ?? [group] }
  })
}
