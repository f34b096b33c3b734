import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { type RouteRule, routeRulesQuery, setRouteRule } from '../../../api/route-rules.ts'
import { Radio } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { patternOf } from './route-rule-columns.tsx'

const effects = [
  { value: 'merged', label: 'Group values', hint: 'All values at this position share one row.' },
  { value: 'apart', label: 'Keep values apart', hint: 'Each value has its own row.' },
] as const

type RouteRuleDialogProps = {
  place: { project: string; env: string }
  rule: RouteRule | undefined
  onClose: () => void
}

export function RouteRuleDialog({ place, rule, onClose }: RouteRuleDialogProps) {
  const [route, setRoute] = useState(rule === undefined ? '' : patternOf(rule))
  const [effect, setEffect] = useState<'merged' | 'apart'>(rule?.isMerged === false ? 'apart' : 'merged')
  const [except, setExcept] = useState(rule?.except ?? [])
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: setRouteRule,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: routeRulesQuery(place).queryKey })
      onClose()
      showToast({ text: 'Rule saved.' })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const under = underOf(route)

  function submit() {
    setChecked(true)
    if (saving.isPending || under === undefined) return
    saving.mutate({ ...place, draft: { under, isMerged: effect === 'merged', except } })
  }

  return (
    <Dialog
      title={rule === undefined ? 'Add route rule' : 'Edit route rule'}
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save rule" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Field
        label="Route"
        hint="The position of the ID, such as /orders/:id or /teams/:id/members/:id"
        fault={isChecked && under === undefined ? 'Must start with / and end with /:id' : undefined}
        value={route}
        onChange={(event) => setRoute(event.currentTarget.value)}
        maxLength={limits.routeLength}
        disabled={rule !== undefined}
        autoComplete="off"
        code
      />
      <Radio label="Values" choices={effects} value={effect} onValue={setEffect} />
      {effect === 'merged' && (
        <TagsInput
          label="Except (optional)"
          hint="Values that keep their own row, such as new"
          values={except}
          onValues={setExcept}
          suggestions={[]}
          limits={{ items: 100, length: limits.routeLength }}
        />
      )}
    </Dialog>
  )
}

/** The route above the position; undefined unless the text is such a route. */
function underOf(route: string): string | undefined {
  const text = route.trim().replace(/\/+$/, '')
  if (!/^(\/[^/?#\s]+)+$/.test(text) || !text.endsWith('/:id')) return undefined
  return text.slice(0, -'/:id'.length)
}
