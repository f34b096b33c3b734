import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { type FlagsmithDocument, type ImportedEnvironment, importFlagsmith } from '../../api/flagsmith.ts'
import { toProblem } from '../../api/problem.ts'
import { DocumentField } from '../../features/imports/document-field.tsx'
import { DocumentRefusal } from '../../features/imports/document-refusal.tsx'
import type { ChosenDocument } from '../../features/imports/read-document.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

/** Imports an environment document from a file. If it has errors, they are listed and nothing is imported. */
export function ImportFlagsmith({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<ChosenDocument<FlagsmithDocument>>()
  const [project, setProject] = useState('')
  const [env, setEnv] = useState('')
  const [parseJson, setParseJson] = useState(false)
  const queryClient = useQueryClient()
  const transfer = useMutation({
    mutationFn: importFlagsmith,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['projects'] })
      await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 })
    },
  })
  if (transfer.data) return <Imported imported={transfer.data} onClose={onClose} />

  const document = chosen?.content?.json
  const submit = () => {
    if (document === undefined || transfer.isPending) return
    const place = { project: project.trim() || undefined, env: env.trim() || undefined }
    transfer.mutate({ document, ...place, parseJson })
  }
  return (
    <Dialog
      title="Import from Flagsmith"
      description="An environment document, as the Flagsmith server provides it for local evaluation. Keys, IDs and every user's variations are kept."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={document === undefined} busy={transfer.isPending}>
            Import environment
          </Button>
        </>
      }
    >
      {transfer.error && <DocumentRefusal problem={toProblem(transfer.error)} />}
      <DocumentField
        chosen={chosen}
        onChosen={(document) => {
          transfer.reset()
          setChosen(document)
        }}
      />
      <Field
        label="Project"
        hint="Project key. If empty, the name in the document is used. Created if it does not exist."
        code
        value={project}
        maxLength={limits.keyLength}
        onChange={(event) => setProject(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        label="Environment"
        hint="Environment key. If empty, the name in the document is used."
        code
        value={env}
        maxLength={limits.keyLength}
        onChange={(event) => setEnv(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        label="Parse JSON"
        hint="Features with only JSON objects or arrays as values become JSON flags. Flagsmith clients still get strings."
        checked={parseJson}
        onChecked={setParseJson}
      />
    </Dialog>
  )
}

function Imported({ imported, onClose }: { imported: ImportedEnvironment; onClose: () => void }) {
  const { project, env, clientKey, replaced, flags, segments, overrides, notes } = imported
  return (
    <Dialog
      title={replaced ? 'Imported again' : 'Imported'}
      description={`${flags} flags, ${segments} segments and ${overrides} overrides imported into ${project}, ${env}.`}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose} autoFocus>
          Close
        </Button>
      }
    >
      <p>
        Browsers keep using the key <code className="wrap-anywhere">{clientKey}</code>. For servers, create a
        new key in the project settings.
      </p>
      {notes.length > 0 && (
        <ul className="grid max-h-[40vh] list-disc gap-4 overflow-y-auto pl-16 text-text-2">
          {notes.map((note) => (
            <li key={note} className="wrap-anywhere">
              {note}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/p/$project/flags" params={{ project }} search={{ env }} className="text-accent underline">
          Show flags
        </Link>
      </p>
    </Dialog>
  )
}
