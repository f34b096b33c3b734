import type { CommentSubject } from '@telltale/core/contract/comments'
import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'
import type { ProjectRow } from '../../access/find-project.ts'
import { getExperiment } from '../../guard/experiments/queries.ts'
import { getRollout } from '../../guard/rollouts/queries.ts'
import { getIssue } from '../../monitoring/issues/queries.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { getFlag } from '../../release/flags/queries.ts'

export interface GivenSubject {
  kind: CommentSubject
  subject: string
  env?: string
}

/** What a comment is on. */
export interface Subject {
  kind: CommentSubject
  id: string
  /** As in its URL. */
  key: string
  name: string
  environment: { id: string; key: string } | undefined
}

/**
 * Throws `not-found`, and `invalid-request` for an error issue or a session without an environment. Sessions are in
 * the telemetry store, which may be unavailable: any id of a session is accepted.
 */
export async function findSubject(
  db: Queryable,
  project: ProjectRow,
  { kind, subject, env }: GivenSubject,
): Promise<Subject> {
  if (kind === 'flag') {
    const { id, key } = await getFlag(db, project.id, subject)
    return { kind, id, key, name: key, environment: undefined }
  }
  if (!isId(subject)) throw problem('not-found', `There is no ${kind} "${subject}" here.`)
  if (kind === 'rollout') {
    const { row, flag, environment } = await getRollout(db, project.id, subject)
    return { kind, id: row.id, key: row.id, name: flag.key, environment }
  }
  if (kind === 'experiment') {
    const { row, environment } = await getExperiment(db, { projectId: project.id, id: subject })
    return { kind, id: row.id, key: row.id, name: row.name, environment }
  }
  if (env === undefined) {
    throw problem('invalid-request', { errors: [{ pointer: '/env', message: 'is missing' }] })
  }
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  if (kind === 'session') {
    return { kind, id: subject, key: subject, name: `session ${subject.slice(0, 8)}`, environment }
  }
  const issue = await getIssue(db, { environmentId: environment.id, id: subject })
  return { kind, id: issue.id, key: issue.id, name: nameOf(issue), environment }
}

const nameLength = 120

function nameOf({ type, message }: { type: string; message: string }): string {
  return [type, message.replace(/\s+/g, ' ')].filter(Boolean).join(': ').slice(0, nameLength)
}
