import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/playlists'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'

export type Playlist = contract.Playlist
export type WholePlaylist = ReplyOf<typeof contract.getPlaylist>
export type PlaylistItem = WholePlaylist['items'][number]

export interface PlaylistRef extends EnvironmentRef {
  readonly playlist: string
}

interface PlaylistSessionRef extends PlaylistRef {
  readonly session: string
}

const of = calls.playlists

export const playlistsKey = ({ project, env }: EnvironmentRef) => [
  ...['projects', project, 'environments', env],
  'playlists',
]

/** By name. */
export const playlistsQuery = ({ project, env }: EnvironmentRef) =>
  queryOptions({
    queryKey: playlistsKey({ project, env }),
    queryFn: async ({ signal }) =>
      (await request(of.listPlaylists, { params: { project, env }, query: {}, signal })).items,
  })

export const playlistQuery = ({ project, env, playlist }: PlaylistRef) =>
  queryOptions({
    queryKey: [...playlistsKey({ project, env }), playlist],
    queryFn: ({ signal }) => request(of.getPlaylist, { params: { project, env, playlist }, signal }),
  })

type Draft = BodyOf<typeof contract.createPlaylist>
export const createPlaylist = ({ draft, ...params }: EnvironmentRef & { draft: Draft }) =>
  request(of.createPlaylist, { params, body: draft })

type Change = BodyOf<typeof contract.updatePlaylist>
export const updatePlaylist = ({ change, ...params }: PlaylistRef & { change: Change }) =>
  request(of.updatePlaylist, { params: { ...params }, body: change })

export const deletePlaylist = (params: PlaylistRef) => request(of.deletePlaylist, { params: { ...params } })

type Addition = BodyOf<typeof contract.addToPlaylist>
export const addToPlaylist = ({ added, ...params }: PlaylistRef & { added: Addition }) =>
  request(of.addToPlaylist, { params: { ...params }, body: added })

type SessionChange = BodyOf<typeof contract.changeInPlaylist>
export const changeInPlaylist = ({ change, ...params }: PlaylistSessionRef & { change: SessionChange }) =>
  request(of.changeInPlaylist, { params: { ...params }, body: change })

export const removeFromPlaylist = (params: PlaylistSessionRef) =>
  request(of.removeFromPlaylist, { params: { ...params } })
