import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { changeIssue, changeIssues } from './change-issue.ts'
import { findVersions } from './find-versions.ts'
import { getIssueEvent } from './get-issue-event.ts'
import { listIssueEvents } from './list-issue-events.ts'
import { listIssues } from './list-issues.ts'
import { findMerged, mergeIssues, splitIssue } from './merge-by-hand.ts'
import { openIssue } from './open-issue.ts'
import { showIssue } from './show-issue.ts'

export const issueRoutes: Handlers<Calls['issues'], Services & { stackMapper: StackMapper }> = {
  listIssues: async (services, requested) =>
    listIssues(services, await openQuestion(services, requested), requested.query),
  getIssue: async (services, requested) => {
    const { query, params } = requested
    const question = await openQuestion(services, requested)
    const issue = await openIssue(services, question.environmentId, params.issue)
    const merged = await findMerged(services.db, issue.id)
    return showIssue({ db: services.db, question }, issue, { query, merged, now: services.clock() })
  },
  listIssueEvents: async (services, requested) => {
    const { project, query, params } = requested
    const question = await openQuestion(services, requested)
    const issue = await openIssue(services, question.environmentId, params.issue)
    return listIssueEvents(services, question, { issue, projectId: project.row.id, query })
  },
  getIssueEvent: async (services, requested) => {
    const { project, params } = requested
    const question = await openQuestion(services, requested)
    const issue = await openIssue(services, question.environmentId, params.issue)
    return getIssueEvent(services, question, { issue, projectId: project.row.id, event: params.event })
  },
  changeIssue: async (services, { project, params, origin, body, ifMatch }) => {
    const { db, telemetry } = services
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const { id } = await openIssue(services, environment.id, params.issue)
    const versions = body.state === 'resolved' ? await findVersions(telemetry, environment.id) : []
    const place = { project: project.row, environment, versions }
    return changeIssue(db, origin, { ...place, id, draft: body, ifMatch })
  },
  changeIssues: async ({ db, telemetry }, { project, params, origin, body }) => {
    const { issues: ids, ...draft } = body
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const versions = draft.state === 'resolved' ? await findVersions(telemetry, environment.id) : []
    return changeIssues(db, origin, { project: project.row, environment, versions, ids, draft })
  },
  mergeIssues: async (services, { project, params, origin, body }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    const { id: into } = await openIssue(services, environment.id, params.issue)
    return mergeIssues(services.db, origin, { project: project.row, environment, into, ids: body.issues })
  },
  splitIssue: async (services, { project, params, origin, body }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    const { id } = await openIssue(services, environment.id, params.issue)
    return splitIssue(services.db, origin, { project: project.row, environment, id, merged: body.merged })
  },
}
