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
  /** The share is of 100 000; `NaN` while the input is invalid. */
  layer: { key: string; share: number } | undefined
}

export const emptyForm: ExperimentForm = {
  name: '',
  hypothesis: '',
  place: undefined,
  control: undefined,
  goals: [],
  days: '',
  layer: undefined,
}

export function formOf({ name, hypothesis, place, control, goals, days, layer }: Experiment): ExperimentForm {
  return {
    name,
    hypothesis,
    place,
    control,
    goals: goals.map(({ metric, gain, margin }) => ({ metric, gain, margin })),
    days: days === null ? '' : String(days),
    layer: layer === null ? undefined : { key: layer.key, share: layer.share },
  }
}

export type FormFaults = Partial<Record<'name' | 'goals' | 'days' | 'layer', string>>

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
  const isLayer = form.layer === undefined || !Number.isNaN(form.layer.share)
  return {
    draft: {
      name: form.name.trim(),
      hypothesis: form.hypothesis.trim(),
      ...(form.place !== undefined && { place: form.place }),
      ...(form.control !== undefined && { control: form.control }),
      goals: form.goals.map((goal) => ({ ...goal })),
      ...(days !== undefined && isDays && { days }),
      ...(form.layer !== undefined && isLayer && { layer: { ...form.layer } }),
    },
    faults: {
      ...(form.name.trim() === '' && { name: 'Enter a name.' }),
      ...(goalFault !== undefined && { goals: goalFault }),
      ...(!isDays && { days: 'Enter whole days, 365 at most.' }),
      ...(!isLayer && { layer: 'A share is between 0.1% and 100%.' }),
    },
  }
}

export const mayAddGoal = (form: ExperimentForm) => form.goals.length < limits.experimentGoals

/** The part of a draft that a forecast depends on. */
export function plannedOf({ goals, control, place, layer }: ExperimentDraft) {
  return {
    goals,
    ...(layer && { layer }),
    ...(control !== undefined && { control }),
    ...(place !== undefined && { place }),
  }
}
