import { isSame } from '@telltale/core/changes/same'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  type ChangedProposal,
  type DescribedChangeRequest,
  updateChangeRequest,
} from '../../api/change-requests.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { JsonEditor } from '../../ui/form/json-editor.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { instantIn, localIn } from '../../ui/text/zoned-time.ts'
import { useEnvironmentName } from './environment-name.tsx'
import { FaultsNotice } from './faults-notice.tsx'
import { Reviewers } from './reviewers.tsx'
import { useChanging } from './use-changing.ts'

const members = {
  enabled: (value: unknown) => typeof value === 'boolean',
  offVariation: (value: unknown) => typeof value === 'string',
  prerequisites: Array.isArray,
  rules: Array.isArray,
  fallthrough: (value: unknown) => typeof value === 'object' && value !== null,
}

/**
 * Parses a text as a configuration, or returns what is wrong with it. The server validates the contents of its
 * parts.
 */
function readConfig(text: string): { config: FlagConfigDraft } | { fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (typeof value !== 'object' || value === null) return { fault: 'Must be an object.' }
  const named = new Map<string, unknown>(Object.entries(value))
  const wrong = Object.entries(members).flatMap(([name, fits]) => (fits(named.get(name)) ? [] : [name]))
  if (wrong.length > 0) return { fault: `Missing or of the wrong type: ${wrong.join(', ')}.` }
  return isConfig(value) ? { config: value } : { fault: 'Must be an object.' }
}

function isConfig(value: object): value is FlagConfigDraft {
  return Object.keys(members).every((name) => name in value)
}

/** Edits the change, reason and time of the author's own request, which keeps its id. */
export function ProposalDialog(props: { request: DescribedChangeRequest; onClose: () => void }) {
  const { request, onClose } = props
  const { project, environments } = useScope()
  const envName = useEnvironmentName(request.env)
  const zone = environments.find(({ key }) => key === request.env)?.timeZone ?? 'UTC'
  const [opened] = useState(request)
  const [start] = useState(() => startOf(request, zone))
  const [draft, setDraft] = useState(start)
  const [isChecked, setChecked] = useState(false)
  const changing = useChanging(updateChangeRequest, onClose)
  const problem = changing.error && toProblem(changing.error)
  // After being warned about a newer version, the author saves over it.
  const from = problem?.is('version-conflict') ? request : opened
  const at = draft.local === '' ? null : instantIn(zone, draft.local)
  const read = readConfig(draft.text)
  const change = 'config' in read ? changeOf(from, { ...draft, config: read.config, at }) : {}
  const isChanged = !isSame(draft, start)
  const nothing = isChecked && Object.keys(change).length === 0

  function submit() {
    setChecked(true)
    if ('fault' in read || at === undefined || Object.keys(change).length === 0 || changing.isPending) return
    changing.mutate({ project, request: from, change })
  }

  return (
    <Dialog
      title={`Change the proposal for ${request.flag} in ${envName}`}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Change proposal" busy={changing.isPending} onCancel={onClose} />}
    >
      <UnsavedGuard when={isChanged} what="the proposal" />
      <FaultsNotice problem={problem} />
      {nothing && 'config' in read && <Notice tone="plain" title="No changes." />}
      {request.state === 'approved' && (
        <Notice
          tone="info"
          title="This discards the approval"
          detail="The approval applies to the current proposal only."
        />
      )}
      <TextArea
        label="Reason"
        value={draft.reason}
        onChange={(event) => setDraft({ ...draft, reason: event.currentTarget.value })}
        maxLength={limits.descriptionLength}
        rows={2}
        autoFocus
      />
      <div className="max-w-card">
        <Field
          label={`Apply automatically at, in ${zone} (optional)`}
          type="datetime-local"
          value={draft.local}
          onChange={(event) => setDraft({ ...draft, local: event.currentTarget.value })}
          hint="If empty, it is applied manually once approved."
          fault={at === undefined ? 'Enter a date and time that are valid in that time zone.' : undefined}
        />
      </div>
      <Reviewers
        author={request.author.id}
        env={request.env}
        chosen={draft.reviewers}
        onChosen={(reviewers) => setDraft({ ...draft, reviewers })}
      />
      <JsonEditor
        label="Proposed configuration"
        hint="JSON in the format of the API. Validated when saved."
        value={draft.text}
        onValue={(text) => setDraft((now) => ({ ...now, text }))}
        fault={'fault' in read ? read.fault : undefined}
      />
    </Dialog>
  )
}

function startOf({ proposed, reason, reviewers, scheduledFor }: DescribedChangeRequest, zone: string) {
  return {
    text: JSON.stringify(proposed, null, 2),
    reason: reason ?? '',
    reviewers: [...reviewers],
    local: scheduledFor === null ? '' : localIn(zone, Date.parse(scheduledFor)),
  }
}

type Wanted = {
  config: DescribedChangeRequest['proposed']
  reason: string
  reviewers: string[]
  at: string | null | undefined
}

/** Only the differences: other members may have changed the rest in the meantime. */
function changeOf(
  request: DescribedChangeRequest,
  { config, reason, reviewers, at }: Wanted,
): ChangedProposal {
  const wantedReason = reason.trim() || null
  const minuteOf = (instant: string | null) => instant?.slice(0, 16)
  return {
    ...(isSame(config, request.proposed) ? {} : { config }),
    ...(isSame(reviewers.toSorted(), request.reviewers.toSorted()) ? {} : { reviewers }),
    ...(wantedReason === request.reason ? {} : { reason: wantedReason }),
    ...(at === undefined || minuteOf(at) === minuteOf(request.scheduledFor) ? {} : { scheduledFor: at }),
  }
}
