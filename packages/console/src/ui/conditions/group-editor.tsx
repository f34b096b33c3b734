import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import { limits } from '@telltale/core/limits'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Select } from '../form/select.tsx'
import { ConditionRow, type EditorScope, faultAt } from './condition-row.tsx'
import { emptyWords } from './condition-view.tsx'
import { emptyCondition } from './operators.ts'

type Part = Condition | ConditionGroup

const matches = [
  { value: 'all', label: 'All of these are true' },
  { value: 'any', label: 'Any of these is true' },
  { value: 'none', label: 'None of these is true' },
] as const
const words = { all: 'and', any: 'or', none: 'or' }

type GroupEditorProps = {
  group: ConditionGroup
  scope: EditorScope
  pointer: string
  depth: number
  onGroup: (group: ConditionGroup) => void
  /** The outermost group cannot be removed. */
  onRemove?: () => void
}

export function GroupEditor({ group, scope, pointer, depth, onGroup, onRemove }: GroupEditorProps) {
  const { box, focusPart } = usePartFocus()
  const fault = faultAt(scope, pointer)

  function replace(index: number, part: Part) {
    onGroup({ ...group, of: group.of.map((one, at) => (at === index ? part : one)) })
  }
  function remove(index: number) {
    focusPart(`${pointer}/of/${Math.min(index, group.of.length - 2)}`)
    onGroup({ ...group, of: group.of.filter((_, at) => at !== index) })
  }
  function add(part: Part) {
    focusPart(`${pointer}/of/${group.of.length}${'match' in part ? '/of/0' : ''}`)
    onGroup({ ...group, of: [...group.of, part] })
  }

  return (
    <fieldset
      ref={box}
      data-part={pointer}
      className={`grid min-w-0 gap-8 max-wide:gap-16 ${depth > 1 ? 'rounded-control border border-line-strong p-8' : ''}`}
    >
      <legend className="sr-only">{depth > 1 ? 'Group of conditions' : 'Conditions'}</legend>
      <div className="flex items-center gap-6">
        <span className="w-[26ch] max-w-full">
          <Select
            label="Match"
            hideLabel
            options={matches}
            value={group.match}
            onValue={(match) => onGroup({ ...group, match })}
          />
        </span>
        {onRemove && (
          <span className="ml-auto">
            <IconButton icon="close" label="Remove the group" onClick={onRemove} />
          </span>
        )}
      </div>
      {fault && (
        <p role="alert" className="text-12 text-bad">
          {fault}
        </p>
      )}
      {group.of.length === 0 && <p className="text-text-2">{emptyWords(group.match)}</p>}
      {group.of.map((part, index) => {
        const at = `${pointer}/of/${index}`
        const word = index === 0 ? '' : words[group.match]
        return 'match' in part ? (
          <div
            key={at}
            className="grid min-w-0 grid-cols-[40px_minmax(0,1fr)] gap-6 max-wide:grid-cols-[minmax(0,1fr)]"
          >
            <span aria-hidden="true" className="pt-14 text-right text-text-3 max-wide:hidden">
              {word}
            </span>
            <GroupEditor
              group={part}
              scope={scope}
              pointer={at}
              depth={depth + 1}
              onGroup={(next) => replace(index, next)}
              onRemove={() => remove(index)}
            />
          </div>
        ) : (
          <ConditionRow
            key={at}
            condition={part}
            scope={scope}
            pointer={at}
            number={index + 1}
            word={word}
            onCondition={(next) => replace(index, next)}
            onRemove={() => remove(index)}
          />
        )
      })}
      <AddButtons scope={scope} depth={depth} onAdd={add} />
    </fieldset>
  )
}

function AddButtons({
  scope,
  depth,
  onAdd,
}: {
  scope: EditorScope
  depth: number
  onAdd: (part: Part) => void
}) {
  const isDeep = depth >= limits.conditionDepth
  return (
    <div className="flex flex-wrap items-center gap-6 wide:pl-[46px]">
      <Button size="small" icon="plus" disabled={scope.isFull} onClick={() => onAdd(emptyCondition())}>
        Condition
      </Button>
      {scope.segments && (
        <Button
          size="small"
          icon="plus"
          disabled={scope.isFull}
          onClick={() => onAdd({ operator: 'in-segment', segment: '' })}
        >
          Segment
        </Button>
      )}
      <Button
        size="small"
        icon="plus"
        disabled={scope.isFull || isDeep}
        title={isDeep ? `Groups can be nested at most ${limits.conditionDepth} levels deep.` : undefined}
        onClick={() => onAdd({ match: 'any', of: [emptyCondition()] })}
      >
        Group
      </Button>
      {scope.isFull && (
        <span className="text-12 text-text-3">{limits.conditionsPerRule} conditions and groups at most.</span>
      )}
    </div>
  )
}

/** Focuses a part after it is rendered; the group's own buttons when there are no parts left. */
function usePartFocus() {
  const box = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<string>(undefined)

  useEffect(() => {
    const pointer = wanted.current
    if (pointer === undefined) return
    wanted.current = undefined
    const part = box.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(pointer)}"]`)
    const target = part?.querySelector<HTMLElement>('input, select') ?? box.current?.querySelector('select')
    target?.focus()
  })
  return {
    box,
    focusPart: (pointer: string) => {
      wanted.current = pointer
    },
  }
}
