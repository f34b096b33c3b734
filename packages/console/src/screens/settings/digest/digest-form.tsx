import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type DigestDraft,
  type DigestSettings,
  digestSettingsQuery,
  updateDigestSettings,
} from '../../../api/digests.ts'
import type { Environment } from '../../../api/environments.ts'
import { toProblem } from '../../../api/problem.ts'
import { ChannelChoice } from '../../../features/alerts/channel-choice.tsx'
import { useMay } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/form/choice.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { DigestPreview } from './digest-preview.tsx'
import { DigestSchedule } from './digest-schedule.tsx'

interface DigestFormProps {
  settings: DigestSettings
  environments: readonly Environment[]
}

export function DigestForm({ settings, environments }: DigestFormProps) {
  const { project } = useScope()
  const mayManage = useMay('project.manage')
  const queryClient = useQueryClient()
  const saved = draftOf(settings)
  const [draft, setDraft] = useState(saved)
  const saving = useMutation({
    mutationFn: updateDigestSettings,
    onSuccess: (found) => {
      queryClient.setQueryData(digestSettingsQuery(project).queryKey, found)
      showToast({ text: found.enabled ? 'Saved. The digest is on.' : 'Saved. The digest is off.' })
    },
  })
  const edit = (change: Partial<DigestDraft>) => setDraft((before) => ({ ...before, ...change }))
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved)
  const environment =
    environments.find(({ key }) => key === draft.env) ??
    environments.find((one) => one.protected) ??
    environments[0]
  const problem = saving.error && toProblem(saving.error)
  const [isTried, setTried] = useState(false)
  const lacksChannel = draft.enabled && draft.channels.length === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!isDirty || saving.isPending || lacksChannel) return
    const env = draft.env ?? environment?.key ?? null
    saving.mutate({ project, draft: { ...draft, env }, ifMatch: settings.version })
  }

  return (
    <form className="grid gap-16" onSubmit={submit}>
      {problem && (
        <Notice
          title={problem.title}
          detail={
            problem.is('version-conflict')
              ? 'The digest was changed in the meantime. Reload it, then save.'
              : problem.detail
          }
          requestId={problem.requestId}
          action={
            problem.is('version-conflict') && (
              <Button
                onClick={() =>
                  void queryClient.invalidateQueries({ queryKey: digestSettingsQuery(project).queryKey })
                }
              >
                Reload
              </Button>
            )
          }
        />
      )}
      <Panel title="Sending">
        <div className="grid max-w-form gap-16">
          <Switch
            label="Send a digest every week"
            hint="What was released, what got better or worse, and what waits for a decision."
            checked={draft.enabled}
            onChecked={(enabled) => edit({ enabled })}
            disabled={!mayManage}
          />
          <Select
            label="Environment"
            options={environments.map(({ key, name }) => ({ value: key, label: name }))}
            value={environment?.key ?? ''}
            onValue={(env) => edit({ env })}
            disabled={!mayManage}
          />
          <DigestSchedule
            {...draft}
            timeZone={environment?.timeZone ?? 'UTC'}
            edit={edit}
            disabled={!mayManage}
          />
          <ChannelChoice
            chosen={draft.channels}
            onChosen={(channels) => edit({ channels })}
            disabled={!mayManage}
            without="A digest needs at least one."
          />
          {isTried && lacksChannel && (
            <p role="alert" className="text-12 text-bad">
              Select at least one channel, or turn the digest off.
            </p>
          )}
          <SentTimes {...settings} />
        </div>
      </Panel>
      {environment && <DigestPreview project={project} env={environment.key} />}
      <UnsavedChanges
        isDirty={isDirty}
        busy={saving.isPending}
        verb="Save digest"
        onDiscard={() => setDraft(saved)}
      />
      <UnsavedGuard when={isDirty} what="the digest" />
    </form>
  )
}

const draftOf = ({ enabled, env, weekday, hour, channels }: DigestSettings): DigestDraft => ({
  enabled,
  env,
  weekday,
  hour,
  channels,
})

function SentTimes({ nextAt, lastSentAt }: Pick<DigestSettings, 'nextAt' | 'lastSentAt'>) {
  if (nextAt === null && lastSentAt === null) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-16 gap-y-6">
      {nextAt !== null && (
        <>
          <dt className="text-text-3">Next</dt>
          <dd>
            <Time at={nextAt} />
          </dd>
        </>
      )}
      {lastSentAt !== null && (
        <>
          <dt className="text-text-3">Last sent</dt>
          <dd>
            <Time at={lastSentAt} />
          </dd>
        </>
      )}
    </dl>
  )
}
