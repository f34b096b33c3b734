import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toProblem } from '../../../api/problem.ts'
import { deleteSourceMap, type SourceMap, sourceMapsKey } from '../../../api/source-maps.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'

type DeleteMapProps = { project: string; map: SourceMap; onClose: () => void }

export function DeleteMap({ project, map, onClose }: DeleteMapProps) {
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteSourceMap({ project, sourceMap: map.id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sourceMapsKey(project) })
      onClose()
      showToast({ text: `The source map of ${map.file} is deleted.` })
    },
  })
  const version = map.version === '' ? 'any version' : `version ${map.version}`

  return (
    <ConfirmDialog
      title={`Delete the source map of ${map.file}`}
      consequence={`It is the map for ${version}. Stacks that go through this script show minified code again. To have it back, upload it again.`}
      verb="Delete the map"
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  )
}
