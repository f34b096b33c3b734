import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { describeImport, importFlags } from './import-flags.ts'
import { readDocument } from './read-document.ts'

export const flagImportRoutes: Handlers<Calls['flag-imports'], Services & { policy: ReleasePolicy }> = {
  importFlags: async ({ db, policy }, { project, params, origin, caller, body }) => {
    const { source, document, from, dryRun = false } = body
    const definitions = readDocument(source, { document, from })
    const place = { project: project.row, env: params.env, definitions }
    if (dryRun) return describeImport(db, { ...place, dryRun })
    return importFlags(db, origin, { ...place, policy, grant: project.grant, author: caller.user, source })
  },
}
