import { useQuery } from '@tanstack/react-query'
import { rolloutTemplatesQuery } from '../../../../api/rollout-templates.ts'
import { useScope } from '../../../../shell/scope-context.ts'
import { Select } from '../../../../ui/form/select.tsx'
import type { PlanForm } from '../plan-form.ts'
import { formOfTemplate } from './template-plan.ts'

type FromTemplateProps = {
  form: PlanForm
  pool: number
  onForm: (part: Partial<PlanForm>) => void
}

/** Fills in the plan of a template. Nothing without templates. */
export function FromTemplate({ form, pool, onForm }: FromTemplateProps) {
  const { project } = useScope()
  const templates = useQuery(rolloutTemplatesQuery(project)).data ?? []
  if (templates.length === 0) return null
  const chosen = templates.find(({ key }) => key === form.template)

  return (
    <Select
      label="From a template"
      {...(chosen?.description && { hint: chosen.description })}
      options={[
        { value: '', label: 'None: proposed from your traffic' },
        ...templates.map(({ key, name }) => ({ value: key, label: name })),
      ]}
      value={chosen?.key ?? ''}
      onValue={(key) => {
        const next = templates.find((one) => one.key === key)
        onForm(next ? formOfTemplate(next, pool) : noTemplate)
      }}
    />
  )
}

const noTemplate = {
  template: '',
  stages: undefined,
  metrics: undefined,
  timeBox: undefined,
  alpha: undefined,
} as const
