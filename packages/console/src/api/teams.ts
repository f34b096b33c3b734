import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/teams'
import { request } from './client.ts'

export type Team = ReplyOf<typeof contract.createTeam>
export type WholeTeam = ReplyOf<typeof contract.getTeam>
export type TeamMember = ReplyOf<typeof contract.listTeamMembers>['items'][number]
export type ProjectTeam = ReplyOf<typeof contract.setTeamRole>
type NewTeam = BodyOf<typeof contract.createTeam>
type TeamChange = BodyOf<typeof contract.updateTeam>

const { teams } = calls

/** The start of every query about teams of the installation. */
export const teamsKey = ['teams']

/** The teams of the installation, by key. */
export const teamsQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...teamsKey, 'list', { search }],
    queryFn: ({ pageParam, signal }) =>
      request(teams.listTeams, { query: { search, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export const teamQuery = (team: string) =>
  queryOptions({
    queryKey: [...teamsKey, team],
    queryFn: ({ signal }) => request(teams.getTeam, { params: { team }, signal }),
  })

/** The members of a team, by e-mail. */
export const teamMembersQuery = (team: string, search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...teamsKey, team, 'members', { search }],
    queryFn: ({ pageParam, signal }) =>
      request(teams.listTeamMembers, { params: { team }, query: { search, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export const createTeam = ({ draft, idempotencyKey }: { draft: NewTeam; idempotencyKey: string }) =>
  request(teams.createTeam, { body: draft, idempotencyKey })

export const updateTeam = ({ team, change }: { team: string; change: TeamChange }) =>
  request(teams.updateTeam, { params: { team }, body: change })

export const deleteTeam = (team: string) => request(teams.deleteTeam, { params: { team } })

type MemberRef = { team: string; user: string }

export const addTeamMember = (params: MemberRef) => request(teams.addTeamMember, { params })
export const removeTeamMember = (params: MemberRef) => request(teams.removeTeamMember, { params })

/** The teams with a role in a project, by key. */
export const projectTeamsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'teams'],
    queryFn: ({ signal }) => request(teams.listProjectTeams, { params: { project }, signal }),
  })

/** The first teams without a role in a project that match a text. */
export const availableTeamsQuery = (project: string, search: string) =>
  queryOptions({
    queryKey: ['projects', project, 'teams', 'available', { search }],
    queryFn: ({ signal }) => {
      const query = { search: search || undefined }
      return request(teams.listAvailableTeams, { params: { project }, query, signal })
    },
  })

type TeamRoleChange = { project: string; team: string } & BodyOf<typeof contract.setTeamRole>

/** Gives a team a role in a project; `environments` replaces its roles in single environments. */
export const setTeamRole = ({ project, team, ...body }: TeamRoleChange) =>
  request(teams.setTeamRole, { params: { project, team }, body })

export const removeTeamRole = (params: { project: string; team: string }) =>
  request(teams.removeTeamRole, { params })
