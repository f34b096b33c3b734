import type { ApprovalRule, OwningTeams } from '@telltale/core/changes/approvals'
import { problem } from '@telltale/core/errors'
import { and, asc, count, desc, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { changeRequestDecisions, changeRequests } from '../../platform/engines/postgres/change-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags, projects } from '../../platform/engines/postgres/schema.ts'
import { teamMembers } from '../../platform/engines/postgres/team-schema.ts'

export type ChangeRequestRow = typeof changeRequests.$inferSelect
export type DecisionRow = typeof changeRequestDecisions.$inferSelect

/** A change request with the keys of its environment and flag, and what approving it takes. */
export interface PlacedRequest extends ApprovalRule {
  request: ChangeRequestRow
  env: string
  flag: string
  /** The accounts that own the flag. */
  owners: string[]
  ownerTeams: string[]
  teams: OwningTeams
}

const inOwningTeam = sql`
  FROM team_members JOIN users ON users.id = team_members.user_id AND users.disabled_at IS NULL
  WHERE team_members.team_id = ANY (${flags.ownerTeams})`

/** One lookup for each approval: without its LIMIT, the plan reads all members of the teams, who may be thousands. */
const teamApprovers = sql<string[]>`ARRAY(
  SELECT member.id FROM jsonb_array_elements(${changeRequests.approvals}) AS one
  CROSS JOIN LATERAL (
    SELECT users.id ${inOwningTeam} AND team_members.user_id = (one ->> 'id')::uuid LIMIT 1
  ) AS member
)`

const hasOtherOwner = sql<boolean>`EXISTS (
  SELECT 1 ${inOwningTeam} AND users.id IS DISTINCT FROM ${changeRequests.authorId}
)`

const placed = (db: Queryable) =>
  db
    .select({
      request: changeRequests,
      env: environments.key,
      flag: flags.key,
      owners: flags.owners,
      ownerTeams: flags.ownerTeams,
      teams: { approvers: teamApprovers, hasOther: hasOtherOwner },
      needed: environments.approvals,
      byOwner: environments.ownerApproval,
    })
    .from(changeRequests)
    .innerJoin(environments, eq(environments.id, changeRequests.environmentId))
    .innerJoin(flags, eq(flags.id, changeRequests.flagId))

/** Whether an account is in one of these teams. */
export async function isInTeams(db: Queryable, userId: string, teamIds: readonly string[]): Promise<boolean> {
  if (teamIds.length === 0) return false
  const isMember = and(eq(teamMembers.userId, userId), inArray(teamMembers.teamId, [...teamIds]))
  return (await db.$count(teamMembers, isMember)) > 0
}

/** Throws `not-found`. */
export async function getChangeRequest(db: Queryable, projectId: string, id: string): Promise<PlacedRequest> {
  const [found] = await placed(db).where(
    and(eq(changeRequests.projectId, projectId), eq(changeRequests.id, id)),
  )
  if (!found) throw problem('not-found', 'There is no such change request.')
  return found
}

/** Locks the change request and all flags of its project against changes. Throws `not-found`. */
export async function lockChangeRequest(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<PlacedRequest> {
  await lockProject(db, projectId)
  return getChangeRequest(db, projectId, id)
}

export interface ChangeRequestFilter {
  state?: ChangeRequestRow['state']
  env?: string
  flag?: string
  author?: string
}

/** Newest first. */
export async function findChangeRequests(
  db: Queryable,
  { projectId, filter }: { projectId: string; filter: ChangeRequestFilter },
  { before, count }: { before: string | undefined; count: number },
): Promise<PlacedRequest[]> {
  const { state, env, flag, author } = filter
  return placed(db)
    .where(
      and(
        eq(changeRequests.projectId, projectId),
        before === undefined ? undefined : lt(changeRequests.id, before),
        state === undefined ? undefined : eq(changeRequests.state, state),
        env === undefined ? undefined : eq(environments.key, env),
        flag === undefined ? undefined : eq(flags.key, flag),
        author === undefined ? undefined : eq(changeRequests.authorId, author),
      ),
    )
    .orderBy(desc(changeRequests.id))
    .limit(count)
}

interface ConfigRef {
  flagId: string
  environmentId: string
}

export async function findInStates(
  db: Queryable,
  { flagId, environmentId }: ConfigRef,
  states: ChangeRequestRow['state'][],
): Promise<PlacedRequest[]> {
  return placed(db)
    .where(
      and(
        eq(changeRequests.flagId, flagId),
        eq(changeRequests.environmentId, environmentId),
        inArray(changeRequests.state, states),
      ),
    )
    .orderBy(asc(changeRequests.id))
}

/** Oldest first. */
export async function findDecisions(db: Queryable, id: string): Promise<DecisionRow[]> {
  return db
    .select()
    .from(changeRequestDecisions)
    .where(eq(changeRequestDecisions.changeRequestId, id))
    .orderBy(asc(changeRequestDecisions.id))
}

export async function countDecisions(db: Queryable, id: string): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(changeRequestDecisions)
    .where(eq(changeRequestDecisions.changeRequestId, id))
  return found?.count ?? 0
}

/** The approved request with the earliest time before an instant. */
export async function findDueRequest(db: Queryable, now: Date) {
  const [found] = await db
    .select({
      id: changeRequests.id,
      version: changeRequests.version,
      at: changeRequests.scheduledFor,
      project: projects,
    })
    .from(changeRequests)
    .innerJoin(projects, eq(projects.id, changeRequests.projectId))
    .where(
      and(
        eq(changeRequests.state, 'approved'),
        isNotNull(changeRequests.scheduledFor),
        lte(changeRequests.scheduledFor, now),
      ),
    )
    .orderBy(asc(changeRequests.scheduledFor), asc(changeRequests.id))
    .limit(1)
  return found?.at ? { ...found, at: found.at } : undefined
}
