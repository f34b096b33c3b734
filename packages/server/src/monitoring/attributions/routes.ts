import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { ErasedPeople } from '../../intake/events/erased-people.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { noteInAudit } from '../../organisation/audit/note-refusal.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { openIssue } from '../issues/open-issue.ts'
import { listAffectedUsers, openAffected } from './affected-users.ts'
import { exportAffectedUsers } from './export-affected-users.ts'
import { listAttributions } from './list-attributions.ts'

type AttributionServices = Services & { stackMapper: StackMapper; erasedPeople: ErasedPeople }

export const attributionRoutes: Handlers<Calls['attributions'], AttributionServices> = {
  listAttributions: async (services, requested) =>
    listAttributions(services, await openQuestion(services, { ...requested, query: {} }), requested.query),
  listAffectedUsers: async (services, requested) => {
    const question = await openQuestion(services, { ...requested, query: {} })
    const issue = await openIssue(services, question.environmentId, requested.params.issue)
    const source = await openAffected(services, { question, issue }, requested.query)
    return listAffectedUsers(source, requested.query)
  },
  exportAffectedUsers: async (services, requested) => {
    const { project, params, query, origin } = requested
    const question = await openQuestion(services, { ...requested, query: {} })
    const issue = await openIssue(services, question.environmentId, params.issue)
    const source = await openAffected(services, { question, issue }, query)
    await noteInAudit(services.db, origin, [
      {
        action: 'issue.export-users',
        entity: { kind: 'issue', id: issue.id, name: issue.culprit },
        project: project.row,
        environment: { id: question.environmentId, key: params.env },
        after: { ...query, atLeast: source.attributions.map(({ atLeast }) => atLeast) },
      },
    ])
    return exportAffectedUsers(source, query)
  },
}
