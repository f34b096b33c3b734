import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { applyCode } from './apply-code.ts'
import type { EntryKinds } from './entry-kinds.ts'
import { exportCode } from './export-code.ts'
import { makePlan, toChange } from './plan-code.ts'
import { readCodeOrigin, readCodeState } from './read-code-state.ts'

export const flagsAsCodeRoutes: Handlers<
  Calls['flags-as-code'],
  Services & { policy: ReleasePolicy; entryKinds: EntryKinds }
> = {
  exportCode: ({ db, entryKinds }, { project }) => exportCode(db, project.row.id, entryKinds),
  planCode: async ({ db, entryKinds }, { project, body }) => {
    const { document, source, prune = false } = body
    const planning = {
      kinds: entryKinds,
      project: project.row,
      grant: project.grant,
      document,
      source,
      prune,
    }
    const { id, changes } = await makePlan(db, planning)
    return { plan: id, changes: changes.map(toChange) }
  },
  applyCode: ({ db, policy, entryKinds }, { project, caller, origin, body }) =>
    applyCode(db, origin, {
      kinds: entryKinds,
      policy,
      project: project.row,
      grant: project.grant,
      author: { id: caller.user.id, name: caller.user.name },
      document: body.document,
      source: body.source,
      prune: body.prune ?? false,
      plan: body.plan,
      files: body.files ?? {},
      reason: body.reason,
      endsEvidenceOf: body.endsEvidenceOf,
    }),
  getCodeState: ({ db, entryKinds }, { project }) => readCodeState(db, project.row.id, entryKinds),
  getCodeOrigin: ({ db, entryKinds: kinds }, { project, query }) =>
    readCodeOrigin(db, project.row.id, { kinds, ...query }),
}
