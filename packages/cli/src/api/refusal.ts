// What a server answers instead of a reply: a problem of the catalogue, printed with what to do about it.

import { type CatalogueEntry, errors, type Fault } from '@telltale/core/errors'
import { Failure } from '../command/failure.ts'

interface RefusalParts {
  code: string
  status: number
  lines: readonly string[]
  faults?: readonly Fault[]
}

/** The answer of a server that refuses a call (RFC 9457). */
export class Refusal extends Failure {
  override name = 'Refusal'
  /** Empty if the answer is not one of ours. */
  readonly code: string
  readonly status: number
  /** What is wrong with the request, by its place. */
  readonly faults: readonly Fault[]

  constructor({ code, status, lines, faults = [] }: RefusalParts) {
    super(lines)
    this.faults = faults
    this.code = code
    this.status = status
  }
}

/** The server is not there, or something else answers in its place. */
export class NoAnswer extends Failure {
  override name = 'NoAnswer'

  constructor(url: string, cause: unknown) {
    super([`${url} does not answer (${reasonOf(cause)}). Check --url, and that the server runs.`], { cause })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

export async function readRefusal(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined)
  const { status } = response
  if (typeof body !== 'object' || body === null || !('title' in body)) {
    const line = `The answer (${status}) is not from a Telltale server. Check --url.`
    return new Refusal({ code: '', status, lines: [line] })
  }
  const code = 'type' in body ? String(body.type).replace(/^.*\//, '') : ''
  const detail = 'detail' in body && body.detail !== undefined ? [String(body.detail)] : []
  const faults = 'errors' in body && Array.isArray(body.errors) ? body.errors.map(readFault) : []
  const request = 'requestId' in body ? [`Request ${body.requestId}`] : []
  const lines = [`${body.title}.`, ...detail, ...faults.map(lineOf), ...whatToDo(code, faults), ...request]
  return new Refusal({ code, status, lines, faults })
}

function readFault(fault: unknown): Fault {
  const { pointer, message } = { pointer: '', message: '', ...(typeof fault === 'object' ? fault : {}) }
  return { pointer: String(pointer), message: String(message) }
}

const lineOf = ({ pointer, message }: Fault) => `  ${pointer} ${message}`

function whatToDo(code: string, faults: readonly Fault[]): string[] {
  if (code === 'unauthenticated') return ['Run "telltale login", or set TELLTALE_TOKEN to a valid token.']
  if (!isKnown(code)) return []
  const { explanation, introducesErrors }: CatalogueEntry = errors[code]
  return faults.length > 0 && introducesErrors === true ? [] : [explanation]
}

function isKnown(code: string): code is keyof typeof errors {
  return Object.hasOwn(errors, code)
}
