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

/** Validates the operands with the evaluator itself during typing. Loaded on first use. */
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
      // If it fails to load, the server reports the same faults on saving.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])

  // Deferred: every regular expression is compiled again.
  const settled = useDeferredValue(group)
  return useMemo(() => {
    const known = segments && new Set(segments.map(({ key }) => key))
    return check ? check(settled, { segments: known }) : []
  }, [check, settled, segments])
}

type ConditionsEditorProps = {
  value: ConditionGroup
  onChange: (value: ConditionGroup) => void
  /** Errors of the server and from `findMissing`. */
  errors?: readonly ConditionFault[]
  /** Pointer of the conditions in the request: `/when`, `/rules/0/when`. Faults with other pointers are ignored. */
  pointer?: string
  /** Known names as suggestions; others can be typed. */
  attributes?: readonly Suggestion[]
  /** Segments that can be used. Without it none can. */
  segments?: readonly SegmentChoice[] | undefined
  readOnly?: boolean
}

/** Editor of nested groups of conditions. Controlled, and independent of flags and segments. */
export function ConditionsEditor(props: ConditionsEditorProps) {
  if (props.readOnly) return <ConditionsView value={props.value} />
  return <Editor {...props} />
}

function Editor({ value, onChange, errors = [], pointer = '', attributes, segments }: ConditionsEditorProps) {
  const live = useLiveFaults(value, segments)
  const reported = errors
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
        faults: [...reported, ...live.filter((fault) => isFilledIn(value, fault.pointer))],
        isFull: countParts(value) >= limits.conditionsPerRule,
      }}
    />
  )
}

const usualAttributes: readonly Suggestion[] = [{ value: 'targetingKey', note: 'targeting key' }]

/** An untouched field shows no fault yet. */
function isFilledIn(group: ConditionGroup, pointer: string): boolean {
  let at: unknown = group
  for (const step of pointer.split('/').slice(1)) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined
  }
  return at !== '' && !Number.isNaN(at)
}
