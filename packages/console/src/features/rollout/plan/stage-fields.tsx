import { limits } from '@telltale/core/limits'
import { type KeyboardEvent, useId } from 'react'
import type { Fault } from '../../../api/problem.ts'
import type { Forecast } from '../../../api/rollouts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { WeightField } from '../../../ui/form/weight-field.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/overlay/menu.tsx'
import { faultUnder } from './plan-faults.ts'
import { moveStage, type Plan, type StageForm, withStage } from './plan-form.ts'
import { stageText } from './plan-words.ts'
import { SpanField } from './span-field.tsx'

type StageFieldsProps = {
  plan: Plan
  pool: number
  forecast: Forecast | undefined
  faults: readonly Fault[]
  onStages: (stages: readonly StageForm[]) => void
}

/** Stage rows: share, minimum duration, minimum users. */
export function StageFields({ plan, pool, forecast, faults, onStages }: StageFieldsProps) {
  const { stages } = plan
  return (
    <fieldset className="grid min-w-0 gap-8">
      <legend className="pb-8 font-medium">Stages</legend>
      {faults.some(({ pointer }) => pointer === '/stages') && (
        <p className="text-12 text-bad">{faults.find(({ pointer }) => pointer === '/stages')?.message}</p>
      )}
      <ol className="grid min-w-0 divide-y divide-line rounded-control border border-line">
        {stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            stage={stage}
            index={index}
            count={stages.length}
            note={stageText(forecast?.units[index], plan.timeBox)}
            fault={faultUnder(faults, `/stages/${index}`)}
            faulty={(part) => faults.some(({ pointer }) => pointer === `/stages/${index}/${part}`)}
            onStage={(part) => onStages(stages.with(index, { ...stage, ...part }))}
            onMove={(to) => onStages(moveStage(stages, index, to))}
            onRemove={() => onStages(stages.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {stages.length < limits.rolloutStages && (
        <div>
          <Button icon="plus" onClick={() => onStages(withStage(stages, pool))}>
            Stage
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type StageRowProps = {
  stage: StageForm
  index: number
  count: number
  note: string
  fault: string | undefined
  faulty: (part: keyof StageForm) => boolean
  onStage: (part: Partial<StageForm>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

function StageRow(props: StageRowProps) {
  const { stage, index, count, note, fault, faulty, onStage, onMove, onRemove } = props
  const id = useId()
  const name = `stage ${index + 1}`
  const describedBy = fault === undefined ? undefined : id

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step || !event.altKey) return
    event.preventDefault()
    onMove(index + step)
  }

  return (
    <li
      aria-label={`Stage ${index + 1}`}
      onKeyDown={onKeyDown}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-4 px-10 py-8"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-8 gap-y-6">
        <span aria-hidden="true" className="w-[2ch] text-text-3 tabular-nums">
          {index + 1}
        </span>
        <WeightField
          label={`Share of ${name}, in percent`}
          weight={stage.weight}
          isFaulty={faulty('weight')}
          describedBy={describedBy}
          onWeight={(weight) => onStage({ weight })}
          width="w-[10ch]"
        />
        <span className="text-text-2">for at least</span>
        <SpanField
          label={`Minimum duration of ${name}`}
          span={stage.minDuration}
          isFaulty={faulty('minDuration')}
          describedBy={describedBy}
          onSpan={(minDuration) => onStage({ minDuration })}
        />
        <span className="text-text-2">and</span>
        <NumberField
          label={`Minimum users per arm in ${name}`}
          value={stage.minUnits}
          onValue={(minUnits) => onStage({ minUnits })}
          parse={(text) => (/^\s*\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN)}
          format={String}
          isFaulty={faulty('minUnits')}
          describedBy={describedBy}
          unit="users per arm"
          width="w-[17ch]"
        />
        {index > 0 && (
          <Checkbox
            label={
              <>
                approval<span className="sr-only"> to enter {name}</span>
              </>
            }
            checked={stage.needsApproval}
            onChecked={(needsApproval) => onStage({ needsApproval })}
          />
        )}
      </div>
      <Menu align="end" trigger={<IconButton icon="more" label={`More for ${name}`} small />}>
        <MenuItem icon="up" disabled={index === 0} onSelect={() => onMove(index - 1)}>
          Move up
        </MenuItem>
        <MenuItem icon="down" disabled={index === count - 1} onSelect={() => onMove(index + 1)}>
          Move down
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash" danger disabled={count === 1} onSelect={onRemove}>
          Remove
        </MenuItem>
      </Menu>
      {(fault ?? note) && (
        <p id={id} className={`col-span-2 pl-[calc(2ch+8px)] text-12 ${fault ? 'text-bad' : 'text-text-3'}`}>
          {fault ?? note}
        </p>
      )}
    </li>
  )
}
