import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { createTeam } from './create-team.ts'
import { deleteTeam } from './delete-team.ts'
import {
  findAvailableTeams,
  findRolesOfTeam,
  findTeamMembers,
  findTeams,
  findTeamsOfProject,
  getTeam,
} from './queries.ts'
import { addTeamMember, removeTeamMember } from './set-team-members.ts'
import { removeTeamRole, setTeamRole } from './set-team-role.ts'
import { toProjectTeam, toTeam, toTeamMember, whatChanges } from './team.ts'
import { updateTeam } from './update-team.ts'

export const teamRoutes: Handlers<Calls['teams'], Services> = {
  listTeams: ({ db }, { query }) =>
    readPage(query, {
      find: (after, count) => findTeams(db, { search: query.search, after, count }),
      keyOf: ({ team }) => team.key,
      toItem: toTeam,
    }),
  createTeam: ({ db }, { origin, body }) => createTeam(db, origin, body),
  getTeam: async ({ db }, { params }) => {
    const found = await getTeam(db, params.team)
    const roles = await findRolesOfTeam(db, found.team.id)
    return {
      ...toTeam(found),
      changedBy: await whatChanges(db, found.team),
      roles: roles.map(({ given: { role, managed }, project: { key, name } }) => ({
        ...{ project: { key, name }, role, managed },
      })),
    }
  },
  updateTeam: ({ db }, { origin, params, body }) => updateTeam(db, origin, { key: params.team, ...body }),
  deleteTeam: ({ db }, { origin, params }) => deleteTeam(db, origin, { key: params.team }),
  listTeamMembers: async ({ db }, { params, query }) => {
    const { team } = await getTeam(db, params.team)
    return readPage(query, {
      find: (after, count) => findTeamMembers(db, team.id, { search: query.search, after, count }),
      keyOf: ({ user }) => user.email.toLowerCase(),
      toItem: toTeamMember,
    })
  },
  addTeamMember: ({ db }, { origin, params }) =>
    addTeamMember(db, origin, { key: params.team, userId: params.user }),
  removeTeamMember: ({ db }, { origin, params }) =>
    removeTeamMember(db, origin, { key: params.team, userId: params.user }),
  listProjectTeams: async ({ db }, { project }) => ({
    items: (await findTeamsOfProject(db, project.row.id)).map(toProjectTeam),
  }),
  listAvailableTeams: ({ db }, { project, query }) =>
    readPage(query, {
      find: (after, count) => findAvailableTeams(db, project.row.id, { search: query.search, after, count }),
      keyOf: ({ team }) => team.key,
      toItem: ({ team: { key, name }, members }) => ({ key, name, members }),
    }),
  setTeamRole: ({ db }, { origin, project, params, body }) =>
    setTeamRole(db, origin, {
      project: project.row,
      key: params.team,
      ...body,
      author: project.grant,
    }),
  removeTeamRole: ({ db }, { origin, project, params }) =>
    removeTeamRole(db, origin, { project: project.row, key: params.team }),
}
