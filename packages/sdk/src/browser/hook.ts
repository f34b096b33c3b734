// Notes calls of a method, or reads and writes of a property, of a prototype of the page, which do what they did.

import { guarded } from './guard.ts'

export interface Hook {
  owner: object | undefined
  name: string
  kind: 'value' | 'get' | 'set'
  /** Called afterwards; not when the original throws. */
  onCall(target: object, args: readonly unknown[], result: unknown): void
}

// Of the browser, also when the page replaces it.
const { apply } = Reflect

/** Where the page does not allow it, nothing is noted. Returns a function to undo. */
export function hook({ owner, name, kind, onCall }: Hook): () => void {
  const found = owner && Object.getOwnPropertyDescriptor(owner, name)
  const original: unknown = found?.[kind]
  if (!owner || !found?.configurable || typeof original !== 'function') return () => undefined
  let isOn = true
  const note = guarded(onCall)
  // A method: like those of the browser it is no constructor.
  const { [name]: replaced } = {
    [name](this: object, ...args: unknown[]) {
      const result: unknown = apply(original, this, args)
      if (isOn) note(this, args, result)
      return result
    },
  }
  const define = guarded((descriptor: PropertyDescriptor) => Object.defineProperty(owner, name, descriptor))
  define({ ...found, [kind]: replaced })
  return () => {
    isOn = false
    // Others that replaced it meanwhile keep what they have.
    if (Object.getOwnPropertyDescriptor(owner, name)?.[kind] === replaced) define(found)
  }
}
