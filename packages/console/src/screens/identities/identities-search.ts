/** What of the list stands in the address. */
export interface IdentitiesSearch {
  /** Prefix of the targeting key. */
  q?: string | undefined
  trait?: string | undefined
  value?: string | undefined
  /** The identity whose traits are open beside the list. */
  peek?: string | undefined
}

/** What of one identity's screen stands in the address. */
export interface IdentitySearch {
  /** Part of the key of a flag. */
  q?: string | undefined
  /** The flag whose trace is open. */
  flag?: string | undefined
  /** The flag an override is given to; empty for one that is still to be chosen. */
  override?: string | undefined
}
