import type { Calls } from '@telltale/core/contract/calls'
import { getEnvironment } from '../environments/queries.ts'
import type { Handlers } from '../http/route.ts'
import { changeIssue } from './change-issue.ts'
import { listIssueEvents } from './list-issue-events.ts'
import { listIssues } from './list-issues.ts'
import { getIssue } from './queries.ts'
import { findVersions } from './seen-errors.ts'
import { showIssue } from './show-issue.ts'

export const issueRoutes: Handlers<Calls['issues']> = {
  listIssues: async (services, { project, params, query }) => {
    const { id } = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    return listIssues(services, id, query)
  },
  getIssue: async (services, { project, params, query }) => {
    const { id } = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    return showIssue(services, { environmentId: id, id: params.issue }, query)
  },
  listIssueEvents: async (services, { project, params, query }) => {
    const { db, clock } = services
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const issue = await getIssue(db, { environmentId: id, id: params.issue })
    return listIssueEvents(services, issue, { projectId: project.row.id, query, now: clock() })
  },
  changeIssue: async ({ db, telemetry }, { project, params, origin, body, ifMatch }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const versions = body.state === 'resolved' ? await findVersions(telemetry, environment.id) : []
    return changeIssue(db, origin, {
      project: project.row,
      environment,
      id: params.issue,
      draft: body,
      versions,
      ifMatch,
    })
  },
}
