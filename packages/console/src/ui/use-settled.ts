import { useEffect, useState } from 'react'

/** A value once it has been stable for a while: five quick changes cause one query. `key` identifies values. */
export function useSettled<Value>(value: Value, key: string, after = 300): Value {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    if (settled.key === key) return
    const timer = setTimeout(() => setSettled({ value, key }), after)
    return () => clearTimeout(timer)
  }, [value, key, settled.key, after])
  return settled.key === key ? value : settled.value
}
