// The plan of an application: what it would change, and under which rules. The application makes it again, so that a
// plan which is no longer true is refused.

import { createHash } from 'node:crypto'
import { isOffSwitch } from '@telltale/core/changes/patch-config'
import { isSame } from '@telltale/core/changes/same'
import type { CodeDocument } from '@telltale/core/contract/code-document'
import type { CodeChange, CodeSource } from '@telltale/core/contract/flags-as-code'
import { type Fault, problem } from '@telltale/core/errors'
import { checkCode, pointerTo } from '@telltale/core/flags-as-code/check-code'
import { compareCode, type PlannedChange } from '@telltale/core/flags-as-code/compare-code'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { checkValues } from '../flags/check-flag.ts'
import { mayChangeProtected } from '../flags/config-ref.ts'
import { findApplied } from './applied-entries.ts'
import type { EntryKinds } from './entry-kinds.ts'
import { findOwnerIds, type OwnerIds } from './owner-ids.ts'
import { type ProjectState, readState } from './read-state.ts'
import { faultsAt, readTarget, type Target } from './read-target.ts'
import { findWaiting, proposalOf, type Waiting } from './waiting-requests.ts'

export interface Planning {
  kinds: EntryKinds
  project: { id: string; key: string }
  grant: Grant
  document: CodeDocument
  source: CodeSource | undefined
  prune: boolean
}

export interface PlannedConfig extends PlannedChange {
  approval: boolean
  waiting: { id: string } | null
}

export interface CodePlan {
  id: string
  state: ProjectState
  target: Target
  changes: PlannedConfig[]
  ownerIds: OwnerIds
}

/** Throws `invalid-request` with the faults of all entries. */
export async function makePlan(db: Queryable, planning: Planning): Promise<CodePlan> {
  const { kinds, project, document, source, prune } = planning
  const { target, faults } = readTarget(document, kinds)
  const state = await readState(db, project.id, kinds)
  const applied = source === undefined ? [] : await findApplied(db, project.id, source)
  const compared = compareCode({ state, target, applied, prune })
  const ownerIds = await findOwnerIds(db, [...target.flags.values()])
  const environments = state.environments.map(({ key }) => key)
  const found = [
    ...faults,
    ...checkFlags(compared, target, ownerIds),
    ...checkCode({ state, target, changes: compared, environments }),
    ...checkCounts(state, compared),
    ...(await checkEntries(db, planning, { compared, target })),
  ]
  if (found.length > 0) throw problem('invalid-request', { errors: found.slice(0, limits.faultsListed) })

  const waiting = await findWaiting(db, project.id)
  const changes = compared.map((change) => withApproval(change, { grant: planning.grant, state, waiting }))
  return { id: idOf(changes), state, target, changes, ownerIds }
}

export function toChange({
  kind,
  key,
  env,
  action,
  lines,
  approval,
  waiting,
  draft,
}: PlannedConfig): CodeChange {
  return { kind, key, env, action, lines, approval, waiting, ...(draft !== undefined && { draft }) }
}

function checkFlags(changes: readonly PlannedChange[], target: Target, ownerIds: OwnerIds): Fault[] {
  return changes.flatMap(({ kind, key, env }) => {
    const flag = kind === 'flags' && env === null ? target.flags.get(key) : undefined
    if (flag === undefined) return []
    const place = pointerTo('flags', key)
    const unknown = flag.owners.filter((email) => !ownerIds.accounts.has(email.toLowerCase()))
    const unknownTeams = flag.ownerTeams.filter((team) => !ownerIds.teams.has(team))
    return [
      ...(flag.variations.length === 0 ? [{ pointer: `${place}/variations`, message: 'is missing' }] : []),
      ...checkValues(flag).map(({ pointer, message }) => ({ pointer: `${place}${pointer}`, message })),
      ...unknown.map((email) => ({
        pointer: `${place}/owners`,
        message: `${email} is not a user of this installation`,
      })),
      ...unknownTeams.map((team) => ({
        pointer: `${place}/ownerTeams`,
        message: `${team} is not a team of this installation`,
      })),
    ]
  })
}

function checkCounts(state: ProjectState, changes: readonly PlannedChange[]): Fault[] {
  const created = (kind: PlannedChange['kind']) =>
    changes.filter((one) => one.kind === kind && one.action === 'create').length
  return [
    ...(state.flags.size + created('flags') > limits.flagsPerProject
      ? [{ pointer: '/flags', message: `A project has at most ${limits.flagsPerProject} flags.` }]
      : []),
    ...(state.segments.size + created('segments') > limits.segmentsPerProject
      ? [{ pointer: '/segments', message: `A project has at most ${limits.segmentsPerProject} segments.` }]
      : []),
  ]
}

async function checkEntries(
  db: Queryable,
  { kinds, project }: Planning,
  { compared, target }: { compared: readonly PlannedChange[]; target: Target },
): Promise<Fault[]> {
  const faults: Fault[] = []
  const made = { metrics: target.metrics, alerts: target.alerts }
  for (const { kind, key, action } of compared) {
    if (action === 'remove' || action === 'forget') continue
    const check = () => {
      const [metric, template, alert, dashboard] = [
        kind === 'metrics' ? target.metrics.get(key) : undefined,
        kind === 'rolloutTemplates' ? target.rolloutTemplates.get(key) : undefined,
        kind === 'alerts' ? target.alerts.get(key) : undefined,
        kind === 'dashboards' ? target.dashboards.get(key) : undefined,
      ]
      const place = { project, key, made }
      if (metric !== undefined) return kinds.metrics.check(db, { ...place, entry: metric })
      if (template !== undefined) return kinds.rolloutTemplates.check(db, { ...place, entry: template })
      if (alert !== undefined) return kinds.alerts.check(db, { ...place, entry: alert })
      if (dashboard !== undefined) return kinds.dashboards.check(db, { ...place, entry: dashboard })
      return Promise.resolve()
    }
    try {
      await check()
    } catch (error) {
      faults.push(...faultsAt(pointerTo(kind, key), error))
    }
  }
  return faults
}

interface Approval {
  grant: Grant
  state: ProjectState
  waiting: readonly Waiting[]
}

export function withApproval(change: PlannedChange, { grant, state, waiting }: Approval): PlannedConfig {
  const { key, env, draft } = change
  const environment = state.environments.find((one) => one.key === env)
  if (draft === undefined || environment?.approvalRequired !== true)
    return { ...change, approval: false, waiting: null }
  const before = state.flags.get(key)?.environments[environment.key]
  const isFree = before !== undefined && mayChangeProtected(environment, grant) && isOffSwitch(before, draft)
  if (isFree) return { ...change, approval: false, waiting: null }
  const same = waiting.find(
    (one) => one.flag === key && one.env === env && isSame(proposalOf(one.proposed), proposalOf(draft)),
  )
  return { ...change, approval: true, waiting: same === undefined ? null : { id: same.id } }
}

function idOf(changes: readonly PlannedConfig[]): string {
  const hash = createHash('sha256')
  for (const { kind, key, env, action, before, after, approval, waiting } of changes) {
    hash.update(JSON.stringify([kind, key, env, action, before, after, approval, waiting]))
  }
  return hash.digest('base64url')
}
