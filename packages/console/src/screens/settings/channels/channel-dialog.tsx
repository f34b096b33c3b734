import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Channel, channelsKey, createChannel, updateChannel } from '../../../api/channels.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Checkbox, Radio } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { type ChannelForm, formOf, newChannelForm, readChannelForm } from './channel-form.ts'
import { EventChoice } from './event-choice.tsx'

type ChannelDialogProps = {
  /** Undefined for a new one. */
  channel: Channel | undefined
  /** The installation can send e-mail. */
  hasMail: boolean
  onMade?: (made: { id: string; secret: string | null }) => void
  onClose: () => void
}

/** Creates or edits a channel. Its kind and its target belong together. */
export function ChannelDialog({ channel, hasMail, onMade, onClose }: ChannelDialogProps) {
  const { project, environments } = useScope()
  const queryClient = useQueryClient()
  const [form, setForm] = useState<ChannelForm>(channel ? formOf(channel) : newChannelForm)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const { draft, faults } = readChannelForm(form)
  const saving = useMutation({
    mutationFn: async () => {
      const { kind: _kind, ...change } = draft
      if (channel) {
        await updateChannel({ project, channel, change })
        return undefined
      }
      const made = await createChannel({ project, draft, idempotencyKey })
      return { id: made.channel.id, secret: made.secret }
    },
    onSuccess: async (made) => {
      await queryClient.invalidateQueries({ queryKey: channelsKey(project) })
      if (made) onMade?.(made)
      else onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const reported = new Map((problem?.errors ?? []).map(({ pointer, message }) => [pointer, message]))
  const faultOf = (name: keyof typeof faults) =>
    (isChecked ? faults[name] : undefined) ?? reported.get(`/${name}`)

  function edit(change: Partial<ChannelForm>) {
    setForm((now) => ({ ...now, ...change }))
    setKey(newIdempotencyKey())
    saving.reset()
  }
  function submit() {
    setChecked(true)
    if (Object.keys(faults).length === 0 && !saving.isPending) saving.mutate()
  }

  return (
    <Dialog
      title={channel ? `Change ${channel.name}` : 'New channel'}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <FormButtons verb={channel ? 'Save' : 'Create channel'} busy={saving.isPending} onCancel={onClose} />
      }
    >
      <ProblemNotice problem={problem} />
      {!channel && <KindField kind={form.kind} hasMail={hasMail} onKind={(kind) => edit({ kind })} />}
      <Field
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        maxLength={limits.nameLength}
        fault={faultOf('name')}
        autoComplete="off"
      />
      <TargetField form={form} fault={faultOf(form.kind === 'email' ? 'addresses' : 'url')} edit={edit} />
      {environments.length > 1 && (
        <fieldset className="grid gap-6">
          <legend className="pb-4 font-medium">Environments</legend>
          <div className="flex flex-wrap gap-x-16 gap-y-6">
            {environments.map(({ key, name }) => (
              <Checkbox
                key={key}
                label={name}
                checked={form.environments.includes(key)}
                onChecked={(isChosen) =>
                  edit({
                    environments: isChosen
                      ? [...form.environments, key]
                      : form.environments.filter((one) => one !== key),
                  })
                }
              />
            ))}
          </div>
          <p className="text-12 text-text-3">None selected: all environments.</p>
        </fieldset>
      )}
      <div className="grid gap-6">
        <h3 className="font-medium">Sends on</h3>
        <EventChoice kind={form.kind} events={form.events} onEvents={(events) => edit({ events })} />
      </div>
    </Dialog>
  )
}

const kindChoices = [
  { value: 'webhook', label: 'Webhook', hint: 'Signed JSON webhook.' },
  {
    value: 'slack',
    label: 'Slack-compatible',
    hint: 'Incoming webhook of Slack, Mattermost, Rocket.Chat or Discord (with /slack).',
  },
] as const

type KindFieldProps = {
  kind: ChannelForm['kind']
  hasMail: boolean
  onKind: (kind: ChannelForm['kind']) => void
}

function KindField({ kind, hasMail, onKind }: KindFieldProps) {
  const mail = {
    value: 'email',
    label: 'Mail',
    hint: hasMail
      ? 'One e-mail to all recipients.'
      : 'This installation has no mail server (TELLTALE_SMTP_URL).',
    disabled: !hasMail,
  } as const
  return <Radio label="Kind" choices={[...kindChoices, mail]} value={kind} onValue={onKind} />
}

type TargetFieldProps = {
  form: ChannelForm
  fault: string | undefined
  edit: (change: Partial<ChannelForm>) => void
}

function TargetField({ form, fault, edit }: TargetFieldProps) {
  if (form.kind === 'email') {
    return (
      <Field
        label="Addresses"
        value={form.addresses}
        onChange={({ currentTarget }) => edit({ addresses: currentTarget.value })}
        hint="Separated by commas."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
      />
    )
  }
  return (
    <Field
      label="Address"
      code
      placeholder="https://hooks.example.com/telltale"
      value={form.url}
      onChange={({ currentTarget }) => edit({ url: currentTarget.value })}
      maxLength={limits.channelUrlLength}
      hint="Redirects are not followed. Private networks are refused unless the installation allows them."
      fault={fault}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
