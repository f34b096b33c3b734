// The origin of an address.

/** Undefined: it is not an address. */
export function originOf(address: string): string | undefined {
  try {
    return new URL(address).origin
  } catch {
    return undefined
  }
}
