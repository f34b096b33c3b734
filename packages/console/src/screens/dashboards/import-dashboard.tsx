import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DashboardFile, dashboardsKey, importDashboard } from '../../api/dashboards.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

const faultsShown = 5

/** A dashboard from an exported file; the server says what is wrong with one. */
export function ImportDashboard({ project, onClose }: { project: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const importing = useMutation({
    mutationFn: async (chosen: File) => {
      const file = readJson(await chosen.text())
      return importDashboard({ project, file, idempotencyKey: newIdempotencyKey() })
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: dashboardsKey(project) })
      await navigate({ to: '/p/$project/dashboards/$dashboard', params: { project, dashboard: id } })
    },
  })
  const problem = importing.error && toProblem(importing.error)
  return (
    <Dialog
      title="Import a dashboard"
      description="Creates a new dashboard from an exported file."
      onClose={onClose}
      footer={<Button onClick={onClose}>Cancel</Button>}
    >
      {problem && (
        <Notice
          title="The file was not imported"
          detail={
            problem.errors.length === 0 ? (
              (problem.detail ?? problem.title)
            ) : (
              <ul>
                {problem.errors.slice(0, faultsShown).map(({ pointer, message }) => (
                  <li key={`${pointer} ${message}`} className="[overflow-wrap:anywhere]">
                    <code>{pointer}</code> {message}
                  </li>
                ))}
                {problem.errors.length > faultsShown && (
                  <li>and {problem.errors.length - faultsShown} more</li>
                )}
              </ul>
            )
          }
        />
      )}
      <FileField
        label={importing.isPending ? 'Importing…' : 'Choose a file'}
        hint="A .json file from “Export as JSON”, also of another project or installation."
        accept=".json"
        onFiles={(files) => files[0] && importing.mutate(files[0])}
      />
    </Dialog>
  )
}

/** Sent as it is: the server validates it by the schema. Throws for what is no JSON. */
function readJson(text: string): DashboardFile {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON.')
  }
}
