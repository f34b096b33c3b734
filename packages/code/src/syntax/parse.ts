import { type ParserPlugin, parse } from '@babel/parser'
import type { Program } from '@babel/types'

export interface Parsed {
  text: string
  program: Program
  comments: readonly { start: number; end: number; value: string }[]
  /** Syntax errors that the parser recovered from. */
  faults: number
}

/** Extensions of the files that are read by their syntax. */
export const codeExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'] as const

export function isCode(path: string): boolean {
  return codeExtensions.some((extension) => path.endsWith(extension))
}

/** Returns the reason, with line and column, if the text is no program. */
export function parseCode(path: string, text: string): Parsed | string {
  try {
    const { program, comments, errors } = parse(text, {
      sourceType: 'unambiguous',
      createParenthesizedExpressions: true,
      allowReturnOutsideFunction: true,
      allowNewTargetOutsideFunction: true,
      allowUndeclaredExports: true,
      errorRecovery: true,
      attachComment: false,
      plugins: pluginsOf(path),
    })
    const places = (comments ?? []).map(({ start = 0, end = 0, value }) => ({ start, end, value }))
    return { text, program, comments: places, faults: errors?.length ?? 0 }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function pluginsOf(path: string): ParserPlugin[] {
  const always: ParserPlugin[] = ['decorators-legacy', 'explicitResourceManagement', 'importAttributes']
  const isDeclaration = /\.d\.[mc]?ts$/.test(path)
  if (/\.[mc]?ts$/.test(path)) return [...always, ['typescript', { dts: isDeclaration }]]
  return path.endsWith('.tsx') ? [...always, 'typescript', 'jsx'] : [...always, 'jsx']
}
