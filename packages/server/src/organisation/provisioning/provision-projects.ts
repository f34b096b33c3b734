import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { findProject, lockProject, type ProjectRow } from '../../access/find-project.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import { addProject, insertProject } from '../projects/create-project.ts'
import { auditedProject } from '../projects/project.ts'
import type { Declarations, ProjectDeclaration } from './declarations.ts'
import { provisionEnvironment } from './provision-environment.ts'
import { provisionMember } from './provision-member.ts'
import { provisionTeamRole } from './provision-teams.ts'
import { attempt, type Provisioning } from './provisioning.ts'

export async function provisionProjects(
  run: Provisioning,
  { projects: declared, addresses }: Pick<Declarations, 'projects' | 'addresses'>,
): Promise<void> {
  for (const project of declared) await provisionProject(run, project, addresses)
}

/** The contents of a deleted project stay deleted; a new project gets everything that is declared. */
async function provisionProject(
  run: Provisioning,
  declared: ProjectDeclaration,
  addresses: ReadonlySet<string>,
): Promise<void> {
  const { key, manage, environments = [], members, teams } = declared
  const found = await findProject(run.db, key)
  const isDue = run.memory.isDue(`project ${key}`, { exists: found !== undefined, manage })
  const row = isDue ? await create(run, declared) : found
  if (!row) return

  if (manage) run.managed.add(row.id)
  if (manage && found) await enforce(run, found.id, declared)
  const place = { project: row, isNew: isDue }
  for (const environment of environments) await provisionEnvironment(run, place, environment)
  for (const member of members) await provisionMember(run, { ...place, addresses }, member)
  for (const team of teams) await provisionTeamRole(run, place, team)
}

async function create(
  run: Provisioning,
  { pointer, key, name = key, traceLink, manage, environments }: ProjectDeclaration,
): Promise<ProjectRow | undefined> {
  const insert = environments === undefined ? addProject : insertProject
  const made = await attempt(run, pointer, () => insert(run, { key, name, traceLink, managed: manage }))
  return made?.row
}

async function enforce(run: Provisioning, id: string, declared: ProjectDeclaration): Promise<void> {
  const before = await lockProject(run.db, id)
  if (!before) return
  const { name = before.name, traceLink = before.traceLink } = declared
  await storeProject(run, before, { ...before, name, traceLink, managed: true })
}

/** Writes a project changed by the file, if there is a difference. */
export async function storeProject(
  { db, changes }: Provisioning,
  before: ProjectRow,
  after: ProjectRow,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return

  const { name, traceLink, managed } = after
  await db
    .update(projects)
    .set({ name, traceLink, managed, version: before.version + 1 })
    .where(eq(projects.id, before.id))
  changes.push({
    action: 'project.update',
    entity: { kind: 'project', id: before.id, name: before.key },
    project: before,
    before: { ...auditedProject(before), managed: before.managed },
    after: { ...auditedProject(after), managed },
  })
}
