import { limits } from '@telltale/core/limits'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/query/time-buckets'
import { useScope } from '../../shell/scope-context.ts'
import { lengthOfRange } from '../../shell/time-range.ts'
import { Select } from '../../ui/form/select.tsx'
import { stepText } from '../../ui/text/step-words.ts'

type StepSelectProps = { step: TimeStep | undefined; onStep: (step: TimeStep | undefined) => void }

/** Only those that give a chart of the time that is looked at. */
export function StepSelect({ step, onStep }: StepSelectProps) {
  const { range } = useScope()
  const length = lengthOfRange(range)
  const fitting = timeSteps.filter(
    (one) => one === step || (stepLength[one] < length && length / stepLength[one] <= limits.seriesPoints),
  )
  return (
    <Select
      label="Interval"
      hideLabel
      options={[
        { value: 'auto', label: 'Auto' },
        ...fitting.map((value) => ({ value, label: stepText(value) })),
      ]}
      value={step ?? 'auto'}
      onValue={(next) => onStep(timeSteps.find((one) => one === next))}
    />
  )
}
