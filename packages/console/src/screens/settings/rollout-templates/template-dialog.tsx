import { limits } from '@telltale/core/limits'
import { useRef } from 'react'
import type { Metric } from '../../../api/metrics.ts'
import type { RolloutTemplate } from '../../../api/rollout-templates.ts'
import { ManagedInCode } from '../../../features/managed-in-code.tsx'
import { MetricFields } from '../../../features/rollout/plan/metric-fields.tsx'
import { faultUnder } from '../../../features/rollout/plan/plan-faults.ts'
import { StageFields } from '../../../features/rollout/plan/stage-fields.tsx'
import { ReassignField, UndecidedFields } from '../../../features/rollout/plan/undecided-fields.tsx'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { focusFault } from '../../../ui/form/focus-fault.ts'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { useTemplateForm } from './use-template-form.ts'

interface TemplateDialogProps {
  /** Undefined for a new one. */
  template: RolloutTemplate | undefined
  metrics: readonly Metric[]
  onClose: () => void
}

/** Creates or edits a rollout template. */
export function TemplateDialog({ template, metrics, onClose }: TemplateDialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const editing = useTemplateForm({
    ...{ template, metrics, onDone: onClose },
    onRefused: () => focusFault(body),
  })
  const { form, edit, faults } = editing

  return (
    <Dialog
      title={template ? `Change ${template.name}` : 'New rollout template'}
      description={
        template
          ? 'Rollouts drafted from it stay unchanged.'
          : 'A plan for guarded rollouts of any flag in any environment.'
      }
      size="wide"
      onClose={onClose}
      onSubmit={editing.save}
      footer={
        <FormButtons
          verb={template ? 'Save' : 'Create template'}
          busy={editing.isSaving}
          onCancel={onClose}
        />
      }
    >
      <div ref={body} className="grid min-w-0 gap-16">
        {template && <ManagedInCode kind="rolloutTemplates" entry={template.key} />}
        <ProblemNotice problem={editing.problem} />
        <NameFields editing={editing} isNew={template === undefined} />
        <div className="grid min-w-0 gap-4">
          <StageFields
            plan={form}
            pool={limits.weightTotal}
            forecast={undefined}
            faults={faults}
            onStages={(stages) => edit({ stages })}
          />
          <p className="text-12 text-text-3">
            Shares are those of the users of both variations, so that they fit every split.
          </p>
        </div>
        <MetricFields
          plan={form}
          forecast={undefined}
          faults={faults}
          known={metrics}
          onMetrics={(next) => edit({ metrics: next })}
        />
        <UndecidedFields form={form} plan={form} faults={faults} onForm={edit} />
        <ReassignField freshDraw={form.freshDraw} onForm={edit} />
      </div>
    </Dialog>
  )
}

type NameFieldsProps = {
  editing: Pick<ReturnType<typeof useTemplateForm>, 'form' | 'edit' | 'faults'>
  isNew: boolean
}

function NameFields({ editing: { form, edit, faults }, isNew }: NameFieldsProps) {
  return (
    <>
      <div className={`grid min-w-0 gap-12 ${isNew ? 'wide:grid-cols-2' : ''}`}>
        <Field
          label="Name"
          value={form.name}
          onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
          maxLength={limits.nameLength}
          fault={faultUnder(faults, '/name')}
          autoComplete="off"
          autoFocus
        />
        {isNew && (
          <Field
            label="Key"
            code
            value={form.key}
            onChange={({ currentTarget }) => edit({ key: currentTarget.value })}
            maxLength={limits.keyLength}
            hint="Used by the command line and flags as code. Cannot be changed later."
            fault={faultUnder(faults, '/key')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </div>
      <TextArea
        label="Description (optional)"
        value={form.description}
        onChange={({ currentTarget }) => edit({ description: currentTarget.value })}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </>
  )
}
