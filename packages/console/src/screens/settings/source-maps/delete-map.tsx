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
      showToast({ text: `Source map of ${map.file} deleted.` })
    },
  })
  const version = map.version === '' ? 'any version' : `version ${map.version}`

  return (
    <ConfirmDialog
      title={`Delete source map of ${map.file}`}
      consequence={`Map for ${version}. Stack traces through this script show minified code again. You can upload the map again.`}
      verb="Delete map"
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  )
}
