import { useMutation } from '@tanstack/react-query'
import { toProblem } from '../../../api/problem.ts'
import { exportHar } from '../../../api/replays.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { saveFile } from '../../../ui/save-file.ts'

/** Downloads the requests of the session as an HTTP archive. */
export function HarButton({ session }: { session: string }) {
  const { project, environment } = useScope()
  const exporting = useMutation({
    mutationFn: () => exportHar({ project, env: environment.key, session }),
    onSuccess: (text) => saveFile(`${session}.har`, text, 'application/json'),
    onError: (error) => showToast({ text: `The export failed: ${toProblem(error).detail}` }),
  })
  return (
    <Button
      busy={exporting.isPending}
      onClick={() => exporting.mutate()}
      title="Export the requests as an HTTP archive"
    >
      HAR
    </Button>
  )
}
