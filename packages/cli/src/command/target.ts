// Where a verb for a remote server sends its calls.

import type { TextOption } from './verb.ts'

export const serverOptions = {
  url: { value: 'URL', does: 'the address of the server', variable: 'TELLTALE_URL' },
  token: { value: 'TOKEN', does: 'an API token', variable: 'TELLTALE_TOKEN' },
} as const satisfies Record<string, TextOption>

export const projectOptions = {
  ...serverOptions,
  project: { value: 'KEY', does: 'the key of the project', variable: 'TELLTALE_PROJECT' },
} as const satisfies Record<string, TextOption>

export const environmentOptions = {
  ...projectOptions,
  env: { value: 'KEY', does: 'the key of the environment', variable: 'TELLTALE_ENV' },
} as const satisfies Record<string, TextOption>
