/** The list's state in the URL. */
export interface IdentitiesSearch {
  /** Prefix of the targeting key. */
  q?: string | undefined
  trait?: string | undefined
  value?: string | undefined
  /** The identity whose traits are open beside the list. */
  peek?: string | undefined
}

/** The identity screen's state in the URL. */
export interface IdentitySearch {
  /** Part of a flag key. */
  q?: string | undefined
  /** The flag whose evaluation trace is open. */
  flag?: string | undefined
  /** The flag to override; empty while none is chosen. */
  override?: string | undefined
}
