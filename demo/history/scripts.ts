// The shop's build, so that the history refers to scripts that are served and to positions that exist in them.

interface ScriptPlace {
  /** Relative to the shop's address. */
  file: string
  line: number
  column: number
}

export interface ShopScripts {
  /** The page's script, relative to the shop's address. */
  script: string
  style: string
  /** The position of a source's code in the build; undefined if it is not part of it. */
  locationOf(source: string, code: string): ScriptPlace | undefined
}

/** For a shop that was not built. */
export const noScripts: ShopScripts = {
  script: 'assets/index.js',
  style: 'assets/index.css',
  locationOf: () => undefined,
}
