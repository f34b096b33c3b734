import { isKey, keyOf } from '@telltale/core/keys'
import { useState } from 'react'
import { keyAdvice } from './key-advice.ts'

/**
 * Name and key of a new item: the key follows the name until it is edited. Faults are shown from the first
 * `check` on.
 */
export function useNameAndKey(onEdit: () => void) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const key = typedKey ?? keyOf(name)
  const faults = {
    name: name.trim() === '' ? 'Enter a name.' : undefined,
    key: isKey(key) ? undefined : keyAdvice,
  }

  function edit(set: (text: string) => void, text: string) {
    set(text)
    onEdit()
  }
  function check(): boolean {
    setChecked(true)
    return faults.name === undefined && faults.key === undefined
  }
  return {
    /** As sent. */
    draft: { name: name.trim(), key },
    check,
    fields: {
      name,
      ownKey: key,
      faults: isChecked ? faults : {},
      onName: (text: string) => edit(setName, text),
      onKey: (text: string) => edit(setTypedKey, text),
    },
  }
}
