import { useQuery, useQueryClient } from '@tanstack/react-query'
import { digestPreviewQuery } from '../../../api/digests.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'

/** What the channels would get now. */
export function DigestPreview({ project, env }: { project: string; env: string }) {
  const queryClient = useQueryClient()
  const query = digestPreviewQuery({ project, env })
  const preview = useQuery(query)

  return (
    <Panel
      title="Preview"
      note={`The last seven days in ${env}, as they would be sent now.`}
      actions={
        <Button
          disabled={preview.isFetching}
          onClick={() => void queryClient.invalidateQueries({ queryKey: query.queryKey })}
        >
          Reload
        </Button>
      }
    >
      <Async of={preview}>
        {({ subject, text }) => (
          <div className="grid gap-8">
            <p className="font-semibold text-pretty">{subject}</p>
            <pre className="overflow-x-auto whitespace-pre-wrap rounded-card border border-line bg-canvas p-12 font-ui text-14">
              {text}
            </pre>
          </div>
        )}
      </Async>
    </Panel>
  )
}
