import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { checkConditions } from '@telltale/core/evaluation/check-conditions'
import { limits } from '@telltale/core/limits'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Suggestion } from '../form/suggestion-list.tsx'
import { type ConditionFault, countParts } from './condition-faults.ts'
import type { SegmentChoice } from './condition-row.tsx'
import { ConditionsView } from './condition-view.tsx'
import { GroupEditor } from './group-editor.tsx'

type Check = typeof checkConditions

let loaded: Check | undefined

/** What the evaluator itself thinks of the operands, while they are typed. It comes when it is first needed. */
function useLiveFaults(
  group: ConditionGroup,
  segments: readonly { key: string }[] | undefined,
): readonly ConditionFault[] {
  const [check, setCheck] = useState<Check | undefined>(() => loaded)

  useEffect(() => {
    if (loaded) return
    let isGone = false
    import('@telltale/core/evaluation/check-conditions').then(
      (module) => {
        loaded = module.checkConditions
        if (!isGone) setCheck(() => loaded)
      },
      // Without it nothing is told before saving, and then the server says the same.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])

  // Behind the typing: every expression is compiled anew.
  const settled = useDeferredValue(group)
  return useMemo(() => {
    const known = segments && new Set(segments.map(({ key }) => key))
    return check ? check(settled, { segments: known }) : []
  }, [check, settled, segments])
}

type ConditionsEditorProps = {
  value: ConditionGroup
  onChange: (value: ConditionGroup) => void
  /** Refusals of the server, and what `findMissing` found. */
  errors?: readonly ConditionFault[]
  /** Where the conditions stand in what was sent: `/when`, `/rules/0/when`. The others are not of these conditions. */
  pointer?: string
  /** Names that are known; others can be typed. */
  attributes?: readonly Suggestion[]
  /** Those that can be named. Without it none can. */
  segments?: readonly SegmentChoice[] | undefined
  readOnly?: boolean
}

/** Conditions in groups, nested. Data in, data out: it knows no flag and no segment. */
export function ConditionsEditor(props: ConditionsEditorProps) {
  if (props.readOnly) return <ConditionsView value={props.value} />
  return <Editor {...props} />
}

function Editor({ value, onChange, errors = [], pointer = '', attributes, segments }: ConditionsEditorProps) {
  const live = useLiveFaults(value, segments)
  const told = errors
    .filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
    .map((fault) => ({ ...fault, pointer: fault.pointer.slice(pointer.length) }))

  return (
    <GroupEditor
      group={value}
      onGroup={onChange}
      pointer=""
      depth={1}
      scope={{
        attributes: attributes ?? usualAttributes,
        segments,
        faults: [...told, ...live.filter((fault) => isFilledIn(value, fault.pointer))],
        isFull: countParts(value) >= limits.conditionsPerRule,
      }}
    />
  )
}

const usualAttributes: readonly Suggestion[] = [{ value: 'targetingKey', note: 'targeting key' }]

/** Nobody is told of a mistake in a field that was not touched yet. */
function isFilledIn(group: ConditionGroup, pointer: string): boolean {
  let at: unknown = group
  for (const step of pointer.split('/').slice(1)) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined
  }
  return at !== '' && !Number.isNaN(at)
}
