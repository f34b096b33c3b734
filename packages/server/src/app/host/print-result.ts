import type { HostWorld } from './world.ts'

type Result = {
  isJson: boolean | undefined
  reply: Record<string, unknown>
  /** What a reader gets without `--json`. */
  lines: string[]
}

/** One object with `--json`, so that a program can parse all of standard output; lines otherwise. */
export function printResult({ print }: Pick<HostWorld, 'print'>, { isJson, reply, lines }: Result): void {
  if (isJson) print(JSON.stringify(reply))
  else for (const line of lines) print(line)
}
