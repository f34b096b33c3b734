import type { SwitchOption, TextOption } from './verb.ts'

/** The data folder of a verb that works on an installation. */
export const dataOption = {
  value: 'FOLDER',
  does: 'the data folder of the server, ./data by default',
  variable: 'TELLTALE_DATA',
} as const satisfies TextOption

/** For a verb whose result is its own, not the reply of a server. */
export const jsonOption = { does: 'prints the result as JSON' } as const satisfies SwitchOption
