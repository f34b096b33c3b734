// What the shop is built of, so that the history names scripts that are served and places that are in them.

export interface ScriptPlace {
  /** Below the shop's address. */
  file: string
  line: number
  column: number
}

export interface ShopScripts {
  /** Of its page, below the shop's address. */
  script: string
  style: string
  /** Where the code of a source stands in what was built; nothing when it does not. */
  placeOf(source: string, code: string): ScriptPlace | undefined
}

/** Of a shop that was not built. */
export const noScripts: ShopScripts = {
  script: 'assets/index.js',
  style: 'assets/index.css',
  placeOf: () => undefined,
}
