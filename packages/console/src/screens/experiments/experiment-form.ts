// The edited form of an experiment, and its faults.

import { limits } from '@telltale/core/limits'
import type { Experiment, ExperimentDraft } from '../../api/experiments.ts'

export interface FormGoal {
  metric: string
  /** Shares; `NaN` while the input is invalid. */
  gain: number
  margin: number
}

export interface ExperimentForm {
  name: string
  hypothesis: string
  /** Undefined: chosen by the server. */
  place: string | undefined
  control: string | undefined
  goals: readonly FormGoal[]
  days: string
}

export const emptyForm: ExperimentForm = {
  name: '',
  hypothesis: '',
  place: undefined,
  control: undefined,
  goals: [],
  days: '',
}

export function formOf({ name, hypothesis, place, control, goals, days }: Experiment): ExperimentForm {
  return {
    name,
    hypothesis,
    place,
    control,
    goals: goals.map(({ metric, gain, margin }) => ({ metric, gain, margin })),
    days: days === null ? '' : String(days),
  }
}

export type FormFaults = Partial<Record<'name' | 'goals' | 'days', string>>

const isGain = (gain: number) => gain >= 0.001 && gain <= 10
const isMargin = (margin: number) => margin >= 0.001 && margin <= 0.5

export function readForm(form: ExperimentForm): { draft: ExperimentDraft; faults: FormFaults } {
  const days = form.days.trim() === '' ? undefined : Number(form.days)
  const goalFault =
    form.goals.length === 0
      ? 'Add at least one goal.'
      : form.goals.some(({ gain }) => !isGain(gain))
        ? 'A gain is between 0.1% and 1,000%.'
        : form.goals.some(({ margin }) => !isMargin(margin))
          ? 'An accepted loss is between 0.1% and 50%.'
          : undefined
  const isDays = days === undefined || (Number.isInteger(days) && days >= 1 && days <= 365)
  return {
    draft: {
      name: form.name.trim(),
      hypothesis: form.hypothesis.trim(),
      ...(form.place !== undefined && { place: form.place }),
      ...(form.control !== undefined && { control: form.control }),
      goals: form.goals.map((goal) => ({ ...goal })),
      ...(days !== undefined && isDays && { days }),
    },
    faults: {
      ...(form.name.trim() === '' && { name: 'Enter a name.' }),
      ...(goalFault !== undefined && { goals: goalFault }),
      ...(!isDays && { days: 'Enter whole days, 365 at most.' }),
    },
  }
}

export const mayAddGoal = (form: ExperimentForm) => form.goals.length < limits.experimentGoals
