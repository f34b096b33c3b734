import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Installation, installationQuery, updateInstallation } from '../../api/installation.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { Fact } from './facts.tsx'

/** The base URL of links in mail, editable unless a setting fixes it. */
export function PublicAddress({ installation }: { installation: Installation }) {
  const { publicUrl, publicUrlIsSetting } = installation
  const [editing, setEditing] = useState(false)
  return (
    <Fact name="Public address">
      <span className="inline-flex flex-wrap items-center gap-8">
        {publicUrl === null ? (
          <span className="text-text-3">Not set</span>
        ) : (
          <CopyText text={publicUrl} label="Copy the public address" />
        )}
        {publicUrlIsSetting ? (
          <span className="text-12 text-text-3">Set by TELLTALE_PUBLIC_URL</span>
        ) : (
          <Button onClick={() => setEditing(true)}>{publicUrl === null ? 'Set address' : 'Edit'}</Button>
        )}
      </span>
      {editing && <AddressDialog address={publicUrl} onClose={() => setEditing(false)} />}
    </Fact>
  )
}

function AddressDialog({ address, onClose }: { address: string | null; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [text, setText] = useState(address ?? window.location.origin)
  const saving = useMutation({
    mutationFn: updateInstallation,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: installationQuery.queryKey })
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const fault = problem?.errors.find(({ pointer }) => pointer === '/publicUrl')?.message

  return (
    <Dialog
      title="Public address"
      onClose={onClose}
      onSubmit={() => saving.mutate({ publicUrl: text.trim() === '' ? null : text.trim() })}
      footer={<FormButtons verb="Save" busy={saving.isPending} onCancel={onClose} />}
    >
      {!fault && <ProblemNotice problem={problem} />}
      <Field
        label="Address"
        type="url"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        hint="Used for links in e-mails and notifications. If empty, no links are e-mailed."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.publicUrlLength}
      />
    </Dialog>
  )
}
