// Calls something before a method of the page's environment and after it.

import { guarded } from './guard.ts'

// Of the browser, also when the page replaces it.
const { apply } = Reflect

export interface Around {
  owner: object | undefined
  name: string
  /** May change the arguments. Returns what is to be called with the result; nothing when the method throws. */
  before(target: unknown, args: unknown[]): ((result: unknown) => void) | undefined
}

/** Where the page does not allow it, nothing happens. Returns a function to undo. */
export function around({ owner, name, before }: Around): () => void {
  const found = owner && Object.getOwnPropertyDescriptor(owner, name)
  const original: unknown = found?.value
  if (!owner || !found?.configurable || typeof original !== 'function') return () => undefined
  let isOn = true
  const begin = guarded(before)
  // A method: like those of the browser it is no constructor.
  const { [name]: replaced } = {
    [name](this: unknown, ...args: unknown[]) {
      const after = isOn ? begin(this, args) : undefined
      const result: unknown = apply(original, this, args)
      if (after) guarded(after)(result)
      return result
    },
  }
  const define = guarded((descriptor: PropertyDescriptor) => Object.defineProperty(owner, name, descriptor))
  define({ ...found, value: replaced })
  return () => {
    isOn = false
    // Others that replaced it meanwhile keep what they have.
    if (Object.getOwnPropertyDescriptor(owner, name)?.value === replaced) define(found)
  }
}
