import type { Fault } from '@telltale/core/errors'

/** All faults of a setup file, one line each, without values from the file. */
export class SetupFileError extends Error {
  readonly faults: Fault[]

  constructor(file: string, faults: Fault[]) {
    const lines = faults.map(({ pointer, message }) => `  ${pointer || 'the file'}: ${message}`)
    super([`The setup file ${file} is invalid. Nothing was changed.`, ...lines].map(printable).join('\n'))
    this.name = 'SetupFileError'
    this.faults = faults
  }
}

/** Names in the file are untrusted: they must not break a line or contain terminal control codes. */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
