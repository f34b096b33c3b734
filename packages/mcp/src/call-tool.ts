// Runs a tool: one request to the API with the caller's credential, so that permissions, reviews and approvals hold as in
// the console.

import { ArgumentError, type Ask, requestOf } from './ask.ts'
import { fence } from './fence.ts'
import type { Tool } from './tools.ts'

interface ToolResult {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

/** A refusal of the server is a result, so that the model can read the reason. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<ToolResult> {
  try {
    const { status, text } = await ask(requestOf(tool.call, given))
    if (status >= 400) return failure(`The server refused this with status ${status}.`, text)
    if (status === 202 && tool.call.accepted !== undefined)
      return result('Nothing changed yet: this opened a change request, which waits for approval.', text)
    return text === '' || text === 'null' ? result('Done.') : result(undefined, text)
  } catch (error) {
    if (error instanceof ArgumentError) return failure(error.message)
    return failure(`The server could not be reached: ${error instanceof Error ? error.message : 'unknown'}.`)
  }
}

function result(says: string | undefined, data?: string): ToolResult {
  const parts = [says, data === undefined ? undefined : fence(data)].filter((part) => part !== undefined)
  return { content: [{ type: 'text', text: parts.join('\n\n') }] }
}

const failure = (says: string, data?: string): ToolResult => ({ ...result(says, data), isError: true })
