import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { TargetedFlag } from '../../api/flag-configs.ts'
import { archiveFlag, deleteFlag, flagsKey, restoreFlag, updateFlag } from '../../api/flags.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'

interface FlagSettingsProps {
  project: string
  flag: TargetedFlag
}

/** What the flag itself is, the same in every environment. */
export function FlagSettings({ project, flag }: FlagSettingsProps) {
  const mayChange = useMay('flags.change') && !flag.managed
  const [name, setName] = useState(flag.name)
  const [description, setDescription] = useState(flag.description)
  const [tags, setTags] = useState(flag.tags.join(', '))
  const [isPermanent, setPermanent] = useState(flag.permanent)
  const [isVisible, setVisible] = useState(flag.clientVisible)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateFlag,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
      showToast({ text: `The settings of ${flag.key} are saved.` })
    },
  })
  const problem = saving.error && toProblem(saving.error)

  function save() {
    if (name.trim() === '' || saving.isPending) return
    const change = {
      name: name.trim(),
      description: description.trim(),
      tags: [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
      permanent: isPermanent,
      clientVisible: isVisible,
    }
    saving.mutate({ project, flag: flag.key, change, version: flag.version })
  }

  return (
    <div className="grid min-w-0 gap-16">
      <MayNotice permission="flags.change" />
      <Panel
        title="About"
        footer={
          <Button look="primary" onClick={save} busy={saving.isPending} disabled={!mayChange}>
            Save the settings
          </Button>
        }
      >
        <div className="grid max-w-form gap-12">
          {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
          <Field
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={limits.nameLength}
            fault={name.trim() === '' ? 'Enter a name.' : undefined}
            disabled={!mayChange}
          />
          <TextArea
            label="Description"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={limits.descriptionLength}
            rows={3}
            disabled={!mayChange}
          />
          <Field
            label="Tags"
            value={tags}
            onChange={(event) => setTags(event.currentTarget.value)}
            hint="With commas between them."
            disabled={!mayChange}
          />
          <Checkbox
            label="Permanent"
            hint="Meant to stay: it is never called stale."
            checked={isPermanent}
            onChecked={setPermanent}
            disabled={!mayChange}
          />
          <Checkbox
            label="Browsers may evaluate it"
            hint="Otherwise only servers, with their own key."
            checked={isVisible}
            onChecked={setVisible}
            disabled={!mayChange}
          />
        </div>
      </Panel>
      <EndOfFlag project={project} flag={flag} mayChange={mayChange} />
    </div>
  )
}

/** Archived, brought back, deleted. */
function EndOfFlag({ project, flag, mayChange }: FlagSettingsProps & { mayChange: boolean }) {
  const [isDeleting, setDeleting] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isArchived = flag.archivedAt !== null
  const place = { project, flag: flag.key }
  const refresh = () => queryClient.invalidateQueries({ queryKey: flagsKey(project) })
  const moving = useMutation({ mutationFn: isArchived ? restoreFlag : archiveFlag, onSuccess: refresh })
  const deletion = useMutation({
    mutationFn: deleteFlag,
    onSuccess: async () => {
      await navigate({ to: '/p/$project/flags', params: { project } })
      showToast({ text: `${flag.key} is deleted.` })
      await refresh()
    },
  })
  const problem = moving.error && toProblem(moving.error)

  return (
    <Panel title="Archive and delete">
      <div className="grid max-w-form justify-items-start gap-12">
        {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
        <p className="text-text-2">
          {isArchived
            ? 'Archived: nobody gets it. What it did comes back with it.'
            : 'An archived flag is served to nobody: applications get the default in their code.'}
        </p>
        <span className="flex flex-wrap gap-8">
          <Button busy={moving.isPending} disabled={!mayChange} onClick={() => moving.mutate(place)}>
            {isArchived ? 'Restore the flag' : 'Archive the flag'}
          </Button>
          {isArchived && (
            <Button look="danger" icon="trash" disabled={!mayChange} onClick={() => setDeleting(true)}>
              Delete the flag
            </Button>
          )}
        </span>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete the flag ${flag.key}`}
          consequence="Its configurations and their history go with it, in every environment. This cannot be undone."
          verb="Delete the flag"
          typed={flag.key}
          busy={deletion.isPending}
          problem={deletion.error && toProblem(deletion.error)}
          onConfirm={() => deletion.mutate({ ...place, confirm: flag.key })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Panel>
  )
}
