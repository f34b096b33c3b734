import { useQuery } from '@tanstack/react-query'
import { isSame } from '@telltale/core/changes/same'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import { flagConfigQuery } from '../../../api/flag-configs.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfigDiff } from '../../../ui/diff/diff-view.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Async } from '../../../ui/states.tsx'
import { type Draft, draftOf } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

type CopyDialogProps = {
  draft: Draft
  others: readonly Environment[]
  onCopy: (from: Draft) => void
  onClose: () => void
}

/** The configuration in another environment, beside the draft. Copying changes the draft; nothing is saved. */
export function CopyDialog({ draft, others, onCopy, onClose }: CopyDialogProps) {
  const { place, envName, readOnly } = useTargeting()
  const [from, setFrom] = useState(others[0]?.key ?? '')
  const config = useQuery(flagConfigQuery({ ...place, env: from }))
  const other = config.data && draftOf(config.data)
  const isThere = other !== undefined && !isSame(other, draft)
  const fromName = others.find(({ key }) => key === from)?.name ?? from

  return (
    <Dialog
      title="Compare and copy from another environment"
      description={`Copies into your draft for ${envName}. Nothing is saved yet. Overrides are not copied.`}
      size="wide"
      onClose={onClose}
      onSubmit={() => isThere && readOnly === undefined && onCopy(other)}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {readOnly === undefined && (
            <Button type="submit" look="primary" disabled={!isThere}>
              Copy to draft
            </Button>
          )}
        </>
      }
    >
      <div className="w-[32ch] max-w-full">
        <Select
          label="Environment"
          options={others.map(({ key, name }) => ({ value: key, label: name }))}
          value={from}
          onValue={setFrom}
        />
      </div>
      <Async of={config} isEmpty={() => false}>
        {(saved) =>
          isSame(draftOf(saved), draft) ? (
            <p className="text-text-2">The same as {fromName}: there is nothing to copy.</p>
          ) : (
            <ConfigDiff before={draft} after={draftOf(saved)} label={`From draft to ${fromName}`} />
          )
        }
      </Async>
    </Dialog>
  )
}
