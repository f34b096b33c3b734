import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  addToPlaylist,
  changeInPlaylist,
  createPlaylist,
  deletePlaylist,
  type PlaylistItem,
  playlistQuery,
  playlistsKey,
  removeFromPlaylist,
  type WholePlaylist,
} from '../../api/playlists.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

/** Changes that are made at once and can be undone. */
export function usePlaylistChanges(playlist: WholePlaylist) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const ref = { ...place, playlist: playlist.id }
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const reload = () => queryClient.invalidateQueries({ queryKey: playlistsKey(place) })
  const failed = (error: unknown) => showToast({ text: toProblem(error).title })
  const open = (id: string) =>
    navigate({ to: '/p/$project/playlists/$playlist', params: { project, playlist: id } })

  const move = useMutation({
    mutationFn: ({ session, position }: { session: string; position: number }) =>
      changeInPlaylist({ ...ref, session, change: { position } }),
    // The row moves at once: the next press is meant for its new place.
    onMutate: ({ session, position }) =>
      queryClient.setQueryData(playlistQuery(ref).queryKey, (now) => now && moved(now, session, position)),
    onError: failed,
    onSettled: reload,
  })
  const putBack = useMutation({
    mutationFn: ({ item, position }: { item: PlaylistItem; position: number }) =>
      addToPlaylist({ ...ref, added: { sessions: [item.session], note: item.note, position } }),
    onError: failed,
    onSettled: reload,
  })
  const takeOut = useMutation({
    mutationFn: (item: PlaylistItem) => removeFromPlaylist({ ...ref, session: item.session }),
    onSuccess: (_, item) => {
      const position = playlist.items.indexOf(item)
      showToast({ text: 'Session removed.', undo: () => putBack.mutate({ item, position }) })
    },
    onError: failed,
    onSettled: reload,
  })
  const restore = useMutation({
    mutationFn: () => {
      const { name, description, items } = playlist
      const sessions = items.map(({ session, note }) => ({ session, note }))
      return createPlaylist({ ...place, draft: { name, description, sessions } })
    },
    onSuccess: async ({ id }) => {
      await reload()
      await open(id)
    },
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: () => deletePlaylist(ref),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/playlists', params: { project } })
      showToast({ text: `${playlist.name} deleted.`, undo: () => restore.mutate() })
      await reload()
    },
    onError: failed,
  })
  return { move, takeOut, remove }
}

function moved(playlist: WholePlaylist, session: string, position: number): WholePlaylist {
  const from = playlist.items.findIndex((item) => item.session === session)
  const item = playlist.items[from]
  if (item === undefined) return playlist
  return { ...playlist, items: playlist.items.toSpliced(from, 1).toSpliced(position, 0, item) }
}
