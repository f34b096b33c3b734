import type { Fault } from '@telltale/core/errors'

/** What is wrong with a setup file, all of it, a line for each fault. Never repeats a value of the file. */
export class SetupFileError extends Error {
  readonly faults: Fault[]

  constructor(file: string, faults: Fault[]) {
    const lines = faults.map(({ pointer, message }) => `  ${pointer || 'the file'}: ${message}`)
    super([`The setup file ${file} is invalid. Nothing was changed.`, ...lines].map(printable).join('\n'))
    this.name = 'SetupFileError'
    this.faults = faults
  }
}

/** Names in the file are anybody's text: none of them may break a line or steer the terminal. */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
