import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ImportSource } from '@telltale/core/import-sources'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { importFlags } from '../../../api/flag-imports.ts'
import { toProblem } from '../../../api/problem.ts'
import { DocumentField } from '../../../features/imports/document-field.tsx'
import { DocumentRefusal } from '../../../features/imports/document-refusal.tsx'
import type { ChosenDocument } from '../../../features/imports/read-document.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { ImportReport } from './import-report.tsx'

const products: readonly { value: ImportSource; label: string }[] = [
  { value: 'launchdarkly', label: 'LaunchDarkly' },
  { value: 'unleash', label: 'Unleash' },
  { value: 'growthbook', label: 'GrowthBook' },
  { value: 'posthog', label: 'PostHog' },
]

/** Imports a document of another product into the environment in scope, after a preview of every difference. */
export function ImportFlags({ onClose }: { onClose: () => void }) {
  const { project, environment } = useScope()
  const [source, setSource] = useState<ImportSource>('launchdarkly')
  const [from, setFrom] = useState('')
  const [chosen, setChosen] = useState<ChosenDocument<unknown>>()
  const queryClient = useQueryClient()
  const preview = useMutation({ mutationFn: importFlags })
  const transfer = useMutation({
    mutationFn: importFlags,
    onSuccess: async ({ flags, segments }) => {
      showToast({
        text: `${countOf(flags.length, 'flag')} and ${countOf(segments.length, 'segment')} imported.`,
      })
      await queryClient.invalidateQueries({ queryKey: ['projects', project] })
      onClose()
    },
  })
  const document = chosen?.content
  const start = (run: typeof preview, dryRun: boolean) => {
    if (document === undefined || run.isPending) return
    const wanted = from.trim()
    const body = { source, document: document.json, dryRun, ...(wanted !== '' && { from: wanted }) }
    run.mutate({ project, env: environment.key, body })
  }
  const edited = () => {
    preview.reset()
    transfer.reset()
  }
  const report = preview.data
  const failure = transfer.error ?? preview.error

  return (
    <Dialog
      title="Import flags"
      size={report ? 'wide' : 'normal'}
      description={`Flags and segments of another product, imported into ${environment.name}.`}
      onClose={onClose}
      onSubmit={() => (report ? start(transfer, false) : start(preview, true))}
      footer={
        <>
          {report ? <Button onClick={edited}>Back</Button> : <Button onClick={onClose}>Cancel</Button>}
          <Button
            type="submit"
            look="primary"
            disabled={document === undefined}
            busy={preview.isPending || transfer.isPending}
          >
            {report ? 'Import' : 'Preview'}
          </Button>
        </>
      }
    >
      {failure && <DocumentRefusal problem={toProblem(failure)} />}
      {report ? (
        <ImportReport report={report} />
      ) : (
        <>
          <Select
            label="Product"
            options={products}
            value={source}
            onValue={(value) => {
              setSource(value)
              edited()
            }}
          />
          <DocumentField
            chosen={chosen}
            onChosen={(document) => {
              edited()
              setChosen(document)
            }}
          />
          <Field
            label="Environment in the document"
            hint="Only if the document has several."
            code
            value={from}
            maxLength={limits.nameLength}
            onChange={(event) => {
              setFrom(event.currentTarget.value)
              edited()
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </>
      )}
    </Dialog>
  )
}
